import { setTimeout as sleep } from 'node:timers/promises';
import { observe } from '../latency.ts';
import type { LoadGenerator } from '../load.ts';
import { type Options, repetitions } from '../options.ts';
import { measureCpu } from '../process-figures.ts';
import { type Plan, saleAt } from '../sales.ts';
import { burst, deliverAtRate, untilProcessed } from '../service.ts';
import { appendTo, percentile } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import { verifyRun } from '../verify-run.ts';
import type { Contender, Running } from './contenders.ts';
import type { FigureName, Part } from './figures.ts';

/** What was measured of a contender: each figure in the order of the repetitions. */
export type Measured = { contender: Contender; values: Map<FigureName, number[]> };

const REPETITIONS = 5;
const LARGE = { warm: 10_000, events: 20_000 };
/** Events of a burst. With a job for each it takes several times as long, and so has fewer. */
const BURSTS = {
  ours: LARGE,
  loop: LARGE,
  flush: LARGE,
  event: { warm: 3_000, events: 5_000 },
} satisfies Record<Contender['kind'], { warm: number; events: number }>;
const PER_SECOND = 20;
/** The bookkeeping of the last jobs must not be charged to what is measured next. */
const SETTLE_MS = 300;

/**
 * Measures the contenders in turn, in each repetition all of them, and verifies everything that
 * each has credited. Only the one that is measured runs, so that none polls beside another.
 */
export async function measureContenders(
  testbed: Testbed,
  load: LoadGenerator,
  contenders: readonly Contender[],
  { quick }: Pick<Options, 'quick'>,
): Promise<Measured[]> {
  const measured = contenders.map((contender): Measured => ({ contender, values: new Map() }));
  for (const repetition of repetitions({ quick }, REPETITIONS)) {
    for (const { contender, values } of measured) {
      const { engine, kind, db, plans } = contender;
      testbed.log(`Repetition ${repetition}: ${contender.name}, ${kind}`);
      const running = await contender.start(`${engine}-${kind}-${repetition}`);
      const turn: Turn = { testbed, load, contender, running, name: `r${repetition}` };
      for (const [name, value] of await runTurn(turn, quick)) appendTo(values, name, value);
      await running.stop();
      await verifyRun(db, plans);
    }
  }
  return measured;
}

type Turn = {
  testbed: Testbed;
  load: LoadGenerator;
  contender: Contender;
  running: Running;
  /** Part of the names of its payments. */
  name: string;
};

async function runTurn(turn: Turn, quick: boolean): Promise<Array<[FigureName, number]>> {
  const { name } = turn;
  const { warm, events } = quick ? { warm: 1_000, events: 1_000 } : BURSTS[turn.contender.kind];
  // The processes are new, so their code must be compiled before it is measured.
  await measureBurst(turn, { name: `${name}-warm`, events: warm });
  const spread = await measureBurst(turn, { name: `${name}-spread`, events });
  const one = await measureBurst(turn, { name: `${name}-one`, events, buyers: 'one-tenant' });
  const slow = { name: `${name}-slow`, events: PER_SECOND * (quick ? 3 : 15) };
  const latencies = await measureLatencies(turn, slow);
  return [
    ['credited-spread', spread.perSecond],
    ['credited-one-tenant', one.perSecond],
    ['latency-p50', percentile(latencies, 50)],
    ['latency-p99', percentile(latencies, 99)],
    ...spread.cpu.map(([part, value]): [FigureName, number] => [`cpu-${part}`, value]),
  ];
}

/** How fast a burst was credited, and the processor time of each part per event. */
type Burst = { perSecond: number; cpu: Array<[Part, number]> };

async function measureBurst({ load, contender, running }: Turn, plan: Plan): Promise<Burst> {
  contender.plans.push(plan);
  await contender.db.raw('checkpoint');
  await sleep(SETTLE_MS);
  const cpu = measureCpu(running.processes.map(([, pid]) => pid));
  const { startedAt } = await burst(load, running.port, plan);
  const creditedAt = await untilProcessed(contender.db);
  const used = cpu(plan.events);
  return {
    perSecond: (plan.events / (creditedAt - startedAt)) * 1000,
    cpu: running.processes.map(([part], nth) => [part, used[nth] ?? Number.NaN]),
  };
}

/** Returns the milliseconds from sending each webhook to the commit of its payment. */
async function measureLatencies(turn: Turn, plan: Plan): Promise<number[]> {
  const { testbed, load, contender, running } = turn;
  contender.plans.push(plan);
  const observer = await observe(testbed, contender.databaseUrl);
  const { sentAt } = await deliverAtRate(load, running.port, { plan, perSecond: PER_SECOND });
  await untilProcessed(contender.db);
  await observer.catchUp();
  await observer.close();
  return sentAt.map((sent, index) => {
    const paidAt = observer.paidAt.get(saleAt(plan, index).paymentId);
    return (paidAt ?? Number.NaN) - sent;
  });
}
