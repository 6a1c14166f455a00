import { cpus } from 'node:os';
import { stripsTypes } from '../../bench/production-node.ts';
import { percentile } from '../../bench/statistics.ts';
import type { Accounts, Counts } from './accounts.ts';
import { type Deployment, PROCESSES } from './deployment.ts';
import type { CausedFault } from './faults.ts';
import type { Judged, Line } from './judging.ts';
import type { Proof } from './proof.ts';
import type { RampStep } from './ramp.ts';
import type { Sample } from './sampling.ts';

/** Names of figures stay as they are, so that runs can be compared. */
export type Report = {
  verdict: 'passed' | 'inexact' | 'unsteady';
  seed: number;
  minutes: number;
  seconds: number;
  sustainable_per_second: number;
  offered_per_second: number;
  ramp: RampStep[];
  node: string;
  is_without_loader: boolean;
  cores: number;
  /** The share of the machine that other programs used: median, and the most of a sample. */
  others_share: number;
  others_share_most: number;
  operations: Counts;
  webhooks_by_status: Record<string, number>;
  webhooks_acknowledged: number;
  events_by_outcome: Record<string, number>;
  events_stored_without_answer: number;
  redemptions_by_status: Record<string, number>;
  drained_seconds: number;
  /** What the database grew by for each webhook, in the middle and in the last third. */
  bytes_per_webhook: (number | null)[];
  faults: CausedFault[];
  /** Medians of the thirds of the run, by the figure's name; null where it was not measured. */
  thirds: Record<string, (number | null)[]>;
  judged: Judged[];
  exact: Line[];
  steady: Line[];
};

export type Found = {
  terms: {
    seed: number;
    minutes: number;
    offered: number;
    sustainable: number;
    steps: RampStep[];
  };
  seconds: number;
  drainedSeconds: number;
  deployment: Deployment;
  accounts: Accounts;
  proof: Proof;
  faults: CausedFault[];
  samples: readonly Sample[];
  judged: Judged[];
  lines: { exact: Line[]; steady: Line[] };
};

/** Builds the report. Inexact is worse than unsteady, and hides it. */
export function reportOf(found: Found): Report {
  const { terms, proof, lines, samples, deployment } = found;
  const hasFailed = (of: readonly Line[]) => of.some(({ verdict }) => verdict === 'failed');
  const others = samples.map(({ othersShare }) => othersShare);
  const whenSteady = hasFailed(lines.steady) ? 'unsteady' : 'passed';
  return {
    verdict: hasFailed(lines.exact) ? 'inexact' : whenSteady,
    seed: terms.seed,
    minutes: terms.minutes,
    seconds: found.seconds,
    sustainable_per_second: terms.sustainable,
    offered_per_second: terms.offered,
    ramp: terms.steps,
    node: process.version,
    is_without_loader: stripsTypes() && process.execArgv.length === 0,
    cores: cpus().length,
    others_share: medianOf(others) ?? Number.NaN,
    others_share_most: Math.max(...others),
    operations: found.accounts.counts,
    webhooks_by_status: Object.fromEntries(deployment.proxy.statuses),
    webhooks_acknowledged: deployment.proxy.acknowledged.length,
    events_by_outcome: proof.outcomes,
    events_stored_without_answer: proof.storedWithoutAnswer,
    redemptions_by_status: proof.redemptions,
    drained_seconds: found.drainedSeconds,
    bytes_per_webhook: thirdsIn(samples).slice(1).map(bytesPerWebhook),
    faults: found.faults,
    thirds: thirdsOf(samples),
    judged: found.judged,
    ...lines,
  };
}

type Read = (sample: Sample) => number | undefined;

