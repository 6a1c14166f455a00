import { setTimeout as sleep } from 'node:timers/promises';
import * as auditLog from '../../db/audit-log.ts';
import * as accounts from '../../db/connections/accounts.ts';
import * as oauthAttempts from '../../db/connections/oauth-attempts.ts';
import * as oauthStates from '../../db/connections/oauth-states.ts';
import * as posConnections from '../../db/connections/pos-connections.ts';
import * as revocations from '../../db/connections/revocations.ts';
import * as dueWork from '../../db/due-work.ts';
import { violatedConstraint } from '../../db/errors.ts';
import * as countries from '../../db/tenants/country.ts';
import * as currencies from '../../db/tenants/currency.ts';
import { Refusal } from '../../domain/errors.ts';
import type { AttemptId } from '../../domain/ids.ts';
import {
  type ConnectFailure,
  type ConnectOutcome,
  EXCHANGE_WITHIN_MS,
} from '../../domain/oauth.ts';
import { providers } from '../../gateways/providers/index.ts';
import type { Account } from '../../gateways/providers/shared/account.ts';
import { InvalidPayload, ProviderError } from '../../gateways/providers/shared/error.ts';
import { type Grant, InvalidGrant } from '../../gateways/providers/shared/oauth.ts';
import { untilDone } from '../progress.ts';
import { type AccessTokenDeps, sealedTokens } from './token-refresh.ts';

/** How many states or attempts one statement deletes, and for how long each of them goes on. */
const EXPIRED = { batch: 5_000, forMs: 300_000 };
const ASK_AGAIN_AFTER_MS = [500, 1_000];
const LOOK_AGAIN_AFTER_MS = 200;

/** Creates the activities that connect a provider. Each may be retried any number of times. */
export function createOAuthActivities(deps: AccessTokenDeps) {
  const { db } = deps;
  return {
    /**
     * Exchanges an attempt's code, connects the merchant's account and returns the outcome. The
     * code is read once: a second run returns the outcome of the first, or fails the attempt if the
     * first was interrupted. A success after the attempt was given up connects nothing.
     */
    async exchangeCode(id: AttemptId): Promise<ConnectOutcome> {
      const attempt = await oauthAttempts.take(db, id);
      const failure = attempt && (await connectAccount(deps, attempt));
      // After a success the row says so, and stays as it is.
      return oauthAttempts.settle(db, id, { otherwise: failure ?? { error: 'exchange_failed' } });
    },

    /** Deletes expired states and old attempts, and returns their number. */
    async deleteStaleAuthorizations(): Promise<number> {
      const states = await untilDone(EXPIRED, (batch) => oauthStates.deleteExpired(db, batch));
      return states + (await untilDone(EXPIRED, (batch) => oauthAttempts.deleteExpired(db, batch)));
    },
  };
}

/** Connects the account of an attempt; returns why not, or null if it is connected. */
async function connectAccount(
  deps: AccessTokenDeps,
  attempt: oauthAttempts.TakenAttempt,
): Promise<ConnectFailure | null> {
  const signal = AbortSignal.timeout(EXCHANGE_WITHIN_MS);
  try {
    await untilRevoked(deps, attempt, signal);
    const grant = await grantOf(deps, attempt, signal);
    const merchantId = merchantOf(attempt, grant);
    if (merchantId === undefined) return { error: 'merchant_mismatch' };
    // Of another tenant, and only now known to be of this account: trying again succeeds.
    const of = { provider: attempt.provider, merchantId };
    if (await revocations.isUnderWay(deps.db, of)) return { error: 'exchange_failed' };
    const account = await accountOf(deps, { ...attempt, merchantId }, grant, signal);
    if (account === undefined) return { error: 'merchant_mismatch' };
    await store(deps, attempt, { ...grant, merchantId, account });
    return null;
  } catch (error) {
    if (error instanceof AnotherCurrency) {
      return { error: 'currency_mismatch', accountCurrency: error.accountCurrency };
    }
    if (error instanceof Refusal) return { error: 'not_allowed' };
    if (violatedConstraint(error) === ONE_ACTIVE_PER_MERCHANT) return { error: 'merchant_taken' };
    if (isForeseen(error)) return { error: 'exchange_failed' };
    throw error;
  }
}

