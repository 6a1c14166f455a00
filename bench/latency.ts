import pg from 'pg';
import { machineMs } from './clock.ts';
import { type Options, repetitions } from './options.ts';
import { formatLatency, type Section } from './report.ts';
import { saleAt } from './sales.ts';
import { deliverAtRate, type Service, untilProcessed, warmUp } from './service.ts';
import { percentile } from './statistics.ts';

const RATES = [
  { perSecond: 20, seconds: 30, barP50: 12, barP99: 40 },
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

/** Milliseconds for every event at one rate. */
type Latencies = { credited: number[]; acknowledged: number[] };

/** Part 4: measures the time from sending a webhook to the commit of its payment, at low load. */
export async function measureLatency(service: Service, options: Options): Promise<Section> {
  await warmUp(service, 'latency');
  const observer = await observe(service);
  const found: Latencies[] = RATES.map(() => ({ credited: [], acknowledged: [] }));
  for (const repetition of repetitions(options)) {
    for (const [nth, { perSecond, seconds }] of RATES.entries()) {
      service.testbed.log(`Part 4, repetition ${repetition}, ${perSecond}/s`);
      const events = perSecond * (options.quick ? 3 : seconds);
      const plan = { name: `at${perSecond}-${repetition}`, events };
      const { sentAt, latencies } = await deliverAtRate(service, plan, perSecond);
      await untilProcessed(service.db);
      await observer.catchUp();
      const credited = sentAt.map((sent, index) => {
        const { paymentId } = saleAt(plan, index);
        return (observer.paidAt.get(paymentId) ?? Number.NaN) - sent;
      });
      found[nth]?.credited.push(...credited);
      found[nth]?.acknowledged.push(...latencies);
    }
  }
  await observer.close();
  return sectionOf(found);
}

type Observer = {
  /** When the notification of each payment arrived, by the provider's id. */
  paidAt: ReadonlyMap<string, number>;
  /** Resolves once every payment committed so far has been notified. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

/** Watches which payments are committed, by a trigger of the database that it drops when closed. */
export async function observe({
  databaseUrl,
  testbed,
}: Pick<Service, 'databaseUrl' | 'testbed'>): Promise<Observer> {
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

function sectionOf(found: readonly Latencies[]): Section {
  return {
    title: '4. From sending a webhook until its payment is committed, ms (p50/p99)',
    note: 'All repetitions together; includes the cost of the trigger that notifies the benchmark.',
    columns: ['rate', 'events', 'credited', 'acknowledged'],
    rows: RATES.map(({ perSecond }, nth) => {
      const { credited = [], acknowledged = [] } = found[nth] ?? {};
      return [
        `${perSecond}/s`,
        credited.length.toLocaleString('en-GB'),
        formatLatency(credited),
        formatLatency(acknowledged),
      ];
    }),
    bars: RATES.flatMap((rate, nth) => {
      if (!('barP50' in rate)) return [];
      const credited = found[nth]?.credited ?? [];
      const figure = `webhook to credit at ${rate.perSecond}/s, ms`;
      return [
        { figure: `${figure}, p50`, value: percentile(credited, 50), atMost: rate.barP50 },
        { figure: `${figure}, p99`, value: percentile(credited, 99), atMost: rate.barP99 },
      ];
    }),
  };
}
