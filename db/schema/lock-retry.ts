import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../connection.ts';
import { type Watched, watchSession } from './session-watch.ts';

/**
 * While a migration waits for a table's lock, everyone after it in the queue waits as well, and a
 * step may wait for two tables. The limit is shorter than the second after which Postgres looks for
 * deadlocks, so that in a deadlock it is the migration that fails.
 */
const LOCK_TIMEOUT_MS = 200;

/** Long enough for the statements that queued behind the migration; doubled each time. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** How long work is retried before it gives up. */
const PATIENCE_MS = 5 * 60_000;
const LOOK_EVERY_MS = 50;

/** Reports progress, one line at a time, without the line break. */
export type ReportProgress = (line: string) => void;

/** A connection that needs locks. */
export type LockWait = Watched & {
  tell: ReportProgress;
  patienceMs?: number | undefined;
};

/** Limits how long statements of a session wait for a lock: 0.2 s, or without a limit. */
export async function limitSessionWaits(session: Db, isLimited: boolean): Promise<void> {
  const limit = isLimited ? String(LOCK_TIMEOUT_MS) : '0';
  await session.raw(`select set_config('lock_timeout', :limit, false)`, { limit });
}

/**
 * Does work that needs locks, repeats it after a pause whenever it fails to get them, and reports
 * which sessions block it. Work that fails must leave nothing behind. Throws with instructions when
 * it never gets its locks; any other error is thrown at once.
 */
export async function retryOnLockTimeout<T>(waiting: LockWait, work: () => Promise<T>): Promise<T> {
  const { tell, patienceMs = PATIENCE_MS } = waiting;
  const deadline = performance.now() + patienceMs;
  const blockers: string[] = [];
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const stop = await watchBlockers(waiting, blockers);
    try {
      return await work();
    } catch (error) {
      if (!isForLocks(error)) throw error;
      if (performance.now() + pauseMs > deadline) {
        throw new Error(
          'Other sessions hold locks that the migration needs, so it gave up. What it did before ' +
            `stays. End what holds them, then migrate again. ${blockers.join(' ')}`,
          { cause: error },
        );
      }
    } finally {
      await stop();
    }
    tell(`Could not get a lock; retrying in ${pauseMs / 1000} s.`);
    await sleep(pauseMs);
  }
}

/** 55P03: no lock within the limit. 40P01: a deadlock. */
function isForLocks(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === '55P03' || code === '40P01';
}

/** Reports the sessions that block this one, those that were not told before, until stopped. */
function watchBlockers({ session, db, tell }: LockWait, told: string[]) {
  return watchSession({ session, db }, LOOK_EVERY_MS, async (other, pid) => {
    for (const line of await blockersOf(other, pid)) {
      if (told.includes(line)) continue;
      told.push(line);
      tell(line);
    }
  });
}

async function blockersOf(db: Db, pid: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { line: string }[] }>(
    `select distinct format('Waiting for %s (role %s, Postgres process %s), which holds %s.',
       coalesce(nullif(a.application_name, ''), 'a client'), a.usename, a.pid, coalesce(
         (select string_agg(distinct c.relname, ', ')
          from pg_locks l join pg_class c on c.oid = l.relation
          where l.pid = a.pid and l.granted and c.relkind in ('r', 'p')
            and c.relnamespace = 'public'::regnamespace),
         'an old transaction')) as line
     from unnest(pg_blocking_pids(:pid)) as b (pid) join pg_stat_activity a using (pid)
     -- An index that is built concurrently also waits for who looks.
     where a.pid <> pg_backend_pid()`,
    { pid },
  );
  return rows.map(({ line }) => line);
}
