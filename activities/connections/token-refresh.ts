import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import * as connectionTokens from '../../db/connections/tokens.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import { type ProviderClients, providers } from '../../gateways/providers/index.ts';
import { ProviderError } from '../../gateways/providers/shared/error.ts';
import { type Grant, InvalidGrant } from '../../gateways/providers/shared/oauth.ts';

export type AccessTokenDeps = {
  db: Db;
  tokenSealer: Sealer;
  providers: ProviderClients;
};

/** The provider refuses a connection's tokens permanently; its merchant has to connect again. */
export class ReconnectNeeded extends Error {
  override readonly name = 'ReconnectNeeded';
  readonly isTransient = false;

  constructor(provider: Provider) {
    super(reconnectText(provider));
  }
}

/** The error of a connection whose merchant has to connect again. */
export function reconnectText(provider: Provider): string {
  const text = `The merchant must connect again: ${provider} no longer accepts our authorization.`;
  const { reconnectHint } = providers[provider];
  return reconnectHint === undefined ? text : `${text} ${reconnectHint}`;
}

/**
 * Why tokens are refreshed. `due`: the access token is still valid, so a caller can use it instead.
 * `needed`: the provider takes it no more.
 */
export type RefreshReason = 'due' | 'needed';

/** Refreshes in progress in this process; calls share them. */
const underWay = new WeakMap<Db, Map<string, Promise<PosConnection>>>();

/**
 * Refreshes the tokens of a connection, once over all processes, and returns it with its tokens.
 * Nothing of the database is held while the provider is asked: whoever refreshes has a claim, which
 * ends by itself. The others wait up to 15 seconds for the tokens when they need them, and not at
 * all when a refresh is only due. Throws ReconnectNeeded, or a transient ProviderError.
 */
export function refreshed(
  deps: AccessTokenDeps,
  connection: PosConnection,
  reason: RefreshReason,
): Promise<PosConnection> {
  const refreshes = underWay.get(deps.db) ?? new Map<string, Promise<PosConnection>>();
  underWay.set(deps.db, refreshes);
  const key = `${reason} ${connection.sealedAccessToken}`;
  const joined = refreshes.get(key);
  if (joined !== undefined) return joined;
  const refresh = refreshAlone(deps, connection, reason).finally(() => refreshes.delete(key));
  refreshes.set(key, refresh);
  return refresh;
}

const WAIT_FOR_REFRESH_MS = 15_000;
const LOOK_AGAIN_MS = 250;

async function refreshAlone(
  deps: AccessTokenDeps,
  connection: PosConnection,
  reason: RefreshReason,
): Promise<PosConnection> {
  const { db } = deps;
  const refresh = { id: connection.id, holder: randomUUID() };
  const deadline = performance.now() + (reason === 'due' ? 0 : WAIT_FOR_REFRESH_MS);
  for (;;) {
    if (await connectionTokens.claimRefresh(db, connection, refresh)) {
      return refreshClaimed(deps, connection, { refresh, reason });
    }
    const now = await currentOf(db, connection);
    // Another process has refreshed it already, and a refresh token may be valid only once.
    if (now.sealedAccessToken !== connection.sealedAccessToken) return now;
    if (now.needsReconnectSince !== null && connection.needsReconnectSince === null) {
      throw new ReconnectNeeded(connection.provider);
    }
    if (performance.now() > deadline) {
      throw new ProviderError('The tokens of the connection are being refreshed.', null);
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

type Claimed = { refresh: connectionTokens.Refresh; reason: RefreshReason };

async function refreshClaimed(
  deps: AccessTokenDeps,
  connection: PosConnection,
  { refresh, reason }: Claimed,
): Promise<PosConnection> {
  const { db } = deps;
  try {
    const tokens = await newTokens(deps, connection);
    if (tokens !== undefined) return await stored(db, connection, { refresh, tokens });
  } catch (error) {
    // Of a refresh that is only due the claim is left to end, so that no call asks again at once.
    // A claim that cannot be given up ends by itself, too.
    if (reason === 'needed') await connectionTokens.dropRefresh(db, refresh).catch(() => undefined);
    throw error;
  }
  // Flagging ends the claim, so that waiting processes do not ask the provider too.
  await connectionTokens.flag(db, connection, reconnectText(connection.provider));
  const now = await currentOf(db, connection);
  // Refused because a process whose claim had ended was faster: its tokens are the valid ones.
  if (now.sealedAccessToken !== connection.sealedAccessToken) return now;
  throw new ReconnectNeeded(connection.provider);
}

/** How often tokens are stored again when Postgres cannot be reached. */
const STORE_AGAIN_AFTER_MS = [100, 500, 1_000, 2_000, 4_000];

/** Stores tokens with patience: the provider may accept the old ones no more. */
async function stored(
  db: Db,
  connection: PosConnection,
  { refresh, tokens }: { refresh: connectionTokens.Refresh; tokens: connectionTokens.NewTokens },
): Promise<PosConnection> {
  const store = () => connectionTokens.store(db, connection, refresh, tokens);
  for (const waitMs of STORE_AGAIN_AFTER_MS) {
    try {
      return (await store()) ?? (await currentOf(db, connection));
    } catch (error) {
      if (error instanceof ReconnectNeeded) throw error;
      await sleep(waitMs);
    }
  }
  return (await store()) ?? (await currentOf(db, connection));
}

/**
 * The connection as it is now. Throws ReconnectNeeded once its merchant has left the account, also
 * for another one, whose tokens open nothing of this one.
 */
async function currentOf(
  db: Db,
  { id, provider, merchantId }: PosConnection,
): Promise<PosConnection> {
  const now = await connectionTokens.current(db, id);
  if (now?.status === 'active' && now.merchantId === merchantId) return now;
  throw new ReconnectNeeded(provider);
}

/** The refreshed tokens; undefined if the provider refuses or there is no refresh token. */
async function newTokens(
  deps: AccessTokenDeps,
  connection: PosConnection,
): Promise<connectionTokens.NewTokens | undefined> {
  const { tokenSealer } = deps;
  const { provider, sealedRefreshToken } = connection;
  if (sealedRefreshToken === null) return undefined;
  const refreshToken = tokenSealer.open(sealedRefreshToken, contextOf(connection, 'refresh_token'));
  try {
    // Never cancelled: the provider may have replaced the tokens when we stop listening.
    const grant = await deps.providers[provider].oauth.refresh(refreshToken);
    return sealedTokens(tokenSealer, connection, grant);
  } catch (error) {
    if (error instanceof InvalidGrant) return undefined;
    throw error;
  }
}

type Owner = Pick<PosConnection, 'tenantId' | 'provider'>;

/** What a sealed token is bound to. */
export function contextOf({ tenantId, provider }: Owner, field: 'access_token' | 'refresh_token') {
  return { tenantId, provider, field };
}

/** Seals the tokens of a grant; without a new refresh token the old one is kept. */
export function sealedTokens(
  tokenSealer: Sealer,
  owner: Owner & { sealedRefreshToken: Sealed | null },
  { accessToken, refreshToken, expiresAt }: Grant,
): connectionTokens.NewTokens {
  return {
    sealedAccessToken: tokenSealer.seal(accessToken, contextOf(owner, 'access_token')),
    sealedRefreshToken:
      refreshToken === null
        ? owner.sealedRefreshToken
        : tokenSealer.seal(refreshToken, contextOf(owner, 'refresh_token')),
    tokenExpiresAt: expiresAt,
  };
}
