import type { ConnectionId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { CONNECTION_COLUMNS, type PosConnection } from './pos-connections.ts';

/** An account as its provider describes it; null where it does not say. */
type Account = { name: string | null; country?: string | null };

/**
 * Records the name and the country of a connection's account. Returns false when the connection is
 * to another account by now.
 */
export async function record(
  db: Db,
  { id, merchantId }: Pick<PosConnection, 'id' | 'merchantId'>,
  account: Account | null,
): Promise<boolean> {
  const accountName = account?.name ?? null;
  const recorded = await db('pos_connections').where({ id, merchantId }).update({ accountName });
  await noteCountries(db, id, [{ id: WHOLE_ACCOUNT, country: account?.country ?? null }]);
  return recorded === 1;
}

/** Stands for the account where a payment names no location. No location has this id. */
const WHOLE_ACCOUNT = '';

/** Notes the countries of locations of a connection's account; what is known of others stays. */
export async function noteCountries(
  db: Db,
  connectionId: ConnectionId,
  locations: readonly { id: string; country: string | null }[],
): Promise<void> {
  const known = locations.flatMap(({ id, country }) => (country === null ? [] : [[id, country]]));
  if (known.length === 0) return;
  await db.raw(
    `update pos_connections set location_countries = location_countries || :known::jsonb
     where id = :connectionId and not location_countries @> :known::jsonb`,
    { connectionId, known: JSON.stringify(Object.fromEntries(known)) },
  );
}

/** Finds those of the connections that have an account which can be read, now or later. */
export async function findReadable(db: Db, ids: readonly ConnectionId[]): Promise<PosConnection[]> {
  return db('pos_connections')
    .whereIn('id', [...ids])
    .where({ status: 'active' })
    .select<PosConnection[]>(CONNECTION_COLUMNS);
}
