import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../connection.ts';

/**
 * Whoever waits for a table's lock makes everybody after it wait as well. It is shorter than the
 * second after which Postgres looks for deadlocks, so that of the two it is the migration that ends.
 */
const LOCK_TIMEOUT_MS = 500;

/** Long enough for what had to wait meanwhile to be done; twice as long each time. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** For how long it is tried at least. */
const PATIENCE_MS = 5 * 60_000;
const LOOK_EVERY_MS = 200;

/** Says what goes on, in a line without its end. */
export type Progress = (line: string) => void;

/** One connection that needs locks, and a database by which it is watched from outside. */
export type Waiting = { session: Db; db: Db; tell: Progress; patienceMs?: number | undefined };

/** Has the statements of a session wait half a second for a lock, or for as long as it takes. */
export async function limitLockWaits(session: Db, isLimited: boolean): Promise<void> {
  const limit = isLimited ? String(LOCK_TIMEOUT_MS) : '0';
  await session.raw(`select set_config('lock_timeout', :limit, false)`, { limit });
}

/**
 * Does work that may have to wait for locks, and again after a pause while it fails for them, and
 * tells whom it waits for. Work that failed must have left nothing behind. Throws with what to do
 * when it never gets its locks, and whatever else goes wrong at once.
 */
export async function retryOnLockTimeout<T>(waiting: Waiting, work: () => Promise<T>): Promise<T> {
  const { tell, patienceMs = PATIENCE_MS } = waiting;
  const deadline = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const watch = await watchBlockers(waiting);
    try {
      return await work();
    } catch (error) {
      if (!isForLocks(error)) throw error;
      if (performance.now() + pauseMs > deadline) {
        throw new Error(
          `Others hold on to what the migration needs; it gave up, and what it did before stays. ` +
            `End what holds it, then migrate again. ${watch.seen()}`,
          { cause: error },
        );
      }
    } finally {
      await watch.stop();
    }
    tell(`Gave way to others; trying again in ${pauseMs / 1000} s.`);
    await sleep(pauseMs);
  }
}

/** 55P03: no lock within the limit; 40P01: two waited for each other. */
function isForLocks(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === '55P03' || code === '40P01';
}

/** Tells whom a session waits for, while it does; each once. */
async function watchBlockers({ session, db, tell }: Waiting) {
  const { rows } = await session.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid ?? 0;
  const told: string[] = [];
  const ended = new AbortController();
  const watching = (async () => {
    while (await pause(ended.signal)) {
      for (const line of await blockersOf(db, pid)) {
        if (told.includes(line)) continue;
        told.push(line);
        tell(line);
      }
    }
  })();
  // It only watches: the session itself says what is wrong with the database.
  const watched = watching.catch(() => undefined);
  return {
    seen: () => told.join(' '),
    async stop() {
      ended.abort();
      await watched;
    },
  };
}

const pause = (signal: AbortSignal) =>
  sleep(LOOK_EVERY_MS, true, { signal }).catch(() => false as const);

async function blockersOf(db: Db, pid: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { line: string }[] }>(
    `select distinct format('Waiting for %s of %s (process %s of Postgres), which holds %s.',
       coalesce(nullif(a.application_name, ''), 'a client'), a.usename, a.pid, coalesce(
         (select string_agg(distinct c.relname, ', ')
          from pg_locks l join pg_class c on c.oid = l.relation
          where l.pid = a.pid and l.granted and c.relkind in ('r', 'p')
            and c.relnamespace = 'public'::regnamespace),
         'an old transaction')) as line
     from unnest(pg_blocking_pids(:pid)) as b (pid) join pg_stat_activity a using (pid)`,
    { pid },
  );
  return rows.map(({ line }) => line);
}
