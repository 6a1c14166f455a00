import { randomUUID } from 'node:crypto';
import { ingestEventBatch } from '../activities/ingestion/ingest-events.ts';
import { connect, type Db } from '../db/connection.ts';
import * as webhookEvents from '../db/events/webhook-events.ts';
import { EventId } from '../domain/ids.ts';
import { machineMs } from './clock.ts';
import { ingestOne } from './naive-ingestion.ts';
import { type Options, repetitions } from './options.ts';
import { deadlocksOf } from './population.ts';
import { formatSpread, type Section } from './report.ts';
import { bodyOf, type Plan, saleAt } from './sales.ts';
import { credit } from './settings.ts';
import type { Stage } from './stage.ts';
import { spreadOf } from './statistics.ts';
import { verifyRun } from './verify-run.ts';

const BATCH = 100;
const GROUP = 100;

/** How the events of a measurement are spread over wallets. */
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
  /** How many events each piece of work takes. */
  size: number;
  credit(db: Db, ids: readonly EventId[]): Promise<unknown>;
};

/** Part 2: crediting in SQL alone, without HTTP and without an engine. */
export async function measureCrediting(stage: Stage, options: Options): Promise<Section> {
  const figures = new Map<string, number[]>();
  let deadlocks = 0;
  // What runs first would otherwise pay for having the code compiled.
  for (const variant of variantsOf(options)) {
    await measure(stage, variant, { name: 'warm', events: variant.size * 10 });
  }
  for (const repetition of repetitions(options)) {
    for (const { name, terms } of CASES) {
      stage.tell(`Part 2, repetition ${repetition}, ${name}`);
      for (const variant of variantsOf(options)) {
        const plan = { ...terms, name: 'sql', events: variant.events };
        const done = await measure(stage, variant, plan);
        const key = `${variant.name}, ${name}`;
        figures.set(key, [...(figures.get(key) ?? []), done.perSecond]);
        deadlocks += done.deadlocks;
      }
    }
  }
  return sectionOf(variantsOf(options), figures, deadlocks);
}

function variantsOf({ quick }: Options): [Variant, Variant] {
  return [
    {
      name: `creditBatch, ${BATCH} at a time`,
      connections: 2,
      events: quick ? 2_000 : 20_000,
      size: BATCH,
      credit: (db, ids) => ingestEventBatch(db, ids, new Map(), credit),
    },
    {
      name: 'six statements per event',
      connections: 10,
      events: quick ? 500 : 3_000,
      size: 1,
      credit: (db, ids) => Promise.all(ids.map((id) => ingestOne(db, id))),
    },
  ];
}

/** Every measurement starts on an equal, new database. */
async function measure(stage: Stage, variant: Variant, plan: Plan) {
  const databaseName = 'bench_crediting';
  const db = connect(await stage.database(databaseName), variant.connections, 'loyalty-bench');
  try {
    const waiting = cut(await store(db, plan), variant.size);
    const started = machineMs();
    const work = async () => {
      for (let ids = waiting.shift(); ids !== undefined; ids = waiting.shift()) {
        await variant.credit(db, ids);
      }
    };
    await Promise.all(Array.from({ length: variant.connections }, work));
    const perSecond = (plan.events / (machineMs() - started)) * 1000;
    await verifyRun(db, [plan]);
    return { perSecond, deadlocks: await deadlocksOf(db) };
  } finally {
    await db.destroy();
    await stage.dropDatabase(databaseName);
  }
}

async function store(db: Db, plan: Plan): Promise<EventId[]> {
  const events = Array.from({ length: plan.events }, (_, index): webhookEvents.NewEvent => {
    const sale = saleAt(plan, index);
    return {
      id: EventId.parse(randomUUID()),
      provider: 'alpha',
      merchantId: sale.merchantId,
      eventType: 'payment.updated',
      body: bodyOf(sale),
      correlationId: 'bench',
    };
  });
  for (const group of cut(events, GROUP)) await webhookEvents.insert(db, group);
  await db.raw('checkpoint');
  return events.map((event) => event.id);
}

function cut<T>(items: readonly T[], size: number): T[][] {
  const pieces = Math.ceil(items.length / size);
  return Array.from({ length: pieces }, (_, nth) => items.slice(nth * size, (nth + 1) * size));
}

function sectionOf(
  variants: readonly [Variant, Variant],
  figures: ReadonlyMap<string, number[]>,
  deadlocks: number,
): Section {
  const of = (variant: Variant, name = '') =>
    spreadOf(figures.get(`${variant.name}, ${name}`) ?? []);
  const [batch, single] = variants;
  const [spread, hot] = CASES.map(({ name }) => name);
  return {
    title: '2. Crediting in SQL alone, events/s (min/median/max)',
    note: 'Decision, constraints and ledger (sequence, balance_after, chain) are the same in both.',
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
