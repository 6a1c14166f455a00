import type { PosConnection } from '../../db/connections/pos-connections.ts';
import * as connectionTokens from '../../db/connections/tokens.ts';
import { providers } from '../../gateways/providers/index.ts';
import { ProviderError } from '../../gateways/providers/shared/error.ts';
import {
  type AccessTokenDeps,
  contextOf,
  ReconnectNeeded,
  reconnectText,
  refreshed,
} from './token-refresh.ts';

/** A token that expires sooner could expire before the provider reads the request. */
const REFRESH_WITHIN_MS = 180_000;
/** Long before the provider's own limit, so that an outage of weeks disconnects no merchant. */
const REFRESH_AFTER_MS = 7 * 24 * 3_600_000;

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
    if (isLasting(error, connection)) return giveUp(deps, current);
  }
  const renewed = await refreshed(deps, current, 'needed');
  try {
    return await call(accessTokenOf(deps, renewed));
  } catch (error) {
    if (!isRefused(error)) throw error;
    return giveUp(deps, renewed);
  }
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
    return await refreshed(deps, connection, endsInMs > 0 ? 'due' : 'needed');
  } catch (error) {
    // The token is still valid, so use it; a later call tries to refresh it again.
    if (error instanceof ReconnectNeeded || endsInMs <= 0) throw error;
    return connection;
  }
}

/** Of connections that are still in use: to open a token costs as much as to use it. */
const opened = new WeakMap<PosConnection, string>();

function accessTokenOf({ tokenSealer }: AccessTokenDeps, connection: PosConnection): string {
  const known = opened.get(connection);
  if (known !== undefined) return known;
  const context = contextOf(connection, 'access_token');
  const token = tokenSealer.open(connection.sealedAccessToken, context);
  opened.set(connection, token);
  return token;
}

function isRefused(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.status === 401;
}

/** Whether a refresh cannot renew the refused token. */
function isLasting({ code }: ProviderError, { provider }: PosConnection): boolean {
  return code !== null && (providers[provider].lastingRefusals ?? []).includes(code);
}

async function giveUp({ db }: AccessTokenDeps, connection: PosConnection): Promise<never> {
  await connectionTokens.flag(db, connection, reconnectText(connection.provider));
  throw new ReconnectNeeded(connection.provider);
}
