import { connect } from '../db/connection.ts';
import { processesOf } from './end-to-end.ts';
import { type Options, repetitions } from './options.ts';
import { measureCpu } from './process-figures.ts';
import { type RedemptionCounts, startRedemptions } from './redemption-work.ts';
import { formatCpu, formatSpread, type Section } from './report.ts';
import type { Plan } from './sales.ts';
import { burst, type Service, untilProcessed, warmUp } from './service.ts';
import { appendTo, ratiosOf, spreadOf, spreadsOf, sumOf } from './statistics.ts';
import { verifyRun } from './verify-run.ts';

type Case = {
  key: 'sales' | 'refunds' | 'mixed' | 'pairs';
  name: string;
  reports: Plan['reports'];
};

type Measurement = RedemptionCounts & {
  eventsPerSecond: number;
  /** Microseconds of processor time per event, in the order of `processesOf`. */
  cpu: number[];
};

const REPETITIONS = 5;
const CASES: readonly Case[] = [
  { key: 'sales', name: 'sales', reports: 'sales' },
  { key: 'refunds', name: '¾ sales, ¼ half refunds', reports: 'refunds' },
  { key: 'mixed', name: 'the same, beside confirms and expiries', reports: 'refunds' },
  { key: 'pairs', name: 'each sale approved, then completed', reports: 'pairs' },
];

/**
 * Part 7: measures bursts that report other things than sales: refunds, while codes are issued and
 * expire in the same wallets, and sales that are approved before they are completed.
 */
export async function measureMixture(service: Service, options: Options): Promise<Section> {
  await warmUp(service, 'mixture');
  const figures = new Map<Case['key'], Measurement[]>();
  for (const repetition of repetitions(options, REPETITIONS)) {
    for (const each of CASES) {
      const { key, name, reports } = each;
      service.testbed.log(`Part 7, repetition ${repetition}, ${name}`);
      const events = options.quick ? 1_000 : 10_000;
      const plan: Plan = { name: `mixture-${key}-${repetition}`, events, reports };
      appendTo(figures, key, await measure(service, plan, key === 'mixed'));
      await verifyRun(service.db, service.plans);
    }
  }
  return sectionOf(service, figures);
}

async function measure(service: Service, plan: Plan, isMixed: boolean): Promise<Measurement> {
  const { databaseUrl, load, api, db, plans } = service;
  plans.push(plan);
  const redeeming = connect(databaseUrl, 2, 'loyalty-bench');
  try {
    const connections = isMixed ? 1 : 0;
    const work = await startRedemptions(redeeming, { everyConsumer: 1, connections, pauseMs: 10 });
    const cpu = measureCpu(processesOf(service).map(([, pid]) => pid));
    const { startedAt } = await burst(load, api.port, plan);
    const processedAt = await untilProcessed(db);
    const eventsPerSecond = (plan.events / (processedAt - startedAt)) * 1000;
    return { eventsPerSecond, cpu: cpu(plan.events), ...(await work.stop()) };
  } finally {
    await redeeming.destroy();
  }
}

function sectionOf(
  service: Service,
  figures: ReadonlyMap<Case['key'], readonly Measurement[]>,
): Section {
  const of = (key: Case['key'], value: (each: Measurement) => number) =>
    (figures.get(key) ?? []).map(value);
  const perSecond = (key: Case['key']) => of(key, (each) => each.eventsPerSecond);
  const cpu = (key: Case['key']) => of(key, ({ cpu: used }) => sumOf(used));
  const ofSales = (key: Case['key']) => spreadOf(ratiosOf(perSecond(key), perSecond('sales')));
  return {
    key: 'mixture',
    figures: spreadsOf(
      new Map(
        CASES.flatMap(({ key }): [string, number[]][] => [
          [`${key}.events_per_second`, perSecond(key)],
          [`${key}.cpu_us`, cpu(key)],
        ]),
      ),
    ),
    title: '7. End to end with other reports than sales, events/s (min/median/max)',
    note:
      'A burst until every event is closed, through Temporal; every measurement is verified. ' +
      'Codes over half a balance are issued and expire in SQL, on wallets of all consumers.',
    columns: [
      'events',
      'events/s',
      '÷ sales alone',
      'CPU µs per event',
      'of which',
      'confirms, expiries',
    ],
    rows: CASES.map(({ key, name }) => {
      const measured = figures.get(key) ?? [];
      return [
        name,
        formatSpread(spreadOf(perSecond(key))),
        formatSpread(ofSales(key)),
        formatSpread(spreadOf(cpu(key))),
        processesOf(service)
          .map(([process], position) => `${process} ${formatCpu(measured, position)}`)
          .join(', '),
        (['confirms', 'expiries'] as const)
          .map((count) => measured.reduce((sum, each) => sum + each[count], 0))
          .join(', '),
      ];
    }),
    bars: [],
  };
}
