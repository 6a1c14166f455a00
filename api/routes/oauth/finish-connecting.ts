import type { Tx } from '../../../db/connection.ts';
import * as oauthAttempts from '../../../db/connections/oauth-attempts.ts';
import * as oauthStates from '../../../db/connections/oauth-states.ts';
import * as users from '../../../db/users/users.ts';
import { denialCode } from '../../../domain/account-status.ts';
import type { ConnectError, ConnectOutcome } from '../../../domain/oauth.ts';
import type { Provider } from '../../../domain/payment.ts';
import { holds } from '../../../domain/roles.ts';
import { InvalidState, type StateClaims } from '../../../gateways/crypto/oauth-state.ts';
import type { Deps } from '../../http/deps.ts';
import type { StoredAttempt } from '../../temporal/oauth-exchange.ts';
import { isBoundBrowser } from './browser-binding.ts';

/** The parameters of a provider's redirect, as far as they are well-formed. */
export type Callback = {
  provider: Provider;
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
  /** The merchant of the account, as claimed by the browser. */
  merchantId?: string | undefined;
  /** The `Cookie` header of the browser. */
  cookies?: string | undefined;
  correlationId: string;
  requestId: string;
};

/**
 * Connects the account of a merchant who returns from a provider, and returns the outcome. The
 * state is used up in every case. The code goes to the exchange, sealed; the outcome is read from
 * its row, so it is right whether or not the run was awaited to its end.
 */
export async function finishConnecting(callback: Callback, deps: Deps): Promise<ConnectOutcome> {
  const { provider, state, error, cookies } = callback;
  const claims = await claimsOf(deps, provider, state ?? '');
  const isBound = deps.settings.oauthBindBrowser && !('error' in claims);
  if (isBound && !isBoundBrowser(cookies, claims.browser)) {
    await useUp(deps, claims);
    return failed('invalid_state');
  }
  if (error !== undefined) {
    if (!('error' in claims)) await useUp(deps, claims);
    return failed(error === 'access_denied' ? 'access_denied' : 'exchange_failed');
  }
  if ('error' in claims) return failed(claims.error);
  const attempt = await beginAttempt(callback, claims, deps);
  if ('error' in attempt) return failed(attempt.error);
  try {
    await deps.orchestrator.exchangeOAuthCode(attempt);
  } catch (cause) {
    deps.log.warn(
      { event: 'oauth_exchange_not_awaited', err: cause, attempt: attempt.id },
      'An OAuth exchange was not awaited to its end; the attempt is settled as it stands',
    );
  }
  return oauthAttempts.settle(deps.db, attempt.id, { otherwise: { error: 'exchange_failed' } });
}

type Failed = { error: ConnectError };

function failed(error: ConnectError): ConnectOutcome {
  return { connected: false, error };
}

async function claimsOf(
  { providers, oauthStates: states }: Deps,
  provider: Provider,
  state: string,
): Promise<StateClaims | Failed> {
  try {
    return await states.verify(state, { provider, origin: providers[provider].oauth.origin });
  } catch (error) {
    if (error instanceof InvalidState) return { error: error.error };
    throw error;
  }
}

async function useUp({ db }: Deps, claims: StateClaims): Promise<void> {
  await db.transaction((tx) => oauthStates.take(tx, claims));
}

/** Uses up the state and stores the code, both or neither. */
async function beginAttempt(
  { provider, code, merchantId, correlationId, requestId }: Callback,
  claims: StateClaims,
  { db, tokenSealer, settings }: Deps,
): Promise<StoredAttempt | Failed> {
  const { attemptId: id, tenantId, userId } = claims;
  return db.transaction(async (tx) => {
    if (!(await oauthStates.take(tx, claims))) return { error: 'invalid_state' };
    if (!(await mayConnect(tx, claims, settings.adminEmailDomain))) return { error: 'not_allowed' };
    if (code === undefined) return { error: 'exchange_failed' };
    const sealedCode = tokenSealer.seal(code, { tenantId, provider, field: 'authorization_code' });
    const claimedMerchantId = merchantId ?? null;
    const connectionId = await oauthAttempts.insert(tx, {
      id,
      tenantId,
      provider,
      claimedMerchantId,
      sealedCode,
      startedBy: { userId, correlationId, requestId },
    });
    return { id, tenantId, provider, connectionId, correlationId };
  });
}

/** The user who began may have been suspended since, or removed from the tenant. */
async function mayConnect(
  tx: Tx,
  { userId, tenantId }: StateClaims,
  adminEmailDomain: string,
): Promise<boolean> {
  const user = await users.find(tx, userId);
  if (user === undefined || denialCode(user, adminEmailDomain) !== undefined) return false;
  return holds(user.role, 'TENANT_POS_CONNECT') && user.tenantIds.includes(tenantId);
}
