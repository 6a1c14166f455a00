import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/connection.ts';
import { machineMs } from './clock.ts';
import { startDeployment } from './confirm-deployment.ts';
import { startConfirmLoadGenerator } from './confirm-load.ts';
import { processesOf } from './end-to-end.ts';
import { latenciesOf, observe } from './latency.ts';
import { measureCpu, measureWakeUps } from './process-figures.ts';
import type { Setting } from './programs.ts';
import { admitAll, delayed, startProvider } from './provider.ts';
import type { Plan } from './sales.ts';
import { burst, deliverAtRate, startService, stopService, untilProcessed } from './service.ts';
import { SHIPPED } from './settings.ts';
import { sumOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';
import { verifyRun } from './verify-run.ts';

/** A service that runs and is asked for units of work. */
export type Running = {
  /** Those of the API, the worker, Temporal and Postgres. */
  pids: readonly number[];
  /** Does one turn of work, with all that follows from it; says how much, and until it was done. */
  work(turn: string): Promise<Worked>;
  /** Throws unless what was worked is exact. */
  verify(): Promise<void>;
  stop(): Promise<void>;
};
export type Worked = {
  units: number;
  seconds: number;
  /** From sending a webhook until its payment was committed, where they came one by one. */
  latencies?: readonly number[];
};

/** What a service is asked for, and whose cost is measured. */
export type Unit = {
  name: string;
  /** What is measured of each process per unit. */
  measured: string;
  meter: (pids: readonly number[]) => (units: number) => number[];
  start(testbed: Testbed, terms: Terms): Promise<Running>;
};
/** `name`: tells the service from others on the testbed. */
type Terms = Setting & { name: string; quick: boolean };

/** What the server writes down after the last sale belongs to the sales. */
const AFTERWARDS_MS = 500;
const CONFIRMS_AT_ONCE = 16;

type Sales = Pick<Plan, 'buyers' | 'events' | 'names'> & {
  /** In place of a burst. */
  perSecond?: number;
  /** How much later the provider answers. */
  delayMs?: number;
  /** What the shops have published, where the release knows it: besides a programme, campaigns. */
  published?: 'programme' | 'campaigns';
};

const CPU = { measured: 'µs of processor time', meter: measureCpu } as const;
const salesUnit = (name: string, sales: Sales): Unit => ({
  ...CPU,
  name,
  start: (testbed, terms) => startSales(testbed, terms, sales),
});
const ASKED = { events: 2_000, names: 'customer' } as const;

/** The units of work, by the names that the command line has for them. */
export const UNITS = {
  sale: salesUnit('a sale known at once, in a burst', { events: 5_000 }),
  'programme-sale': salesUnit('a sale at a shop with a programme, in a burst', {
    events: 5_000,
    published: 'programme',
  }),
  'campaign-sale': salesUnit('a sale at a shop with three campaigns and tiers, in a burst', {
    events: 5_000,
    published: 'campaigns',
  }),
  'lone-sale': salesUnit('a sale known at once, at 20/s', { events: 200, perSecond: 20 }),
  'asked-sale': salesUnit('a sale whose customer is asked for, in a burst', ASKED),
  'slowly-asked-sale': salesUnit('a sale whose customer is told after 100 ms, in a burst', {
    ...ASKED,
    delayMs: 100,
  }),
  'lone-asked-sale': salesUnit('a sale whose customer is asked for, at 20/s', {
    ...ASKED,
    events: 200,
    perSecond: 20,
  }),
  webhook: salesUnit('a webhook that is stored only', { events: 10_000, buyers: 'unknown' }),
  confirm: { ...CPU, name: 'a confirm with its mail, 16 at once', start: startConfirms },
  idle: {
    name: 'a second without work',
    measured: 'wake-ups',
    meter: measureWakeUps,
    start: startIdling,
  },
} as const satisfies Readonly<Record<string, Unit>>;

async function startSales(
  testbed: Testbed,
  { name, quick, ...setting }: Terms,
  { perSecond, delayMs, published, ...plan }: Sales,
): Promise<Running> {
  const alpha = await startProvider(testbed);
  const origin = delayMs === undefined ? alpha.url : await delayed(testbed, alpha.url, delayMs);
  const env = { ...SHIPPED, ALPHA_ORIGIN: origin };
  const service = await startService(testbed, name, { ...setting, env });
  const { db, databaseUrl, api, load, plans } = service;
  const of = { isOfOtherRelease: setting.release !== undefined };
  const events = quick ? plan.events / 10 : plan.events;
  await admitAll(db, alpha);
  await tellNobody(db);
  if (published !== undefined) await publishProgrammes(db);
  const hasCampaigns = published === 'campaigns' && (await publishCampaigns(db));
  const observer = perSecond === undefined ? undefined : await observe(testbed, databaseUrl);
  return {
    pids: processesOf(service).map(([, pid]) => pid),
    async work(turn) {
      const sent: Plan = { ...plan, name: turn, events, isWhole: true };
      plans.push(sent);
      const { startedAt, sentAt } =
        perSecond === undefined
          ? await burst(load, api.port, sent)
          : await deliverAtRate(load, api.port, { plan: sent, perSecond });
      const seconds = ((await untilProcessed(db)) - startedAt) / 1000;
      await sleep(AFTERWARDS_MS);
      await observer?.catchUp();
      const latencies = observer && latenciesOf(observer, sent, sentAt);
      return { units: events, seconds, ...(latencies && { latencies }) };
    },
    async verify() {
      await observer?.close();
      if (plan.buyers === 'unknown') return verifyStored(db, plans);
      return verifyRun(db, plans, { ...of, hasCampaigns });
    },
    stop: () => stopService(service),
  };
}

/**
 * Has nobody told of points: the mails cost the worker a quarter of its time in a burst, and are
 * not the sale's. An earlier release tells nobody.
 */
async function tellNobody(db: Db): Promise<void> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from pg_class where oid = to_regclass('notice_position')`,
  );
  if (rows.length === 0) return;
  await db.raw(
    `insert into notice_position (read_until) values ('ffffffff-ffff-ffff-ffff-ffffffffffff')
     on conflict (is_only) do update set read_until = excluded.read_until`,
  );
}

/** Gives every shop a programme in which points wait and expire; an earlier release has none. */
async function publishProgrammes(db: Db): Promise<void> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from pg_class where oid = to_regclass('programme_versions')`,
  );
  if (rows.length === 0) return;
  await db.raw(
    `with published as (
       insert into programme_versions (id, tenant_id, version, time_zone, validity_months,
         expiry_notice_days, return_window_days, till_attach, published_at)
       select gen_random_uuid(), id, 1, 'UTC', 12, 14, 14, false, now() - interval '1 day'
       from tenants
       returning tenant_id
     )
     update tenants set has_programme = true, time_zone = 'UTC'
     where id = any(array(select tenant_id from published))`,
  );
}

