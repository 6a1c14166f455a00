import { lineOf } from '../../db/errors.ts';
import { verifyLedger } from '../../db/ledger/verification/whole.ts';
import { describeViolation } from '../../domain/ledger-report.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { createFaults, type Faults } from './faults.ts';
import { generate, policiesOf } from './generate.ts';
import { createLeakSearch, type LeakSearch } from './leaks.ts';
import { type Failure, play } from './play.ts';
import {
  countSteps,
  type Defect,
  describe,
  describeDefect,
  emptyReport,
  measure,
  type Report,
} from './report.ts';
import { shrink } from './shrink.ts';
import type { History, Policies, Step } from './steps.ts';
import { untilReached } from './until-reached.ts';

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

/** Histories of one block have the same policies, which are settings of the processes. */
const BLOCK = 24;
/**
 * So many blocks share a deployment. Then everything is started anew: the simulated providers keep
 * all sales in this process, and Temporal and Postgres all that ever happened.
 */
const BLOCKS_OF_A_DEPLOYMENT = 10;

type Run = {
  options: Options;
  result: Report;
  say: (line: string) => void;
  /** The next seed, and whether it is not to be played any more. */
  next: number;
  isOver(): boolean;
  seconds(): number;
};

/**
 * Plays random histories and returns what was found. Failing ones are shrunk. What ends a
 * deployment is a defect, too, and the run goes on in the next one.
 */
export async function run(options: Options, say: (line: string) => void): Promise<Report> {
  const { seed, histories, minutes } = options;
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const running: Run = {
    options,
    say,
    seconds,
    result: emptyReport(),
    next: seed,
    isOver: () =>
      minutes === undefined ? running.next >= seed + histories : seconds() >= minutes * 60,
  };
  while (!running.isOver()) {
    const before = running.next;
    try {
      await playDeployment(running);
    } catch (error) {
      const message = `The deployment has ended: ${lineOf(error)}`;
      add(running, { kind: 'Error', seed: running.next, message, history: undefined });
      if (running.next === before) break;
    }
  }
  return running.result;
}

/** Plays some blocks of histories in a new deployment. */
async function playDeployment(running: Run): Promise<void> {
  const { options, result, say, seconds } = running;
  const policies = policiesOf(running.next);
  const deployment = await startDeployment({ ...options, policies, report: say });
  try {
    const faults = createFaults(deployment, result.faults);
    const leaks = createLeakSearch(deployment);
    const at = { deployment, faults, leaks, policies };
    for (let block = 0; block < BLOCKS_OF_A_DEPLOYMENT && !running.isOver(); block++) {
      await playBlock(running, at);
      running.next += BLOCK;
      measure(result, seconds());
      say(describe(result));
    }
  } finally {
    await deployment.close();
  }
}

function add({ result, say }: Run, defect: Defect): void {
  result.defects.push(defect);
  say(describeDefect(defect));
}

type At = { deployment: Deployment; faults: Faults; leaks: LeakSearch; policies: Policies };

/** Plays the next histories, and looks at what they leave behind. */
async function playBlock(running: Run, at: At): Promise<void> {
  const { options, result, say, next: first } = running;
  const { seed, minutes, histories, concurrency } = options;
  const wanted = policiesOf(first);
  if (JSON.stringify(wanted) !== JSON.stringify(at.policies)) {
    at.policies = wanted;
    await at.deployment.changePolicies(wanted);
  }
  const most = minutes === undefined ? histories - (first - seed) : BLOCK;
  const seeds = Array.from({ length: Math.min(BLOCK, most) }, (_, nth) => first + nth);
  const played = await inLanes(seeds, concurrency, async (own) => {
    if (minutes !== undefined && running.isOver()) return undefined;
    const history = generate({ ...options, seed: own, policies: wanted });
    const played = await play(at, history);
    const { failure } = played;
    if (failure !== undefined) say(`Seed ${own} fails at step ${failure.at}: ${failure.message}`);
    return { history, played };
  });
  for (const each of played) {
    if (each === undefined) continue;
    result.histories += 1;
    result.steps += each.played.steps;
    countSteps(result, each.history.steps.slice(0, each.played.steps));
    const { failure } = each.played;
    if (failure === undefined) continue;
    add(running, await defectOf(at, each.history, { failure, options }));
  }
  await Promise.all(
    played.map(async (each) => {
      await each?.played.expectOwnersTold?.().catch((error: unknown) => {
        const { seed: own } = each.history;
        const message = lineOf(error);
        add(running, { kind: 'Contradiction', seed: own, message, history: undefined });
      });
    }),
  );
  for (const violation of await violations(at.deployment)) {
    add(running, { kind: 'Ledger', seed: first, message: violation, history: undefined });
  }
  const { leaks, values, characters } = await at.leaks.search();
  result.leakScan.values += values;
  result.leakScan.characters += characters;
  for (const { kind, output, encoding, around } of leaks) {
    const message = `${kind} in ${output} (${encoding}): ${around}`;
    add(running, { kind: 'Leak', seed: first, message, history: undefined });
  }
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
async function violations({ db }: Deployment): Promise<string[]> {
  const found = await untilReached(async () => (await verifyLedger(db)).violations);
  return found.map(describeViolation);
}

/** The defect that a history has shown; shrunk, if that is wanted. */
async function defectOf(
  at: At,
  history: History,
  { failure, options: { concurrency, shrinks } }: { failure: Failure; options: Options },
): Promise<Defect> {
  const reached = { ...history, steps: history.steps.slice(0, failure.at + 1) };
  const { seed } = history;
  const { kind, message } = failure;
  if (!shrinks) return { kind, seed, message, history: reached };
  // A clock that is still wrong would not be part of the history.
  const { apis, workers, providerClock } = at.deployment;
  for (const each of [...apis, ...workers]) await each.moveClock(0);
  providerClock.move(0);
  return { kind, seed, ...(await shortest(at, reached, failure, concurrency)) };
}

/** Shrinks a failing history, and says how the shortest one fails. */
async function shortest(
  at: At,
  history: History,
  first: Failure,
  lanes: number,
): Promise<{ message: string; history: History }> {
  let { message } = first;
  const firstFailing = async (candidates: readonly (readonly Step[])[]) => {
    const failing = new Map<number, string>();
    await inLanes([...candidates.entries()], lanes, async ([nth, steps]) => {
      // Only the first that fails counts, so that later ones need not be played.
      if ([...failing.keys()].some((other) => other < nth)) return;
      const { failure } = await play(at, { ...history, steps: [...steps] });
      if (failure?.kind === first.kind) failing.set(nth, failure.message);
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
