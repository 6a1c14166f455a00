import { ingestEventBatch } from '../activities/ingestion/events/ingest-events.ts';
import { connect, type Db } from '../db/connection.ts';
import * as webhookEvents from '../db/events/webhook-events.ts';
import { newId } from '../db/new-id.ts';
import { EventId } from '../domain/ids.ts';
import { machineMs } from './clock.ts';
import { type MixedWork, runMixedWork } from './mixed-work.ts';
import { type Options, repetitions } from './options.ts';
import { deadlocksOf } from './population.ts';
import { measureCpu } from './process-figures.ts';
import { formatSpread, ratioBar, type Section } from './report.ts';
import { bodyOf, type Plan, type Sale, saleAt } from './sales.ts';
import { ingestPolicy } from './settings.ts';
import { appendTo, spreadOf, spreadsOf, sumOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';
import { verifyRun } from './verify-run.ts';

/** As many as the service takes at once. */
const BATCH = 500;
const CONNECTIONS = 2;
const INSERT_GROUP = 100;

const REPETITIONS = 5;
/** One wallet is credited by one connection at a time. */
const BAR_OF_HOT = 0.7;

/** How the events of a measurement are distributed over wallets, and what they report. */
type Case = {
  key: 'spread' | 'hot' | 'duplicates' | 'pairs';
  name: string;
  terms: Pick<Plan, 'buyers' | 'duplicates' | 'reports'>;
};

const CASES: readonly Case[] = [
  { key: 'spread', name: '10,000 wallets, 100 tenants', terms: { buyers: 'spread' } },
  { key: 'hot', name: 'one hot wallet', terms: { buyers: 'hot' } },
  { key: 'duplicates', name: '10 % duplicates', terms: { buyers: 'spread', duplicates: true } },
  { key: 'pairs', name: 'approved, then completed', terms: { reports: 'pairs' } },
];

/** `cpu`: microseconds of processor time per event, of Node and of Postgres together. */
type Measurement = { perSecond: number; cpu: number; deadlocks: number };

/** Part 2: measures ingestion in SQL alone, without HTTP and without Temporal. */
export async function measureSqlIngestion(testbed: Testbed, options: Options): Promise<Section> {
  const measured = new Map<Case['key'], Measurement[]>();
  const events = options.quick ? 2_000 : 20_000;
  // The first one would otherwise pay for the compilation of the code.
  await measure(testbed, { name: 'warm', events: BATCH * 10 });
  for (const repetition of repetitions(options, REPETITIONS)) {
    for (const { key, name, terms } of CASES) {
      testbed.log(`Part 2, repetition ${repetition}, ${name}`);
      appendTo(measured, key, await measure(testbed, { ...terms, name: 'sql', events }));
    }
  }
  testbed.log('Part 2, batches among refunds, confirms and expiries');
  const mixed = await runMixedWork(testbed, options, { store: storeEvents, batch: BATCH });
  return sectionOf(measured, mixed);
}

/** Measures on a new database, so that all measurements start from the same state. */
async function measure(testbed: Testbed, plan: Plan): Promise<Measurement> {
  const databaseName = 'bench_crediting';
  const db = connect(await testbed.database(databaseName), CONNECTIONS, 'loyalty-bench');
  try {
    const sales = Array.from({ length: plan.events }, (_, index) => saleAt(plan, index));
    const waiting = chunk(await storeEvents(db, sales), BATCH);
    const [own, postgres] = [process.cpuUsage(), measureCpu([testbed.postgresPid])];
    const started = machineMs();
    const work = async () => {
      for (let ids = waiting.shift(); ids !== undefined; ids = waiting.shift()) {
        await ingestEventBatch(db, ids, new Map(), ingestPolicy);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    const perSecond = (plan.events / (machineMs() - started)) * 1000;
    const { user, system } = process.cpuUsage(own);
    const cpu = (user + system) / plan.events + sumOf(postgres(plan.events));
    await verifyRun(db, [plan]);
    return { perSecond, cpu, deadlocks: await deadlocksOf(db) };
  } finally {
    await db.destroy();
    await testbed.dropDatabase(databaseName);
  }
}

/** Stores the events of the sales, as the API does, and returns their ids in that order. */
export async function storeEvents(db: Db, sales: readonly Sale[]): Promise<EventId[]> {
  const events = sales.map(eventOf);
  for (const group of chunk(events, INSERT_GROUP)) await webhookEvents.insert(db, group);
  await db.raw('checkpoint');
  return events.map((event) => event.id);
}

/** Builds the event that reports the sale, as the API stores it, with an id of its own. */
export function eventOf(sale: Sale): webhookEvents.NewEvent {
  return {
    id: EventId.parse(newId()),
    provider: 'alpha',
    merchantId: sale.merchantId,
    eventType: 'payment.updated',
    body: bodyOf(sale),
    correlationId: 'bench',
  };
}

/** Splits the items into groups of `size`, the last of which may be smaller. */
export function chunk<T>(items: readonly T[], size: number): T[][] {
  const chunks = Math.ceil(items.length / size);
  return Array.from({ length: chunks }, (_, nth) => items.slice(nth * size, (nth + 1) * size));
}

function sectionOf(
  measured: ReadonlyMap<Case['key'], readonly Measurement[]>,
  { refunds, confirms, expiries, deadlocks }: MixedWork,
): Section {
  const perSecond = (key: Case['key']) => (measured.get(key) ?? []).map((each) => each.perSecond);
  const cpu = (key: Case['key']) => (measured.get(key) ?? []).map((each) => each.cpu);
  const all = [...measured.values()].flat();
  return {
    key: 'sql_ingestion',
    figures: spreadsOf(
      new Map(
        CASES.flatMap(({ key }): [string, number[]][] => [
          [`${key}.events_per_second`, perSecond(key)],
          [`${key}.cpu_us`, cpu(key)],
        ]),
      ),
    ),
    title: '2. Ingestion in SQL alone (min/median/max)',
    note:
      `Batches of ${BATCH} over ${CONNECTIONS} connections. The deadlocks include a run among ` +
      `${refunds} refunds, ${confirms} confirms and ${expiries} expiries on 100 wallets.`,
    columns: ['sales', 'events/s', 'CPU µs per event'],
    rows: CASES.map(({ key, name }) => [
      name,
      formatSpread(spreadOf(perSecond(key))),
      formatSpread(spreadOf(cpu(key))),
    ]),
    bars: [
      ratioBar('hot wallet ÷ spread wallets', [perSecond('hot'), perSecond('spread')], {
        atLeast: BAR_OF_HOT,
      }),
      {
        figure: 'deadlocks',
        value: sumOf([deadlocks, ...all.map((each) => each.deadlocks)]),
        atMost: 0,
      },
    ],
  };
}