const FIGURES: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(
    PROCESSES.flatMap((name): [string, Read][] => [
      [`${name}_mib`, ({ processes }) => processes[name]?.mib],
      [`${name}_files`, ({ processes }) => processes[name]?.files],
    ]),
  ),
  backlog: ({ database }) => database?.backlog,
  stalled: ({ database }) => database?.stalled,
  connections: ({ database }) => database?.connections,
  open_runs: ({ openRuns }) => openRuns,
  database_mib: ({ database }) => database?.databaseMib,
  queue_mib: ({ database }) => database?.queueMib,
  wallets_mib: ({ database }) => database?.walletsMib,
  webhook_p50_ms: ({ webhooks }) => webhooks?.p50,
  webhook_p99_ms: ({ webhooks }) => webhooks?.p99,
  credit_p50_ms: ({ credits }) => credits?.p50,
  credit_p99_ms: ({ credits }) => credits?.p99,
};

/** All samples count here, also those in which a fault shows. */
function thirdsOf(samples: readonly Sample[]): Report['thirds'] {
  const thirds = thirdsIn(samples);
  return Object.fromEntries(
    Object.entries(FIGURES).map(([name, read]) => [
      name,
      thirds.map((third) => medianOf(third.map(read)) ?? null),
    ]),
  );
}

function thirdsIn(samples: readonly Sample[]): (readonly Sample[])[] {
  const length = Math.ceil(samples.length / 3);
  return [0, 1, 2].map((nth) => samples.slice(nth * length, (nth + 1) * length));
}

function bytesPerWebhook(samples: readonly Sample[]): number | null {
  const known = samples.filter(({ database }) => database !== undefined);
  const [first, last] = [known[0], known.at(-1)];
  if (first?.database === undefined || last?.database === undefined) return null;
  const grownMib = last.database.databaseMib - first.database.databaseMib;
  return (grownMib * 2 ** 20) / Math.max(1, last.acknowledged - first.acknowledged);
}

function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.flatMap((value = Number.NaN) => (Number.isNaN(value) ? [] : [value]));
  return known.length === 0 ? undefined : percentile(known, 50);
}

const SIGNS = { passed: 'ok    ', failed: 'FAILED', 'not judged': '–     ' } as const;

/** Renders the report for people: what was offered, the figures, and each line with its verdict. */
export function describe(report: Report): string {
  const { operations, faults, thirds } = report;
  const done = Object.values(operations).reduce((sum, count) => sum + count, 0);
  const share = (value: number) => `${(value * 100).toFixed(0)} %`;
  const shown = (value: number | null) => (value === null ? '–' : value.toFixed(1));
  return [
    `${(report.seconds / 60).toFixed(1)} minutes at ${report.offered_per_second} operations a ` +
      `second, half of ${report.sustainable_per_second}; seed ${report.seed}`,
    `Node ${report.node}${report.is_without_loader ? '' : ' WITH A LOADER'}, ${report.cores} ` +
      `cores, of which other programs used ${share(report.others_share)} (most: ` +
      `${share(report.others_share_most)})`,
    `${done} operations: ${listOf(operations)}`,
    `webhooks: ${listOf(report.webhooks_by_status)}`,
    `events: ${listOf(report.events_by_outcome)}; ` +
      `${report.events_stored_without_answer} stored without an answer`,
    `redemptions: ${listOf(report.redemptions_by_status)}`,
    `faults: ${faults.length}, slowest recovery ` +
      `${shown(Math.max(0, ...faults.map((each) => each.recoveredAfter ?? Infinity)))} s; ` +
      `drained in ${shown(report.drained_seconds)} s`,
    `the database grew by ${report.bytes_per_webhook.map(shown).join(', then ')} bytes a webhook`,
    '',
    'Medians of the thirds of the run:',
    ...Object.entries(thirds).map(
      ([name, values]) => `  ${name.padEnd(16)} ${values.map(shown).join('  ')}`,
    ),
    '',
    ...[...report.exact, ...report.steady].map(
      ({ name, verdict, detail }) => `${SIGNS[verdict]} ${name}: ${detail}`,
    ),
    '',
    `Verdict: ${report.verdict}`,
  ].join('\n');
}

function listOf(counts: object): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
    .join(', ');
}
