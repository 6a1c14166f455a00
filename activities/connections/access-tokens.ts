import type { Db } from '../../db/connection.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import * as connectionTokens from '../../db/connections/tokens.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import { ProviderError } from '../../gateways/provider/error.ts';
import { type Grant, InvalidGrant, type OAuthByProvider } from '../../gateways/provider/oauth.ts';

export type AccessTokenDeps = {
  db: Db;
  tokenSealer: Sealer;
  oauth: OAuthByProvider;
};

/** The provider refuses a connection's tokens permanently; its merchant has to connect again. */
export class ReconnectNeeded extends Error {
  override readonly name = 'ReconnectNeeded';
  readonly isTransient = false;

  constructor(provider: Provider) {
    super(reconnectText(provider));
  }
}

/** A token that expires sooner could expire before the provider reads the request. */
const REFRESH_WITHIN_MS = 180_000;
/** Long before the provider's own limit, so that an outage of weeks disconnects no merchant. */
const REFRESH_AFTER_MS = 7 * 24 * 3_600_000;
/** Alpha's error codes for a token that a refresh cannot renew. */
const LASTING = new Set(['ACCESS_TOKEN_REVOKED', 'CLIENT_DISABLED']);

/**
 * Calls a provider with a connection's access token. Refreshes the token first if a refresh is due,
 * and again if the provider refuses it; concurrent calls, also in other processes, refresh it once.
 * Throws what `call` throws, or ReconnectNeeded if the tokens are refused permanently, which flags
 * the connection until a call succeeds again.
 */
export async function withAccessToken<T>(
  deps: AccessTokenDeps,
  connection: PosConnection,
  call: (accessToken: string) => Promise<T>,
): Promise<T> {
  const current = await refreshedIfDue(deps, connection);
  try {
    const result = await call(accessTokenOf(deps, current));
    if (current.needsReconnectSince !== null) await connectionTokens.unflag(deps.db, current);
    return result;
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (LASTING.has(error.code ?? '')) return giveUp(deps, current);
  }
  const renewed = await refreshed(deps, current);
  try {
    return await call(accessTokenOf(deps, renewed));
  } catch (error) {
    if (!isRefused(error)) throw error;
    return giveUp(deps, renewed);
  }
}

/** The error of a connection whose merchant has to connect again. */
export function reconnectText(provider: Provider): string {
  const text = `The merchant must connect again: ${provider} no longer accepts our authorization.`;
  // Beta answers the same for a refused token and for a missing permission.
  return provider === 'beta'
    ? `${text} If the app's permissions have changed, the app must be reinstalled at beta.`
    : text;
}

async function refreshedIfDue(
  deps: AccessTokenDeps,
  connection: PosConnection,
): Promise<PosConnection> {
  const { sealedRefreshToken, tokenExpiresAt, tokenRefreshedAt } = connection;
  if (sealedRefreshToken === null) return connection;
  const now = Date.now();
  const endsInMs =
    tokenExpiresAt === null ? Number.POSITIVE_INFINITY : Number(tokenExpiresAt) - now;
  const isDue = endsInMs < REFRESH_WITHIN_MS || Number(tokenRefreshedAt) < now - REFRESH_AFTER_MS;
  if (!isDue) return connection;
  try {
    return await refreshed(deps, connection);
  } catch (error) {
    // The token is still valid, so use it and try to refresh it at the next call.
    if (error instanceof ReconnectNeeded || endsInMs <= 0) throw error;
    return connection;
  }
}

/** Refreshes in progress; calls share them, or a slow provider would use up the database pool. */
const underWay = new WeakMap<Db, Map<Sealed, Promise<PosConnection>>>();

function refreshed(deps: AccessTokenDeps, connection: PosConnection): Promise<PosConnection> {
  const refreshes = underWay.get(deps.db) ?? new Map<Sealed, Promise<PosConnection>>();
  underWay.set(deps.db, refreshes);
  const { sealedAccessToken } = connection;
  const joined = refreshes.get(sealedAccessToken);
  if (joined !== undefined) return joined;
  const refresh = refreshAlone(deps, connection).finally(() => {
    refreshes.delete(sealedAccessToken);
  });
  refreshes.set(sealedAccessToken, refresh);
  return refresh;
}

async function refreshAlone(
  deps: AccessTokenDeps,
  connection: PosConnection,
): Promise<PosConnection> {
  const { db } = deps;
  const renewed = await db.transaction(async (tx) => {
    const now = await connectionTokens.lock(tx, connection.id);
    if (now === undefined) return undefined;
    // Another process has refreshed it already, and a refresh token may be valid only once.
    if (now.sealedAccessToken !== connection.sealedAccessToken) return now;
    if (now.needsReconnectSince !== null && connection.needsReconnectSince === null) {
      return undefined;
    }
    const tokens = await newTokens(deps, now);
    if (tokens !== undefined) return connectionTokens.store(tx, now.id, tokens);
    // Flag before the lock is released, so that waiting processes do not ask the provider too.
    await connectionTokens.flag(tx, now, reconnectText(now.provider));
    return undefined;
  });
  if (renewed === undefined) throw new ReconnectNeeded(connection.provider);
  return renewed;
}

/** The refreshed tokens; undefined if the provider refuses or there is no refresh token. */
async function newTokens(
  { tokenSealer, oauth }: AccessTokenDeps,
  connection: PosConnection,
): Promise<connectionTokens.NewTokens | undefined> {
  const { provider, sealedRefreshToken } = connection;
  if (sealedRefreshToken === null) return undefined;
  const refreshToken = tokenSealer.open(sealedRefreshToken, contextOf(connection, 'refresh_token'));
  try {
    const grant = await oauth[provider].refresh(refreshToken);
    return sealedTokens(tokenSealer, connection, grant);
  } catch (error) {
    if (error instanceof InvalidGrant) return undefined;
    throw error;
  }
}

type Owner = Pick<PosConnection, 'tenantId' | 'provider'>;

function contextOf({ tenantId, provider }: Owner, field: 'access_token' | 'refresh_token') {
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

function accessTokenOf({ tokenSealer }: AccessTokenDeps, connection: PosConnection): string {
  return tokenSealer.open(connection.sealedAccessToken, contextOf(connection, 'access_token'));
}

function isRefused(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.status === 401;
}

async function giveUp({ db }: AccessTokenDeps, connection: PosConnection): Promise<never> {
  await connectionTokens.flag(db, connection, reconnectText(connection.provider));
  throw new ReconnectNeeded(connection.provider);
}
