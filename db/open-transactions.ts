import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './connection.ts';

const ASK_AGAIN_MS = 20;

/**
 * A query whose `began` is when the oldest open transaction of the service began, its own included.
 * All transactions of the service that began earlier have ended.
 */
export const OLDEST_TRANSACTION = `
  select least(now(), min(xact_start)) as began from pg_stat_activity
  where datname = current_database() and usename = current_user`;

/**
 * Waits until every transaction of the service that has read the table so far has ended, at most
 * for `patienceMs`; returns whether it has. What such a transaction decided without seeing a change
 * that is committed by now is then committed and can be seen, or will never be. Later transactions
 * see the change.
 *
 * A transaction keeps its lock on each table that it has read until it ends, and takes it before
 * the snapshot that it reads with, so none is passed over, however long it lives.
 */
export async function untilReadersEnd(
  db: Db,
  table: 'users' | 'tenants' | 'audit_log',
  patienceMs: number,
): Promise<boolean> {
  const until = performance.now() + patienceMs;
  let open = await readersOf(db, table);
  while (open.size > 0) {
    if (performance.now() > until) return false;
    await sleep(ASK_AGAIN_MS);
    const still = await readersOf(db, table);
    open = new Set([...open].filter((transaction) => still.has(transaction)));
  }
  return true;
}

/** Other roles, such as one that makes a backup for hours, write nothing of the service's. */
async function readersOf(db: Db, table: string): Promise<Set<string>> {
  const { rows } = await db.raw<{ rows: { virtualtransaction: string }[] }>(
    `select l.virtualtransaction
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'relation' and l.granted and l.relation = :table::regclass
       and l.database = a.datid and a.datname = current_database()
       and a.usename = current_user and l.pid <> pg_backend_pid()`,
    { table },
  );
  return new Set(rows.map((row) => row.virtualtransaction));
}
