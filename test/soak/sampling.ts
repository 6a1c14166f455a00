import { setTimeout as sleep } from 'node:timers/promises';
import { watchOthers } from '../../bench/process-figures.ts';
import { percentile } from '../../bench/statistics.ts';
import type { Db } from '../../db/connection.ts';
import { type Deployment, PROCESSES, type ProcessName } from './deployment.ts';
import { figuresOf, figuresOfTree, type ProcessFigures } from './processes.ts';

/** Milliseconds. */
export type Latency = { count: number; p50: number; p99: number };

export type DatabaseFigures = {
  /** Events that are still to be ingested, and those that no sweep takes. */
  backlog: number;
  stalled: number;
  /** Sessions of the service. */
  connections: number;
  databaseMib: number;
  /** What a queue and a fixed number of wallets take does not grow with the sales. */
  queueMib: number;
  walletsMib: number;
};

/** What was seen at one moment; undefined where it could not be. */
export type Sample = {
  seconds: number;
  /** Whether a fault, or the recovery from one, shows in it. */
  isDisturbed: boolean;
  processes: Partial<Record<ProcessName, ProcessFigures & { life: number }>>;
  database: DatabaseFigures | undefined;
  openRuns: number | undefined;
  /** Webhooks that have been answered with 200 so far. */
  acknowledged: number;
  /** From a webhook's arrival at the proxy to its 200, of those since the sample before. */
  webhooks: Latency | undefined;
  /** From the storing of an event to its credit, of the credits since the sample before. */
  credits: Latency | undefined;
  /** The share of the machine that other programs used since the sample before. */
  othersShare: number;
};

export type Sampler = {
  samples: Sample[];
  /** Samples until it is over. */
  run(isOver: () => boolean): Promise<void>;
};

/** While Postgres or Temporal restarts, a figure is missing and does not hold up the others. */
const ANSWERED_WITHIN_MS = 3_000;

/** Creates a sampler that looks so often, and marks the samples in which a fault shows. */
export function createSampler(
  deployment: Deployment,
  { everyMs, isDisturbing }: { everyMs: number; isDisturbing: () => boolean },
): Sampler {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const takeCredits = createCreditReader(deployment.superuser);
  return {
    samples,
    async run(isOver) {
      let others = watchOthers();
      deployment.proxy.takeWaits();
      while (!isOver()) {
        await sleep(everyMs - ((performance.now() - startedAt) % everyMs));
        const wasDisturbed = isDisturbing();
        const [database, openRuns, credits] = await Promise.all([
          orNothing(readDatabase(deployment.superuser)),
          orNothing(countOpenRuns(deployment)),
          orNothing(takeCredits()),
        ]);
        samples.push({
          seconds: (performance.now() - startedAt) / 1_000,
          isDisturbed: wasDisturbed || isDisturbing(),
          processes: processesOf(deployment),
          database,
          openRuns,
          acknowledged: deployment.proxy.acknowledged.length,
          webhooks: latencyOf(deployment.proxy.takeWaits()),
          credits: latencyOf(credits ?? []),
          othersShare: others(),
        });
        others = watchOthers();
      }
    },
  };
}

function latencyOf(values: readonly number[]): Latency | undefined {
  if (values.length === 0) return undefined;
  return { count: values.length, p50: percentile(values, 50), p99: percentile(values, 99) };
}

function processesOf({ members }: Deployment): Sample['processes'] {
  const found: Sample['processes'] = {};
  for (const name of PROCESSES) {
    const pid = members[name].pid();
    if (pid === undefined) continue;
    const figures = name === 'postgres' ? figuresOfTree(pid) : figuresOf(pid);
    // One that is being killed has no memory any more.
    if (!Number.isNaN(figures.mib)) found[name] = { ...figures, life: members[name].lives() };
  }
  return found;
}

async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  const late = sleep(ANSWERED_WITHIN_MS, undefined, { ref: false });
  return Promise.race([reading.catch(() => undefined), late]);
}

async function countOpenRuns({ temporal }: Deployment): Promise<number> {
  return (await temporal.workflow.count("ExecutionStatus = 'Running'")).count;
}

async function readDatabase(db: Db): Promise<DatabaseFigures | undefined> {
  const { rows } = await db.raw<{ rows: DatabaseFigures[] }>(
    `select (select count(*) from pending_events) as backlog,
       (select count(*) from stalled_events) as stalled,
       (select count(*) from pg_stat_activity
        where datname = current_database() and application_name like 'loyalty-%') as connections,
       pg_database_size(current_database())::float8 / 1048576 as database_mib,
       pg_total_relation_size('pending_events')::float8 / 1048576 as queue_mib,
       pg_total_relation_size('wallets')::float8 / 1048576 as wallets_mib`,
  );
  return rows[0];
}

/** Reads how long each credit took that was made since the last call, in milliseconds. */
function createCreditReader(db: Db): () => Promise<number[]> {
  let since = '-infinity';
  return async () => {
    // An event that has waited for a provider for longer is left out, which is judged elsewhere.
    const { rows } = await db.raw<{ rows: { ms: number; at: string }[] }>(
      `select extract(epoch from processed_at - received_at)::float8 * 1000 as ms,
         processed_at::text as at
       from event_outcomes
       where id >= first_event_id(now() - interval '10 minutes') and outcome = 'credited'
         and processed_at > :since::timestamptz
       order by processed_at`,
      { since },
    );
    const isFirst = since === '-infinity';
    since = rows.at(-1)?.at ?? since;
    return isFirst ? [] : rows.map(({ ms }) => ms);
  };
}
