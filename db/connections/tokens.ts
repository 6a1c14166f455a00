import type { ConnectionId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db } from '../connection.ts';
import { CONNECTION_COLUMNS, type PosConnection } from './pos-connections.ts';

/** Longer than a refresh takes at most, so that only a killed one is ever repeated. */
const REFRESH_SECONDS = 20;

/** Who refreshes the tokens of a connection. */
export type Refresh = { id: ConnectionId; holder: string };

/**
 * Claims the refresh of the tokens that the caller knows, for 20 seconds and across all processes.
 * Returns false while another has the claim, and when there is nothing to refresh any more: the
 * tokens were replaced, the merchant has disconnected, or must reconnect and the caller did not
 * know. No row stays locked, so the caller may take its time.
 */
export async function claimRefresh(
  db: Db,
  known: PosConnection,
  { holder }: Refresh,
): Promise<boolean> {
  const { id, sealedAccessToken, needsReconnectSince } = known;
  const query = db('pos_connections')
    .where({ id, sealedAccessToken, status: 'active' })
    .whereRaw('(refreshing_until is null or refreshing_until <= now())');
  if (needsReconnectSince === null) query.whereNull('needsReconnectSince');
  const claimed = await query.update({
    refreshHolder: holder,
    refreshingUntil: db.raw('now() + make_interval(secs => ?)', [REFRESH_SECONDS]),
  });
  return claimed === 1;
}

/** Gives up the claim of a refresh that failed. */
export async function dropRefresh(db: Db, { id, holder }: Refresh): Promise<void> {
  await db('pos_connections')
    .where({ id, refreshHolder: holder })
    .update({ refreshHolder: null, refreshingUntil: null });
}

/** Returns the connection as it is now. */
export async function current(db: Db, id: ConnectionId): Promise<PosConnection | undefined> {
  return db('pos_connections').where({ id }).first<PosConnection>(CONNECTION_COLUMNS);
}

export type NewTokens = {
  sealedAccessToken: Sealed;
  sealedRefreshToken: Sealed | null;
  tokenExpiresAt: Date | null;
};

/**
 * Stores refreshed tokens in the place of those that were refreshed, and clears the flag that the
 * merchant must reconnect. It does so even if the claim of the refresh has ended, since the
 * provider may accept no other tokens any more, or if the old ones were sealed with another key
 * meanwhile. Returns undefined, and stores nothing, when the tokens were replaced, or removed
 * because the account was disconnected.
 */
export async function store(
  db: Db,
  { sealedAccessToken }: Pick<PosConnection, 'sealedAccessToken'>,
  { id, holder }: Refresh,
  tokens: NewTokens,
): Promise<PosConnection | undefined> {
  const [stored] = await db('pos_connections')
    .where({ id, status: 'active' })
    .where((same) => same.where({ sealedAccessToken }).orWhere({ refreshHolder: holder }))
    .update({
      ...tokens,
      tokenRefreshedAt: db.fn.now(),
      refreshHolder: null,
      refreshingUntil: null,
      ...unflagged(db),
    })
    .returning<PosConnection[]>(CONNECTION_COLUMNS);
  return stored;
}

/**
 * Flags a connection whose merchant must reconnect, with the reason, and ends the claim of a
 * refresh. A connection whose tokens were replaced in the meantime stays as it is.
 */
export async function flag(
  db: Db,
  { id, sealedAccessToken }: Pick<PosConnection, 'id' | 'sealedAccessToken'>,
  lastError: string,
): Promise<void> {
  await db('pos_connections')
    .where({ id, sealedAccessToken, status: 'active' })
    .update({ ...flagged(db, lastError), refreshHolder: null, refreshingUntil: null });
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
    .where({ provider, merchantId, status: 'active' })
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
