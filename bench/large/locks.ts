import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import { machineMs } from '../clock.ts';

const EVERY_MS = 10;

/** What was held the longest, and by which mode of lock, on a table that was there before. */
export type Held = { mode: string; table: string; ms: number };

export type LockWatch = {
  /** Ends the watch, and returns what it saw: the longest lock of each mode, longest first. */
  stop(): Promise<{ held: Held[]; longestWaitMs: number }>;
};

/**
 * Watches which locks a migration holds against writers or readers, and how long sessions of the
 * service wait for any lock, a hundred times a second. New tables are not counted: nobody else
 * knows them yet.
 */
export async function watchLocks(db: Db): Promise<LockWatch> {
  const tables = await tableNames(db);
  const since = new Map<string, number>();
  const longest = new Map<string, Held>();
  const state = { isOver: false, longestWaitMs: 0 };

  const look = async () => {
    const seen = await locksHeld(db, tables);
    const now = machineMs();
    for (const key of since.keys()) if (!seen.some((lock) => lock.key === key)) since.delete(key);
    for (const { key, mode, table } of seen) {
      const begun = since.get(key) ?? now;
      since.set(key, begun);
      const ms = now - begun + EVERY_MS;
      if (ms > (longest.get(mode)?.ms ?? 0)) longest.set(mode, { mode, table, ms });
    }
    state.longestWaitMs = Math.max(state.longestWaitMs, await longestWait(db));
  };
  const watching = (async () => {
    for (; !state.isOver; await sleep(EVERY_MS)) await look();
  })();
  // `stop` throws what went wrong.
  watching.catch(() => undefined);

  return {
    async stop() {
      state.isOver = true;
      await watching;
      const held = [...longest.values()].sort((a, b) => b.ms - a.ms);
      return { held, longestWaitMs: state.longestWaitMs };
    },
  };
}

async function tableNames(db: Db): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

type Lock = { key: string; mode: string; table: string };

/** The locks that keep others from writing, or from reading. */
async function locksHeld(db: Db, tables: readonly string[]): Promise<Lock[]> {
  const { rows } = await db.raw<{ rows: Lock[] }>(
    `select distinct l.pid || ' ' || l.virtualtransaction || ' ' || l.mode || ' ' || c.relname
       as key, l.mode, c.relname as "table"
     from pg_locks l
     join pg_stat_activity a using (pid) join pg_class c on c.oid = l.relation
     where a.application_name = 'loyalty-migrate' and a.datname = current_database()
       and l.granted and c.relname = any(:tables)
       and l.mode in
         ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
    { tables: [...tables] },
  );
  return rows;
}

async function longestWait(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { ms: number }[] }>(
    `select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)) * 1000, 0)::float8
       as ms
     from pg_locks l join pg_stat_activity a using (pid)
     where not l.granted and a.datname = current_database()
       and a.application_name not in ('loyalty-migrate', 'loyalty-bench')`,
  );
  return rows[0]?.ms ?? 0;
}
