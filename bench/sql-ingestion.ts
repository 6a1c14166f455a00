import { ingestEventBatch } from '../activities/ingestion/events/ingest-events.ts';
import { connect, type Db } from '../db/connection.ts';
import * as webhookEvents from '../db/events/webhook-events.ts';
import { newId } from '../db/new-id.ts';
import { EventId } from '../domain/ids.ts';
import { machineMs } from './clock.ts';
import { type MixedWork, runMixedWork } from './mixed-work.ts';
import { ingestOne } from './naive-ingestion.ts';
import { type Options, repetitions } from './options.ts';
import { deadlocksOf } from './population.ts';
import { formatSpread, ratioBar, type Section } from './report.ts';
import { bodyOf, type Plan, type Sale, saleAt } from './sales.ts';
import { ingestPolicy } from './settings.ts';
import { appendTo, spreadOf, spreadsOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';
import { verifyRun } from './verify-run.ts';

const BATCH = 100;
const INSERT_GROUP = 100;

const REPETITIONS = 5;
const BAR = 24;

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

type Variant = {
  key: 'batches' | 'six_statements';
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
  for (const repetition of repetitions(options, REPETITIONS)) {
    for (const { key, name, terms } of CASES) {
      testbed.log(`Part 2, repetition ${repetition}, ${name}`);
      for (const variant of variantsOf(options)) {
        // It ends with the first report of a payment, and knows no other.
        if (variant.key === 'six_statements' && key === 'pairs') continue;
        const plan = { ...terms, name: 'sql', events: variant.events };
        const measured = await measure(testbed, variant, plan);
        appendTo(figures, figureKey(variant, key), measured.perSecond);
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
      key: 'batches',
      name: `batches of ${BATCH}`,
      connections: 2,
      events: quick ? 2_000 : 20_000,
      size: BATCH,
      ingest: (db, ids) => ingestEventBatch(db, ids, new Map(), ingestPolicy),
    },
    {
      key: 'six_statements',
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

const figureKey = (variant: Pick<Variant, 'key'>, ofCase: Case['key']) =>
  `${variant.key}.${ofCase}.events_per_second`;

function sectionOf(
  variants: readonly [Variant, Variant],
  figures: ReadonlyMap<string, number[]>,
  { refunds, confirms, expiries, deadlocks }: MixedWork,
): Section {
  const of = (variant: Variant, ofCase: Case['key']) =>
    figures.get(figureKey(variant, ofCase)) ?? [];
  const [batch, single] = variants;
  return {
    key: 'sql_ingestion',
    figures: spreadsOf(figures),
    title: '2. Ingestion in SQL alone, events/s (min/median/max)',
    note:
      'Both use the same decision, constraints and ledger (sequence, balance_after, chain). The ' +
      `deadlocks include a run of batches among ${refunds} refunds, ${confirms} confirms and ` +
      `${expiries} expiries on 100 wallets.`,
    columns: ['variant', 'connections', ...CASES.map(({ name }) => name)],
    rows: variants.map((variant) => [
      variant.name,
      variant.connections,
      ...CASES.map(({ key }) => {
        const values = of(variant, key);
        return values.length === 0 ? '–' : formatSpread(spreadOf(values));
      }),
    ]),
    bars: [
      ratioBar(
        'batches ÷ six statements, spread wallets',
        [of(batch, 'spread'), of(single, 'spread')],
        { atLeast: BAR },
      ),
      ratioBar('hot wallet ÷ spread wallets, batches', [of(batch, 'hot'), of(batch, 'spread')], {
        atLeast: 0.7,
      }),
      { figure: 'deadlocks', value: deadlocks, atMost: 0 },
    ],
  };
}
