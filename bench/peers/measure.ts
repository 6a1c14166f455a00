import { setTimeout as sleep } from 'node:timers/promises';
import { observe } from '../latency.ts';
import type { LoadGenerator } from '../load.ts';
import { type Options, repetitions } from '../options.ts';
import { measureCpu } from '../process-figures.ts';
import { type Plan, saleAt } from '../sales.ts';
import { burst, untilProcessed } from '../service.ts';
import { appendTo } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import { verifyRun } from '../verify-run.ts';
import type { Contender, Part, Running } from './contenders.ts';

export const BUYERS = ['spread', 'one-tenant'] as const;
export type Buyers = (typeof BUYERS)[number];

/** One burst: how fast it was processed, and the processor time of each part per event. */
export type Burst = { creditedPerSecond: number; cpuMicroseconds: Map<Part, number> };

/** All that was measured of a contender, repetition by repetition. */
export type Measured = {
  contender: Contender;
  bursts: Map<Buyers, Burst[]>;
  /** Milliseconds from sending each webhook to the commit of its payment, at a low rate. */
  latencies: number[];
};

const WARM_UP_EVENTS = 1_000;
const CONNECTIONS = 64;
export const PER_SECOND = 20;
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
  options: Pick<Options, 'quick'>,
): Promise<Measured[]> {
  const measured = contenders.map(
    (contender): Measured => ({ contender, bursts: new Map(), latencies: [] }),
  );
  for (const repetition of repetitions(options)) {
    for (const each of measured) {
      const { contender } = each;
      const label = `${contender.name}, ${contender.kind}`;
      testbed.log(`Repetition ${repetition}: ${label}`);
      const running = await contender.start(`${label.replace(/[^\w]+/g, '-')}-${repetition}`);
      const turn: Turn = { testbed, load, contender, running, name: `r${repetition}` };
      await runTurn(turn, each, options);
      await running.stop();
      await verifyRun(contender.db, contender.plans);
    }
  }
  return measured;
}

type Turn = {
  testbed: Testbed;
  load: LoadGenerator;
  contender: Contender;
  running: Running;
  name: string;
};

async function runTurn(
  turn: Turn,
  { bursts, latencies }: Measured,
  { quick }: Pick<Options, 'quick'>,
): Promise<void> {
  const events = quick ? 1_000 : 5_000;
  await measureBurst(turn, { name: `${turn.name}-warm`, events: WARM_UP_EVENTS });
  for (const buyers of BUYERS) {
    const plan = { name: `${turn.name}-${buyers}`, events, buyers };
    appendTo(bursts, buyers, await measureBurst(turn, plan));
  }
  latencies.push(...(await measureLatencies(turn, PER_SECOND * (quick ? 3 : 10))));
}

async function measureBurst(turn: Turn, plan: Plan): Promise<Burst> {
  const { load, contender, running } = turn;
  contender.plans.push(plan);
  await contender.db.raw('checkpoint');
  await sleep(SETTLE_MS);
  const cpu = measureCpu(running.processes.map(([, pid]) => pid));
  const { startedAt } = await burst(load, running.port, plan);
  const creditedAt = await untilProcessed(contender.db);
  const used = cpu(plan.events);
  return {
    creditedPerSecond: (plan.events / (creditedAt - startedAt)) * 1000,
    cpuMicroseconds: new Map(
      running.processes.map(([part], position) => [part, used[position] ?? Number.NaN]),
    ),
  };
}

async function measureLatencies(turn: Turn, events: number): Promise<number[]> {
  const { testbed, load, contender, running } = turn;
  const plan = { name: `${turn.name}-slow`, events };
  contender.plans.push(plan);
  const observer = await observe({ testbed, databaseUrl: contender.databaseUrl });
  const { sentAt } = await load.deliver({
    port: running.port,
    plan,
    connections: CONNECTIONS,
    pace: { kind: 'rate', perSecond: PER_SECOND },
  });
  await untilProcessed(contender.db);
  await observer.catchUp();
  await observer.close();
  return sentAt.map((sent, index) => {
    const paidAt = observer.paidAt.get(saleAt(plan, index).paymentId);
    return (paidAt ?? Number.NaN) - sent;
  });
}
