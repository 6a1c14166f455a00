import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../connection.ts';

/** A connection, and a database through which it is watched from outside. */
export type Watched = { session: Db; db: Db };

/**
 * Looks again and again, through another connection, at what the Postgres process of a session is
 * doing. Ends with the returned function.
 */
export async function watchSession(
  { session, db }: Watched,
  everyMs: number,
  look: (db: Db, pid: number) => Promise<void>,
): Promise<() => Promise<void>> {
  const { rows } = await session.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid ?? 0;
  const ended = new AbortController();
  const pause = () => sleep(everyMs, true, { signal: ended.signal }).catch(() => false as const);
  const watching = (async () => {
    while (await pause()) await look(db, pid);
  })();
  // An error of the watch is ignored: the session itself reports what is wrong with the database.
  const watched = watching.catch(() => undefined);
  return async () => {
    ended.abort();
    await watched;
  };
}
