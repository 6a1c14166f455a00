import type { ConnectionId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
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
  const recorded = await db('pos_connections').where({ id, merchantId }).update({ accountName });
  return recorded === 1;
}

/**
 * Finds those of the connections whose account can be read: that are active and need not be
 * connected again.
 */
export async function findReadable(db: Db, ids: readonly ConnectionId[]): Promise<PosConnection[]> {
  return db('pos_connections')
    .whereIn('id', [...ids])
    .where({ status: 'active', needsReconnectSince: null })
    .select<PosConnection[]>(CONNECTION_COLUMNS);
}
