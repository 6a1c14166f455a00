import pg from 'pg';
import type { Db } from '../db/connection.ts';
import { machineMs } from './clock.ts';
import { type Options, repetitions } from './options.ts';
import { formatLatency, type Section } from './report.ts';
import { type Plan, saleAt } from './sales.ts';
import { deliverAtRate, type Service, untilProcessed, warmUp } from './service.ts';
import { appendTo, percentile, type Spread, spreadsOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';
import { verifyRun } from './verify-run.ts';
import { startWithoutEngine, type WithoutEngine } from './without-engine.ts';

const REPETITIONS = 5;
const RATES = [
  { perSecond: 20, seconds: 20 },
  { perSecond: 200, seconds: 10 },
] as const;

/** Postgres delivers a notification only once the transaction that sent it is on disk. */
const CHANNEL = 'bench_paid';
const TRIGGER = `
  create function bench_tell_paid() returns trigger language plpgsql as $$ begin
    perform pg_notify('${CHANNEL}', string_agg(provider_payment_id, ',')) from stored;
    return null;
  end $$;
  create trigger bench_tell_paid after insert on payments
    referencing new table as stored for each statement execute function bench_tell_paid()`;
const NO_TRIGGER = 'drop trigger bench_tell_paid on payments; drop function bench_tell_paid()';

type Variant = {
  key: 'temporal' | 'loop';
  name: string;
  db: Db;
  port: number;
  plans: Plan[];
  observer: Observer;
  loop?: WithoutEngine;
};

/** Milliseconds for every event of one repetition at one rate. */
type Latencies = { credited: number[]; acknowledged: number[] };
type Found = ReadonlyMap<string, readonly Latencies[]>;

/**
 * Part 4: measures the time from sending a webhook to the commit of its payment, at low load, with
 * Temporal and with a loop that polls the table.
 */
export async function measureLatency(service: Service, options: Options): Promise<Section> {
  await warmUp(service, 'latency');
  const variants = await variantsOf(service);
  const found = new Map<string, Latencies[]>();
  for (const repetition of repetitions(options, REPETITIONS)) {
    for (const { perSecond, seconds } of RATES) {
      service.testbed.log(`Part 4, repetition ${repetition}, ${perSecond}/s`);
      const events = perSecond * (options.quick ? 3 : seconds);
      const plan = { name: `at${perSecond}-${repetition}`, events };
      for (const variant of variants) {
        const latencies = await measure(service, variant, { plan, perSecond });
        appendTo(found, keyOf(variant, perSecond), latencies);
      }
    }
  }
  for (const { observer, db, plans, loop } of variants) {
    await observer.close();
    await verifyRun(db, plans);
    await loop?.stop();
  }
  return sectionOf(variants, found);
}

const keyOf = ({ key }: Pick<Variant, 'key'>, perSecond: number) => `${key}.${perSecond}`;

async function variantsOf(service: Service): Promise<Variant[]> {
  const { testbed, databaseUrl, db, api, plans } = service;
  const loop = await startWithoutEngine(service, 'latency_loop');
  const [ours, loops] = [
    await observe(testbed, databaseUrl),
    await observe(testbed, loop.databaseUrl),
  ];
  return [
    { key: 'temporal', name: 'through Temporal', db, port: api.port, plans, observer: ours },
    {
      key: 'loop',
      name: 'without Temporal',
      db: loop.db,
      port: loop.api.port,
      plans: loop.plans,
      observer: loops,
      loop,
    },
  ];
}

async function measure(
  { load }: Service,
  { loop, db, port, plans, observer }: Variant,
  { plan, perSecond }: { plan: Plan; perSecond: number },
): Promise<Latencies> {
  plans.push(plan);
  loop?.start();
  const { sentAt, latencies } = await deliverAtRate(load, port, { plan, perSecond });
  await untilProcessed(db);
  loop?.pause();
  await observer.catchUp();
  return { credited: latenciesOf(observer, plan, sentAt), acknowledged: latencies };
}

/** Milliseconds from sending each event of the plan until the observer was told of its payment. */
export function latenciesOf(
  { paidAt }: Pick<Observer, 'paidAt'>,
  plan: Plan,
  sentAt: readonly number[],
): number[] {
  return sentAt.map((sent, index) => {
    const { paymentId } = saleAt(plan, index);
    return (paidAt.get(paymentId) ?? Number.NaN) - sent;
  });
}

type Observer = {
  /** When the notification of each payment arrived, by the provider's id. */
  paidAt: ReadonlyMap<string, number>;
  /** Resolves once every payment committed so far has been notified. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

/** Watches which payments are committed, by a trigger that it drops when it is closed. */
export async function observe(testbed: Testbed, databaseUrl: string): Promise<Observer> {
  const paidAt = new Map<string, number>();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  client.on('notification', ({ payload = '' }) => {
    const now = machineMs();
    for (const id of payload.split(',')) paidAt.set(id, now);
  });
  client.on('error', (error) => testbed.fail(error));
  await client.query(TRIGGER);
  await client.query(`listen ${CHANNEL}`);
  return {
    paidAt,
    // Notifications committed before a statement arrive before the statement's own result.
    catchUp: async () => void (await client.query('select 1')),
    async close() {
      await client.query(NO_TRIGGER);
      await client.end();
    },
  };
}

function sectionOf(variants: readonly Variant[], found: Found): Section {
  const of = (key: string) => found.get(key) ?? [];
  return {
    key: 'latency',
    figures: figuresOf(found),
    title: '4. From sending a webhook until its payment is committed, ms (p50/p99)',
    note:
      'All repetitions together; includes the cost of the trigger that notifies the benchmark. ' +
      'The loop looks for events every 2 ms.',
    columns: ['rate', 'variant', 'events', 'credited', 'acknowledged'],
    rows: RATES.flatMap(({ perSecond }) =>
      variants.map((variant) => {
        const measured = of(keyOf(variant, perSecond));
        const credited = measured.flatMap((each) => each.credited);
        return [
          `${perSecond}/s`,
          variant.name,
          credited.length.toLocaleString('en-GB'),
          formatLatency(credited),
          formatLatency(measured.flatMap((each) => each.acknowledged)),
        ];
      }),
    ),
    bars: [],
  };
}

const percentiles = (measured: readonly Latencies[], percent: number) =>
  measured.map(({ credited }) => percentile(credited, percent));

function figuresOf(found: Found): Readonly<Record<string, Spread>> {
  const lists = [...found].flatMap(([key, measured]): [string, number[]][] => [
    [`${key}.p50_ms`, percentiles(measured, 50)],
    [`${key}.p99_ms`, percentiles(measured, 99)],
  ]);
  return spreadsOf(new Map(lists));
}
