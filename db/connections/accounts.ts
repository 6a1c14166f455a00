import type { ConnectionId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';
import { CONNECTION_COLUMNS, type PosConnection } from './pos-connections.ts';

/**
 * Records the name of a connection's account as its provider has it, or that it says none. Returns
 * false when the connection is to another account by now.
 */
export async function record(
  db: Db,
  { id, merchantId }: Pick<PosConnection, 'id' | 'merchantId'>,
  accountName: string | null,
): Promise<boolean> {
  const recorded = await db('pos_connections')
    .where({ id, merchantId })
    .update({ accountName, accountReadAt: db.fn.now(), accountDueAt: null });
  return recorded === 1;
}

/** As in the index of what is due, so that nothing is read that is postponed. */
const DUE_AT = `coalesce(account_due_at, '-infinity'::timestamptz)`;

/**
 * Lists active connections whose account was never read, because they are older than that or the
 * provider did not answer, the longest due first; without those that must be connected again or
 * were asked just now.
 */
export async function listUnread(db: Db, limit: number): Promise<PosConnection[]> {
  return db('pos_connections')
    .where({ status: 'active', accountReadAt: null, needsReconnectSince: null })
    .whereRaw(`${DUE_AT} <= now()`)
    .orderByRaw(DUE_AT)
    .limit(limit)
    .select<PosConnection[]>(CONNECTION_COLUMNS);
}

const ASK_AGAIN_AFTER_MINUTES = 60;

/** Leaves a connection out of the list for an hour, because its account could not be read. */
export async function postpone(db: Db, id: ConnectionId): Promise<void> {
  await db('pos_connections')
    .where({ id })
    .update({
      accountDueAt: db.raw('now() + make_interval(mins => ?)', [ASK_AGAIN_AFTER_MINUTES]),
    });
}

/** Makes the mail due that tells the tenant's owner which account was connected. */
export async function makeNoticeDue(tx: Tx, id: ConnectionId): Promise<void> {
  await tx('pos_connections').where({ id }).update({ noticeDueSince: tx.fn.now() });
}