/**
 * Gives every shop three campaigns, of which a sale gets the first, and a tier; returns whether the
 * release knows any.
 */
async function publishCampaigns(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from pg_class where oid = to_regclass('campaigns')`,
  );
  if (rows.length === 0) return false;
  await db.raw(
    `insert into campaigns (id, tenant_id, name, multiplier, points, starts_at, hours,
       min_spend_minor_units, audience, budget_points, published_at)
     select gen_random_uuid(), t.id, 'Campaign', multiplier, points, now() - interval '1 day',
       hours::jsonb, coalesce(points, 0), audience, budget, now() - interval '1 day'
     from tenants t
     cross join (values (2, null::integer, null, 'all', null::bigint),
       (null, 10, null, 'first_purchase', 1000000000),
       (3, null, '{"from": "00:00", "to": "00:01"}', 'all', null)
     ) as c(multiplier, points, hours, audience, budget)`,
  );
  // A release before tiers has no column for them.
  const { rows: columns } = await db.raw<{ rows: unknown[] }>(
    `select from information_schema.columns
     where table_name = 'programme_versions' and column_name = 'tiers'`,
  );
  if (columns.length === 0) return true;
  await db.raw(
    `insert into programme_versions (id, tenant_id, version, time_zone, validity_months,
       expiry_notice_days, return_window_days, till_attach, published_at, tiers)
     select gen_random_uuid(), tenant_id, 2, time_zone, validity_months, expiry_notice_days,
       return_window_days, till_attach, published_at,
       '[{"key":"gold","name":"Gold","thresholdMinorUnits":100000,"multiplier":1.5}]'
     from programme_versions`,
  );
  return true;
}

async function verifyStored(db: Db, plans: readonly Plan[]): Promise<void> {
  const { rows } = await db.raw<{ rows: { stored: number }[] }>(
    'select count(*) as stored from stalled_events',
  );
  const sent = sumOf(plans.map(({ events }) => events));
  if (rows[0]?.stored !== sent) throw new Error(`${rows[0]?.stored} of ${sent} events are stored.`);
}

async function startConfirms(testbed: Testbed, { quick, ...setting }: Terms): Promise<Running> {
  const deployment = await startDeployment(testbed, 'up', { ...setting, env: SHIPPED });
  const load = startConfirmLoadGenerator(testbed);
  const { port, requests, pids } = deployment;
  let confirmed = 0;
  return {
    pids: [...pids, testbed.postgresPid],
    async work() {
      const terms = { port, requests, concurrency: CONFIRMS_AT_ONCE, seconds: quick ? 1 : 4 };
      const { latencies, seconds } = await load.send(terms);
      await deployment.untilQuiet();
      confirmed += latencies.length;
      return { units: latencies.length, seconds };
    },
    verify: () => deployment.verify(confirmed),
    async stop() {
      await load.stop();
      await deployment.stop();
    },
  };
}

async function startIdling(testbed: Testbed, { name, quick, ...setting }: Terms): Promise<Running> {
  const service = await startService(testbed, name, { ...setting, env: SHIPPED });
  return {
    pids: processesOf(service).map(([, pid]) => pid),
    async work() {
      const startedAt = machineMs();
      await sleep(quick ? 2_000 : 15_000);
      const seconds = (machineMs() - startedAt) / 1000;
      return { units: seconds, seconds };
    },
    verify: async () => {},
    stop: () => stopService(service),
  };
}