const ONE_ACTIVE_PER_MERCHANT = 'pos_connections_one_active_per_merchant';

/** The attempt was given up during the exchange. */
class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** The tenant has another currency than the account. */
class AnotherCurrency extends Error {
  override readonly name = 'AnotherCurrency';

  readonly accountCurrency: string;

  constructor(accountCurrency: string) {
    super(`The account is in ${accountCurrency}.`);
    this.accountCurrency = accountCurrency;
  }
}

/**
 * Waits for the revocation of the tenant's former connection, if it has begun: the provider ends
 * all tokens of the account, those that an exchange before it has issued as well. None begins while
 * the attempt is open.
 */
async function untilRevoked(
  { db }: AccessTokenDeps,
  { connectionId: id }: oauthAttempts.TakenAttempt,
  signal: AbortSignal,
): Promise<void> {
  while (await revocations.isUnderWay(db, { id })) {
    await sleep(LOOK_AGAIN_AFTER_MS, undefined, { signal });
  }
}

async function grantOf(
  deps: AccessTokenDeps,
  { provider, tenantId, sealedCode }: oauthAttempts.TakenAttempt,
  signal: AbortSignal,
): Promise<Grant> {
  const context = { tenantId, provider, field: 'authorization_code' } as const;
  const code = deps.tokenSealer.open(sealedCode, context);
  return persistently(() => deps.providers[provider].oauth.exchange(code, signal), signal);
}

/** The merchant of the tokens; undefined if it is not the one that the browser named. */
function merchantOf(
  { provider, claimedMerchantId }: oauthAttempts.TakenAttempt,
  grant: Grant,
): string | undefined {
  const merchantId = grant.merchantId ?? claimedMerchantId ?? undefined;
  if (providers[provider].oauth.identifies === 'token') return merchantId;
  return merchantId === (claimedMerchantId ?? merchantId) ? merchantId : undefined;
}

/** What is known of the account; undefined if the token must open it, and does not. */
async function accountOf(
  deps: AccessTokenDeps,
  attempt: oauthAttempts.TakenAttempt & { merchantId: string },
  { accessToken }: Grant,
  signal: AbortSignal,
): Promise<Account | null | undefined> {
  const { provider, merchantId } = attempt;
  // Where the token says whose it is, an account that may not be read can still be connected.
  const missing = providers[provider].oauth.identifies === 'token' ? null : undefined;
  try {
    const find = () => deps.providers[provider].findAccount(accessToken, merchantId, signal);
    return (await persistently(find, signal)) ?? missing;
  } catch (error) {
    if (error instanceof ProviderError && !error.isTransient) return missing;
    throw error;
  }
}

async function store(
  { db, tokenSealer }: AccessTokenDeps,
  attempt: oauthAttempts.TakenAttempt,
  grant: Grant & { merchantId: string; account: Account | null },
): Promise<void> {
  const { id, tenantId, provider, connectionId } = attempt;
  const { merchantId, account } = grant;
  const tokens = sealedTokens(tokenSealer, { tenantId, provider, sealedRefreshToken: null }, grant);
  await db.transaction(async (tx) => {
    const currency = account?.currency ?? null;
    const own = await currencies.settle(tx, tenantId, currency);
    if (currency !== null && own !== currency) throw new AnotherCurrency(currency);
    await countries.settle(tx, tenantId, account?.country ?? null);
    const before = await posConnections.findStanding(tx, tenantId, provider);
    const connected = await posConnections.connect(tx, {
      id: connectionId,
      tenantId,
      provider,
      merchantId,
      ...tokens,
    });
    if (account === null) await dueWork.note(tx, 'read_account', [connected]);
    else await accounts.record(tx, { id: connected, merchantId }, account);
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

/** Who connects. */
function actingIn({ startedBy }: oauthAttempts.TakenAttempt): auditLog.Acting {
  return {
    actor: 'user',
    actorUserId: startedBy.userId,
    requestId: startedBy.correlationId,
    generatedRequestId: startedBy.requestId,
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
