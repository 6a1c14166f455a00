import type { Faults } from './faults.ts';
import type { History, Step } from './steps.ts';

/** What was wrong: an answer or a view, the ledger, a secret that is shown, or that it ends. */
export type DefectKind = 'Contradiction' | 'Ledger' | 'Leak' | 'Error';

export type Defect = {
  kind: DefectKind;
  seed: number;
  message: string;
  /** The shortest history that still fails; undefined if no single one did. */
  history: History | undefined;
};

export type Report = {
  histories: number;
  steps: number;
  /** How many steps of each kind, and faults. */
  stepsOf: Partial<Record<Step['do'], number>>;
  faults: Faults['counts'];
  defects: Defect[];
  /** What was looked for leaks: values, and characters in which they were not to be found. */
  leakScan: { values: number; characters: number };
  seconds: number;
  /** Of this process, at the end of a block: now, and the most there ever was. */
  memoryMb: { now: number; most: number };
};

/** The report of a run that has not begun. */
export function emptyReport(): Report {
  return {
    histories: 0,
    steps: 0,
    stepsOf: {},
    faults: {},
    defects: [],
    leakScan: { values: 0, characters: 0 },
    seconds: 0,
    memoryMb: { now: 0, most: 0 },
  };
}

const MEGABYTE = 2 ** 20;

/** Takes down how long the run has taken, and how large this process has become. */
export function measure(report: Report, seconds: number): void {
  const now = Math.round(process.memoryUsage().rss / MEGABYTE);
  report.seconds = Math.round(seconds);
  report.memoryMb = { now, most: Math.max(now, report.memoryMb.most) };
}

/** The counts of a run, in a line. */
export function describe({ histories, steps, seconds, ...report }: Report): string {
  const faults = sumOf(report.faults);
  const rate = (steps / Math.max(1, seconds)).toFixed(1);
  return (
    `${histories} histories, ${steps} steps in ${seconds.toFixed(0)} s (${rate}/s), ` +
    `${faults} faults, ${report.defects.length} defects, ${report.memoryMb.now} MB`
  );
}

/** The counts of a run, by kind. */
export function summarize(report: Report): string {
  const { values, characters } = report.leakScan;
  const lines = [
    describe(report),
    `steps: ${listOf(report.stepsOf)}`,
    `faults: ${listOf(report.faults)}`,
    `defects: ${listOf(defectsOf(report))}`,
    `searched: ${values} secrets and contacts in ${characters} characters`,
    `memory: ${report.memoryMb.now} MB, at most ${report.memoryMb.most} MB`,
  ];
  return lines.join('\n');
}

/** How many defects there are of each kind. */
export function defectsOf({ defects }: Pick<Report, 'defects'>): Partial<Record<string, number>> {
  const counts: Partial<Record<string, number>> = {};
  for (const { kind } of defects) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Counts the steps that were played, and the faults among them. */
export function countSteps({ stepsOf }: Report, steps: readonly Step[]): void {
  for (const step of steps) stepsOf[step.do] = (stepsOf[step.do] ?? 0) + 1;
}

/** What was found, with the history that shows it. */
export function describeDefect({ kind, seed, message, history }: Defect): string {
  const shown = history === undefined ? '' : textOf(history);
  return `Seed ${seed}: ${kind}: ${message}\n${shown}`;
}

/** A history as a file holds it: a step a line. */
export function textOf({ seed, policies, steps }: History): string {
  const lines = steps.map((step) => `    ${JSON.stringify(step)}`).join(',\n');
  const head = `  "seed": ${seed},\n  "policies": ${JSON.stringify(policies)},`;
  return `{\n${head}\n  "steps": [\n${lines}\n  ]\n}\n`;
}

function listOf(counts: Partial<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, one = 0], [, other = 0]) => other - one);
  return entries.map(([name, count]) => `${count} ${name}`).join(', ') || 'none';
}

function sumOf(counts: Partial<Record<string, number>>): number {
  return Object.values(counts).reduce<number>((sum, count = 0) => sum + count, 0);
}
