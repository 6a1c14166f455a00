import { ingestEventBatch } from '../activities/ingestion/ingest-events.ts';
import { connect, type Db } from '../db/connection.ts';
import * as webhookEvents from '../db/events/webhook-events.ts';
import { newId } from '../db/new-id.ts';
import { EventId } from '../domain/ids.ts';
import { machineMs } from './clock.ts';
import { type MixedWork, runMixedWork } from './mixed-work.ts';
import { ingestOne } from './naive-ingestion.ts';
import { type Options, repetitions } from './options.ts';
import { deadlocksOf } from './population.ts';
import { formatSpread, type Section } from './report.ts';
import { bodyOf, type Plan, type Sale, saleAt } from './sales.ts';
import { ingestPolicy } from './settings.ts';
import { appendTo, spreadOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';
import { verifyRun } from './verify-run.ts';

const BATCH = 100;
const INSERT_GROUP = 100;

/** How the events of a measurement are distributed over wallets. */
type Case = { name: string; terms: Pick<Plan, 'buyers' | 'duplicates'> };

const CASES: readonly Case[] = [
  { name: '10,000 wallets, 100 tenants', terms: { buyers: 'spread' } },
  { name: 'one hot wallet', terms: { buyers: 'hot' } },
  { name: '10 % duplicates', terms: { buyers: 'spread', duplicates: true } },
];

type Variant = {
  name: string;
  connections: number;
  events: number;
  /** Events per call of `ingest`. */
  size: number;
  ingest(db: Db, ids: readonly EventId[]): Promise<unknown>;
};

/** Part 2: measures ingestion in SQL alone, without HTTP and without Temporal. */
export async function measureSqlIngestion(testbed: Testbed, options: Options): Promise<Section> {
  const figures = new Map<string, number[]>();
  let deadlocks = 0;
  // The first variant would otherwise pay for the compilation of the code.
  for (const variant of variantsOf(options)) {
    await measure(testbed, variant, { name: 'warm', events: variant.size * 10 });
  }
  for (const repetition of repetitions(options)) {
    for (const { name, terms } of CASES) {
      testbed.log(`Part 2, repetition ${repetition}, ${name}`);
      for (const variant of variantsOf(options)) {
        const plan = { ...terms, name: 'sql', events: variant.events };
        const measured = await measure(testbed, variant, plan);
        appendTo(figures, `${variant.name}, ${name}`, measured.perSecond);
        deadlocks += measured.deadlocks;
      }
    }
  }
  testbed.log('Part 2, batches among refunds, confirms and expiries');
  const mixed = await runMixedWork(testbed, options, { store: storeEvents, batch: BATCH });
  deadlocks += mixed.deadlocks;
  return sectionOf(variantsOf(options), figures, { ...mixed, deadlocks });
}

function variantsOf({ quick }: Options): [Variant, Variant] {
  return [
    {
      name: `batches of ${BATCH}`,
      connections: 2,
      events: quick ? 2_000 : 20_000,
      size: BATCH,
      ingest: (db, ids) => ingestEventBatch(db, ids, new Map(), ingestPolicy),
    },
    {
      name: 'six statements per event',
      connections: 10,
      events: quick ? 500 : 3_000,
      size: 1,
      ingest: (db, ids) => Promise.all(ids.map((id) => ingestOne(db, id))),
    },
  ];
}

/** Measures one variant on a new database, so that all measurements start from the same state. */
async function measure(testbed: Testbed, variant: Variant, plan: Plan) {
  const databaseName = 'bench_crediting';
  const db = connect(await testbed.database(databaseName), variant.connections, 'loyalty-bench');
  try {
    const sales = Array.from({ length: plan.events }, (_, index) => saleAt(plan, index));
    const waiting = chunk(await storeEvents(db, sales), variant.size);
    const started = machineMs();
    const work = async () => {
      for (let ids = waiting.shift(); ids !== undefined; ids = waiting.shift()) {
        await variant.ingest(db, ids);
      }
    };
    await Promise.all(Array.from({ length: variant.connections }, work));
    const perSecond = (plan.events / (machineMs() - started)) * 1000;
    await verifyRun(db, [plan]);
    return { perSecond, deadlocks: await deadlocksOf(db) };
  } finally {
    await db.destroy();
    await testbed.dropDatabase(databaseName);
  }
}

/** Stores the events of the sales, as the API does, and returns their ids in that order. */
export async function storeEvents(db: Db, sales: readonly Sale[]): Promise<EventId[]> {
  const events = sales.map(
    (sale): webhookEvents.NewEvent => ({
      id: EventId.parse(newId()),
      provider: 'alpha',
      merchantId: sale.merchantId,
      eventType: 'payment.updated',
      body: bodyOf(sale),
      correlationId: 'bench',
    }),
  );
  for (const group of chunk(events, INSERT_GROUP)) await webhookEvents.insert(db, group);
  await db.raw('checkpoint');
  return events.map((event) => event.id);
}

/** Splits the items into groups of `size`, the last of which may be smaller. */
export function chunk<T>(items: readonly T[], size: number): T[][] {
  const chunks = Math.ceil(items.length / size);
  return Array.from({ length: chunks }, (_, nth) => items.slice(nth * size, (nth + 1) * size));
}

function sectionOf(
  variants: readonly [Variant, Variant],
  figures: ReadonlyMap<string, number[]>,
  { refunds, confirms, expiries, deadlocks }: MixedWork,
): Section {
  const of = (variant: Variant, name = '') =>
    spreadOf(figures.get(`${variant.name}, ${name}`) ?? []);
  const [batch, single] = variants;
  const [spread, hot] = CASES.map(({ name }) => name);
  return {
    title: '2. Ingestion in SQL alone, events/s (min/median/max)',
    note:
      'Both use the same decision, constraints and ledger (sequence, balance_after, chain). The ' +
      `deadlocks include a run of batches among ${refunds} refunds, ${confirms} confirms and ` +
      `${expiries} expiries on 100 wallets.`,
    columns: ['variant', 'connections', ...CASES.map(({ name }) => name)],
    rows: variants.map((variant) => [
      variant.name,
      variant.connections,
      ...CASES.map(({ name }) => formatSpread(of(variant, name))),
    ]),
    bars: [
      {
        figure: 'batches ÷ six statements, spread wallets',
        value: of(batch, spread).median / of(single, spread).median,
        atLeast: 12,
      },
      {
        figure: 'hot wallet ÷ spread wallets, batches',
        value: of(batch, hot).median / of(batch, spread).median,
        atLeast: 0.7,
      },
      { figure: 'deadlocks', value: deadlocks, atMost: 0 },
    ],
  };
}
