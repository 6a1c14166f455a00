import { setTimeout as sleep } from 'node:timers/promises';
import * as auditLog from '../../db/audit-log.ts';
import type { Db } from '../../db/connection.ts';
import * as oauthAttempts from '../../db/connections/oauth-attempts.ts';
import * as oauthStates from '../../db/connections/oauth-states.ts';
import * as posConnections from '../../db/connections/pos-connections.ts';
import { violatedConstraint } from '../../db/errors.ts';
import type { AttemptId } from '../../domain/ids.ts';
import { type ConnectError, type ConnectOutcome, EXCHANGE_WITHIN_MS } from '../../domain/oauth.ts';
import type { Beta } from '../../gateways/beta/client.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import { InvalidPayload, ProviderError } from '../../gateways/provider/error.ts';
import { type Grant, InvalidGrant, type OAuthByProvider } from '../../gateways/provider/oauth.ts';
import { sealedTokens } from './token-refresh.ts';

export type OAuthDeps = {
  db: Db;
  tokenSealer: Sealer;
  oauth: OAuthByProvider;
  /** Checks that a token belongs to the merchant that the browser named. */
  beta: Pick<Beta, 'findMerchant'>;
};

/** The most states, and the most attempts, that one call deletes. */
const FORGET_BATCH = 5_000;
const ASK_AGAIN_AFTER_MS = [500, 1_000];

/** Creates the activities that connect a provider. Each may be retried any number of times. */
export function createOAuthActivities(deps: OAuthDeps) {
  const { db } = deps;
  return {
    /**
     * Exchanges an attempt's code, connects the merchant's account and returns the outcome. The
     * code is read once: a second run returns the outcome of the first, or fails the attempt if the
     * first was interrupted. A success after the attempt was given up connects nothing.
     */
    async exchangeCode(id: AttemptId): Promise<ConnectOutcome> {
      const attempt = await oauthAttempts.take(db, id);
      const error = attempt && (await connectAccount(deps, attempt));
      // After a success the row says so, and stays as it is.
      return oauthAttempts.settle(db, id, { otherwise: error ?? 'exchange_failed' });
    },

    /** Deletes expired states and old attempts, and returns their number. */
    async forgetStaleOAuth(): Promise<number> {
      const states = await oauthStates.deleteExpired(db, FORGET_BATCH);
      return states + (await oauthAttempts.deleteExpired(db, FORGET_BATCH));
    },
  };
}

/** Connects the account of an attempt; returns the error, or null if it is connected. */
async function connectAccount(
  deps: OAuthDeps,
  attempt: oauthAttempts.TakenAttempt,
): Promise<ConnectError | null> {
  const signal = AbortSignal.timeout(EXCHANGE_WITHIN_MS);
  try {
    const grant = await grantOf(deps, attempt, signal);
    const merchantId = await merchantOf(deps, attempt, grant, signal);
    if (merchantId === undefined) return 'merchant_mismatch';
    await store(deps, attempt, { ...grant, merchantId });
    return null;
  } catch (error) {
    if (violatedConstraint(error) === ONE_ACTIVE_PER_MERCHANT) return 'merchant_taken';
    if (isForeseen(error)) return 'exchange_failed';
    throw error;
  }
}

const ONE_ACTIVE_PER_MERCHANT = 'pos_connections_one_active_per_merchant';

/** The attempt was given up during the exchange. */
class TooLate extends Error {
  override readonly name = 'TooLate';
}

async function grantOf(
  { tokenSealer, oauth }: OAuthDeps,
  { provider, tenantId, sealedCode }: oauthAttempts.TakenAttempt,
  signal: AbortSignal,
): Promise<Grant> {
  const code = tokenSealer.open(sealedCode, { tenantId, provider, field: 'authorization_code' });
  return persistently(() => oauth[provider].exchange(code, signal), signal);
}

/** The merchant of the tokens; undefined if it is not the one that the browser named. */
async function merchantOf(
  { beta }: OAuthDeps,
  { provider, claimedMerchantId }: oauthAttempts.TakenAttempt,
  grant: Grant,
  signal: AbortSignal,
): Promise<string | undefined> {
  const merchantId = grant.merchantId ?? claimedMerchantId;
  if (merchantId === null) return undefined;
  if (provider === 'alpha') return merchantId;
  // Anyone can put a merchant id into the callback's address, so the token must open that account.
  if (merchantId !== (claimedMerchantId ?? merchantId)) return undefined;
  try {
    const find = () => beta.findMerchant(grant.accessToken, merchantId, signal);
    return (await persistently(find, signal)) === null ? undefined : merchantId;
  } catch (error) {
    if (error instanceof ProviderError && !error.isTransient) return undefined;
    throw error;
  }
}

async function store(
  { db, tokenSealer }: OAuthDeps,
  attempt: oauthAttempts.TakenAttempt,
  grant: Grant & { merchantId: string },
): Promise<void> {
  const { id, tenantId, provider, connectionId } = attempt;
  const { merchantId } = grant;
  const tokens = sealedTokens(tokenSealer, { tenantId, provider, sealedRefreshToken: null }, grant);
  await db.transaction(async (tx) => {
    const before = await posConnections.findStanding(tx, tenantId, provider);
    const connected = await posConnections.connect(tx, {
      id: connectionId,
      tenantId,
      provider,
      merchantId,
      ...tokens,
    });
    if (!(await oauthAttempts.settleConnected(tx, id, connected))) throw new TooLate();
    await auditLog.insert(tx, {
      ...actingIn(attempt),
      action: 'connection.connect',
      targetType: 'connection',
      targetId: connected,
      tenantId,
      reason: null,
      before: { provider, merchantId: before?.merchantId ?? null, status: before?.status ?? null },
      after: { provider, merchantId, status: 'active' },
    });
  });
}

/** Who connects. One of the release before is not known: some user. */
function actingIn({ id, startedBy }: oauthAttempts.TakenAttempt): auditLog.Acting {
  return {
    actor: 'user',
    actorUserId: startedBy?.userId ?? null,
    requestId: startedBy?.correlationId ?? id,
    generatedRequestId: startedBy?.requestId ?? null,
  };
}

/** Retries transient errors a few times, until the signal aborts. */
async function persistently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const waitMs of ASK_AGAIN_AFTER_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ProviderError) || !error.isTransient) throw error;
      await sleep(Math.max(waitMs, error.retryAfterMs ?? 0), undefined, { signal });
    }
  }
  return ask();
}

function isForeseen(error: unknown): boolean {
  if (error instanceof InvalidGrant || error instanceof ProviderError) return true;
  if (error instanceof InvalidPayload || error instanceof TooLate) return true;
  // The time limit passed before a retry.
  return error instanceof Error && error.name === 'AbortError';
}
