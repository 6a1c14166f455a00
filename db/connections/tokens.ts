import type { ConnectionId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db, Tx } from '../connection.ts';
import { one } from '../one.ts';
import { CONNECTION_COLUMNS, type PosConnection } from './pos-connections.ts';

/**
 * The connection as it is now, locked: whoever refreshes its tokens does so alone, also among
 * processes, until the transaction ends.
 */
export async function lock(tx: Tx, id: ConnectionId): Promise<PosConnection | undefined> {
  return tx('pos_connections')
    .where({ id })
    .forNoKeyUpdate()
    .first<PosConnection>(CONNECTION_COLUMNS);
}

export type NewTokens = {
  sealedAccessToken: Sealed;
  sealedRefreshToken: Sealed | null;
  tokenExpiresAt: Date | null;
};

/** Keeps refreshed tokens; with them the merchant need not connect again. */
export async function store(tx: Tx, id: ConnectionId, tokens: NewTokens): Promise<PosConnection> {
  const rows = await tx('pos_connections')
    .where({ id })
    .update({ ...tokens, tokenRefreshedAt: tx.fn.now(), ...unflagged(tx) })
    .returning<PosConnection[]>(CONNECTION_COLUMNS);
  return one(rows, 'connection');
}

/**
 * Says on a connection that its merchant has to connect again, and why. A connection whose tokens
 * were replaced since is left alone.
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

/** Takes that back: the provider has accepted the tokens after all. */
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
 * As `flag`, for the account that a provider says has been taken away from us at that time; it may
 * have been connected again since, which is left alone.
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
    // Another error, as of a poll, is not ours to take back.
    lastError: db.raw('case when needs_reconnect_since is null then last_error end'),
    needsReconnectSince: null,
  };
}
