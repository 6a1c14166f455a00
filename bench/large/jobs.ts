import { connect, type Db } from '../../db/connection.ts';
import { readVerificationFigures } from '../../db/ledger/verification/parts.ts';
import { readServiceMetrics } from '../../db/service-metrics.ts';
import { machineMs } from '../clock.ts';
import { type Options, repetitions } from '../options.ts';
import type { Section } from '../report.ts';
import { appendTo, percentile } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import { activitiesOn } from './activities.ts';
import { SMALL } from './sizes.ts';

const GIVEN_UP = 1_000_000;
const CONNECTIONS = 100_000;
/** A sweep takes from a backlog; the rest of the tick finds nothing due. */
const SWEPT_BATCHES = 3;
/** How often a job runs in a repetition, in turns with the other variant; the median counts. */
const READS = 25;
const BAR = 1.3;

type Activities = ReturnType<typeof activitiesOn>;
type Job = { name: string; run(db: Db, activities: Activities): Promise<unknown> };

/** The steps of reconcile, and the deletions of maintain, as the worker runs them. */
const DELETIONS = [
  'deleteExpiredResponses',
  'deleteFingerprints',
  'deleteOldBodies',
  'deleteStaleAuthorizations',
] as const;

const JOBS: readonly Job[] = [
  {
    name: 'sweep: prepare, and take what is due',
    async run(_, activities) {
      await activities.beginSweep();
      for (let nth = 0; nth < SWEPT_BATCHES; nth++) await activities.takePendingEvents();
    },
  },
  { name: 'gauges', run: (db) => readServiceMetrics(db) },
  { name: 'gauges of the verification', run: (db) => readVerificationFigures(db) },
  {
    name: 'tick of reconcile',
    async run(_, activities) {
      await activities.expireOverdueRedemptions();
      await activities.doDueWork();
      await activities.listUnfollowedRedemptions(null);
      await activities.listOverdueInvites(null);
    },
  },
  {
    name: 'deletions of maintain',
    async run(_, activities) {
      for (const step of DELETIONS) await activities[step]();
    },
  },
];

/** Measures what runs every minute where much is idle, and where nothing is. */
export async function measureJobs(testbed: Testbed, options: Options): Promise<Section> {
  const variants = [await idle(testbed, 'none', 0), await idle(testbed, 'much', options.scale)];
  const figures = new Map<string, number[]>();
  for (const { db, activities } of variants) {
    // What is old enough to be deleted is deleted now, and what is counted once is counted.
    for (let nth = 0; nth < 5; nth++) for (const job of JOBS) await job.run(db, activities);
  }
  for (const repetition of repetitions(options)) {
    for (const { name, run } of JOBS) {
      testbed.log(`Jobs, repetition ${repetition}, ${name}`);
      for (let nth = 0; nth < READS; nth++) {
        for (const { variant, db, activities } of variants) {
          const started = machineMs();
          await run(db, activities);
          appendTo(figures, `${variant} ${name}`, machineMs() - started);
        }
      }
    }
  }
  for (const { db } of variants) await db.destroy();
  return sectionOf(figures, options.scale);
}

/** A copy of the small database, with this share of the idle rows. */
async function idle(testbed: Testbed, variant: string, scale: number) {
  testbed.log(`Copying the small database, with ${variant} that is idle`);
  const url = await testbed.database(`bench_idle_${variant}`, SMALL.name);
  const db = connect(url, 4, 'loyalty-bench', 0);
  for (const statement of IDLE_ROWS) {
    await db.raw(statement, { connections: CONNECTIONS * scale, givenUp: GIVEN_UP * scale });
  }
  for (const statement of ['vacuum analyze', 'checkpoint']) await db.raw(statement);
  return { variant, db, activities: activitiesOn(db) };
}

const IDLE_ROWS = [
  `insert into tenants (name, country, currency)
   select 'Idle ' || n, 'DE', 'EUR' from generate_series(1, :connections) n`,
  `insert into pos_connections (tenant_id, provider, merchant_id, status, sealed_access_token)
   select id, 'alpha', name, 'active', 'sealed' from tenants where name like 'Idle %'`,
  `insert into connection_polls (connection_id, watermark, polled_from, last_polled_at)
   select id, now(), now(), now() from pos_connections on conflict do nothing`,
  // Their Schedules are there.
  'delete from due_work',
  `with given_up as (
     insert into stalled_events (id, provider, tenant_id, merchant_id, event_type, correlation_id,
       received_at, attempts, last_error)
     select uuidv7(interval '-8 days'), 'alpha', t.id, 'MERCHANT' || n % 100, 'payment.updated',
       'given up', now() - interval '8 days', 12, 'The provider refused the token.'
     from generate_series(1, :givenUp) n join tenants t on t.name = 'Shop ' || n % 100
     returning id, received_at
   )
   insert into webhook_bodies (id, received_at, body)
   select id, received_at, convert_to(repeat('x', 600), 'utf8') from given_up`,
];

function sectionOf(figures: ReadonlyMap<string, number[]>, scale: number): Section {
  const ms = (variant: string, job: string) =>
    percentile(figures.get(`${variant} ${job}`) ?? [], 50);
  const idleText = [GIVEN_UP * scale, CONNECTIONS * scale].map((n) => n.toLocaleString('en-GB'));
  return {
    title: 'What runs every minute, ms',
    note: `With ${idleText[0]} events given up and ${idleText[1]} connections, and with none.`,
    columns: ['job', 'none', 'much', 'much ÷ none'],
    rows: JOBS.map(({ name }) => [
      name,
      ms('none', name),
      ms('much', name),
      ms('much', name) / ms('none', name),
    ]),
    bars: JOBS.map(({ name }) => ({
      figure: `${name}, much ÷ none`,
      value: ms('much', name) / ms('none', name),
      atMost: BAR,
    })),
  };
}
