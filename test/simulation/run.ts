import { verifyLedger } from '../../db/ledger/verification.ts';
import { describeViolation } from '../../domain/ledger-report.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { createFaults, type Faults } from './faults.ts';
import { generate, policiesOf } from './generate.ts';
import { untilReached } from './perform.ts';
import { type Played, play } from './play.ts';
import { shrink } from './shrink.ts';
import type { History, Step } from './steps.ts';

export type Options = {
  seed: number;
  /** Steps and faults of each history. */
  steps: number;
  faults: number;
  /** How many histories are played, or for how many minutes. */
  histories: number;
  minutes: number | undefined;
  /** How many are played at the same time. */
  concurrency: number;
  /** How many APIs and workers there are. */
  replicas: number;
  shrinks: boolean;
};

export type Defect = {
  seed: number;
  message: string;
  /** The shortest history that still fails; undefined if the ledger as a whole did. */
  history: History | undefined;
};

export type Report = {
  histories: number;
  steps: number;
  faults: Faults['counts'];
  defects: Defect[];
  seconds: number;
};

/** Histories of one block have the same policies, which are settings of the processes. */
const BLOCK = 24;

/** Plays random histories and returns what was found. Failing ones are shrunk. */
export async function run(options: Options, report: (line: string) => void): Promise<Report> {
  const { seed, minutes, histories: most } = options;
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const isOver = (played: number) =>
    minutes === undefined ? played >= most : seconds() >= minutes * 60;
  let policies = policiesOf(seed);
  const deployment = await startDeployment({ ...options, policies, report });
  const faults = createFaults(deployment);
  const result: Report = {
    histories: 0,
    steps: 0,
    faults: faults.counts,
    defects: [],
    seconds: 0,
  };
  try {
    for (let next = 0; !isOver(next); next += BLOCK) {
      const block = seedsFrom(seed + next, minutes === undefined ? most - next : BLOCK);
      const wanted = policiesOf(seed + next);
      if (JSON.stringify(wanted) !== JSON.stringify(policies)) {
        policies = wanted;
        await deployment.changePolicies(policies);
      }
      const played = await inLanes(block, options.concurrency, async (own) => {
        if (minutes !== undefined && isOver(next)) return undefined;
        const history = generate({ ...options, seed: own, policies });
        return { history, played: await play({ deployment, faults }, history) };
      });
      for (const each of played) {
        if (each === undefined) continue;
        result.histories += 1;
        result.steps += each.played.steps;
        const defect = await defectOf({ deployment, faults }, each, options);
        if (defect !== undefined) result.defects.push(defect);
        if (defect !== undefined) report(describeDefect(defect));
      }
      result.defects.push(...(await violations(deployment, seed + next)));
      result.seconds = seconds();
      report(describe(result));
    }
    return result;
  } finally {
    await deployment.close();
  }
}

function seedsFrom(first: number, most: number): number[] {
  return Array.from({ length: Math.min(BLOCK, most) }, (_, nth) => first + nth);
}

/** Works on the items, this many at a time, and returns the results in their order. */
export async function inLanes<T, Result>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [nth, item] of queue) results[nth] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** What is wrong with the whole ledger, all histories together. */
async function violations({ db }: Deployment, seed: number): Promise<Defect[]> {
  const found = await untilReached(async () => (await verifyLedger(db)).violations);
  return found.map((violation) => ({
    seed,
    message: `The ledger is not whole: ${describeViolation(violation)}`,
    history: undefined,
  }));
}

type At = { deployment: Deployment; faults: Faults };

async function defectOf(
  at: At,
  { history, played }: { history: History; played: Played },
  { concurrency, shrinks }: Options,
): Promise<Defect | undefined> {
  const { failure } = played;
  if (failure === undefined) return undefined;
  const reached = history.steps.slice(0, failure.at + 1);
  const { seed } = history;
  if (!shrinks) return { seed, message: failure.message, history: { ...history, steps: reached } };
  return {
    seed,
    ...(await shortest(at, { ...history, steps: reached }, failure.message, concurrency)),
  };
}

/** Shrinks a failing history, and says how the shortest one fails. */
async function shortest(
  at: At,
  history: History,
  first: string,
  lanes: number,
): Promise<{ message: string; history: History }> {
  let message = first;
  const firstFailing = async (candidates: readonly (readonly Step[])[]) => {
    const failing = new Map<number, string>();
    await inLanes([...candidates.entries()], lanes, async ([nth, steps]) => {
      // Only the first that fails counts, so that later ones need not be played.
      if ([...failing.keys()].some((other) => other < nth)) return;
      const { failure } = await play(at, { ...history, steps: [...steps] });
      if (failure?.message.startsWith(kindOf(first))) failing.set(nth, failure.message);
    });
    const nth = Math.min(...failing.keys());
    message = failing.get(nth) ?? message;
    return candidates[nth];
  };
  const quiet = history.steps.filter((step) => step.do !== 'fault' && step.do !== 'wait');
  const start = (await firstFailing([quiet])) ?? history.steps;
  const steps = await shrink(start, firstFailing);
  return { message, history: { ...history, steps: [...steps] } };
}

const kindOf = (message: string) => message.slice(0, message.indexOf(':'));

/** The counts of a run, in a line. */
export function describe({ histories, steps, faults, defects, seconds }: Report): string {
  const caused = Object.entries(faults).map(([fault, count]) => `${count} ${fault}`);
  const rate = (steps / Math.max(1, seconds)).toFixed(1);
  return (
    `${histories} histories, ${steps} steps in ${seconds.toFixed(0)} s (${rate}/s), ` +
    `faults: ${caused.join(', ') || 'none'}; defects: ${defects.length}`
  );
}

/** What was found, with the history that shows it. */
function describeDefect({ seed, message, history }: Defect): string {
  return `Seed ${seed}: ${message}\n${history === undefined ? '' : textOf(history)}`;
}

/** A history as a file holds it: a step a line. */
export function textOf({ seed, policies, steps }: History): string {
  const lines = steps.map((step) => `    ${JSON.stringify(step)}`).join(',\n');
  const head = `  "seed": ${seed},\n  "policies": ${JSON.stringify(policies)},`;
  return `{\n${head}\n  "steps": [\n${lines}\n  ]\n}\n`;
}
