import type { ConnectionId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db, Tx } from '../connection.ts';
import { one } from '../one.ts';
import { CONNECTION_COLUMNS, type PosConnection } from './pos-connections.ts';

/**
 * Returns the connection, if it is active, locked until the transaction ends, so that its tokens
 * are refreshed by one caller at a time, across all processes.
 */
export async function lock(tx: Tx, id: ConnectionId): Promise<PosConnection | undefined> {
  return tx('pos_connections')
    .where({ id, status: 'active' })
    .forNoKeyUpdate()
    .first<PosConnection>(CONNECTION_COLUMNS);
}

export type NewTokens = {
  sealedAccessToken: Sealed;
  sealedRefreshToken: Sealed | null;
  tokenExpiresAt: Date | null;
};

/** Stores refreshed tokens and clears the flag that the merchant must reconnect. */
export async function store(tx: Tx, id: ConnectionId, tokens: NewTokens): Promise<PosConnection> {
  const rows = await tx('pos_connections')
    .where({ id })
    .update({ ...tokens, tokenRefreshedAt: tx.fn.now(), ...unflagged(tx) })
    .returning<PosConnection[]>(CONNECTION_COLUMNS);
  return one(rows, 'connection');
}

/**
 * Flags a connection whose merchant must reconnect, with the reason. A connection whose tokens were
 * replaced in the meantime stays as it is.
 */
export async function flag(
  db: Db,
  { id, sealedAccessToken }: Pick<PosConnection, 'id' | 'sealedAccessToken'>,
  lastError: string,
): Promise<void> {
  await db('pos_connections')
    .where({ id, sealedAccessToken, status: 'active' })
    .update(flagged(db, lastError));
}

/** Clears the flag, because the provider has accepted the tokens after all. */
export async function unflag(
  db: Db,
  { id, sealedAccessToken }: Pick<PosConnection, 'id' | 'sealedAccessToken'>,
): Promise<void> {
  await db('pos_connections')
    .where({ id, sealedAccessToken })
    .whereNotNull('needsReconnectSince')
    .update({ ...unflagged(db), updatedAt: db.fn.now() });
}

/**
 * Flags, as `flag` does, the connection to an account whose authorization the provider reports as
 * revoked at that time. One that was connected again since then stays as it is.
 */
export async function flagRevoked(
  db: Db,
  account: { provider: Provider; merchantId: string; revokedAt: Date },
  lastError: string,
): Promise<void> {
  const { provider, merchantId, revokedAt } = account;
  await db('pos_connections')
    .where({ posType: provider, merchantId, status: 'active' })
    .where('tokenRefreshedAt', '<=', revokedAt)
    .update(flagged(db, lastError));
}

function flagged(db: Db, lastError: string) {
  return {
    lastError,
    needsReconnectSince: db.raw('coalesce(needs_reconnect_since, now())'),
    updatedAt: db.fn.now(),
  };
}

function unflagged(db: Db) {
  return {
    // Another error, such as a poll's, is not cleared.
    lastError: db.raw('case when needs_reconnect_since is null then last_error end'),
    needsReconnectSince: null,
  };
}
