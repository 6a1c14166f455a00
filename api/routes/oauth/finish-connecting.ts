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

/** What a provider sent along with a merchant's browser, as far as it can be what it should be. */
export type Callback = {
  provider: Provider;
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
  /** Whose account it is, says the browser. */
  merchantId?: string | undefined;
  correlationId: string;
};

/**
 * Connects the account of a merchant who comes back from a provider, and says what became of it. The
 * state is used up, whatever comes of it; the code goes to the exchange, sealed, and what is in its
 * row at the end is true, whether or not the run was waited for to the end.
 */
export async function finishConnecting(callback: Callback, deps: Deps): Promise<ConnectOutcome> {
  const { provider, state, error } = callback;
  const claims = await claimsOf(deps, provider, state ?? '');
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
    deps.log.warn({ err: cause, attempt: attempt.id }, 'The exchange of a code was not waited for');
  }
  return oauthAttempts.settle(deps.db, attempt.id, { otherwise: 'exchange_failed' });
}

type Failed = { error: ConnectError };

function failed(error: ConnectError): ConnectOutcome {
  return { connected: false, error };
}

async function claimsOf(
  { oauth, oauthStates: states }: Deps,
  provider: Provider,
  state: string,
): Promise<StateClaims | Failed> {
  try {
    return await states.verify(state, { provider, origin: oauth[provider].origin });
  } catch (error) {
    if (error instanceof InvalidState) return { error: error.error };
    throw error;
  }
}

async function useUp({ db }: Deps, claims: StateClaims): Promise<void> {
  await db.transaction((tx) => oauthStates.take(tx, claims));
}

/** Uses the state up and keeps the code, both or neither. */
async function beginAttempt(
  { provider, code, merchantId, correlationId }: Callback,
  claims: StateClaims,
  { db, tokenSealer, settings }: Deps,
): Promise<StoredAttempt | Failed> {
  const { attemptId: id, tenantId } = claims;
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
    });
    return { id, tenantId, provider, connectionId, correlationId };
  });
}

/** Whoever began may have been suspended since, or taken off the tenant. */
async function mayConnect(
  tx: Tx,
  { userId, tenantId }: StateClaims,
  adminEmailDomain: string,
): Promise<boolean> {
  const user = await users.find(tx, userId);
  if (user === undefined || denialCode(user, adminEmailDomain) !== undefined) return false;
  return holds(user.role, 'TENANT_POS_CONNECT') && user.tenantIds.includes(tenantId);
}
