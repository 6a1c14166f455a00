import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { createOAuthActivities } from '../../../activities/connections/connect.ts';
import * as auditLog from '../../../db/audit-log.ts';
import * as oauthAttempts from '../../../db/connections/oauth-attempts.ts';
import * as oauthStates from '../../../db/connections/oauth-states.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as revocations from '../../../db/connections/revocations.ts';
import * as dueWork from '../../../db/due-work.ts';
import { close } from '../../../db/tenants/closing.ts';
import { AttemptId, type ConnectionId, type TenantId } from '../../../domain/ids.ts';
import type { Provider } from '../../../domain/payment.ts';
import type { Account } from '../../../gateways/providers/shared/account.ts';
import { ProviderError } from '../../../gateways/providers/shared/error.ts';
import { type Grant, InvalidGrant } from '../../../gateways/providers/shared/oauth.ts';
import {
  anAlphaConnection,
  aTenant,
  aUser,
  required,
  testSealer,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { unconfiguredOAuth } from '../../support/providers/oauth.ts';
import { testProviders } from '../../support/providers/providers.ts';

const database = await useDatabase();
const { db } = database;

/** The provider's answers to the next exchanges, in order; later exchanges return `grant`. */
let answers: ((provider: Provider) => Promise<Grant>)[];
let codes: string[];
let merchant: (id: string) => Promise<(Account & { id: string }) | null>;
let account: () => Promise<Account>;
let grant: Grant;
beforeEach(() => {
  answers = [];
  codes = [];
  grant = {
    accessToken: 'access-token-1',
    refreshToken: 'refresh-token-1',
    expiresAt: new Date('2030-01-15T10:00:00.000Z'),
    merchantId: `M-${randomUUID()}`,
  };
  merchant = async (id) => ({ id, name: 'Beta Café', currency: null });
  account = async () => ({ name: 'Alpha Café', currency: 'EUR' });
});

const exchangeAt = (provider: Provider) => async (code: string) => {
  codes.push(code);
  const answer = answers.shift();
  return answer === undefined ? grant : answer(provider);
};

const activities = () =>
  createOAuthActivities({
    db,
    tokenSealer: testSealer,
    providers: testProviders({
      oauth: {
        alpha: { ...unconfiguredOAuth.alpha, exchange: exchangeAt('alpha') },
        beta: { ...unconfiguredOAuth.beta, exchange: exchangeAt('beta') },
      },
      alpha: { findMerchant: () => account() },
      beta: { findMerchant: (_, id) => merchant(id) },
    }),
  });
const run = (id: AttemptId) => activities().exchangeCode(id);

async function anAttempt(
  some: { tenantId?: TenantId; provider?: Provider; claimedMerchantId?: string } = {},
): Promise<{ id: AttemptId; tenantId: TenantId }> {
  const { provider = 'alpha', claimedMerchantId = null } = some;
  const tenantId = some.tenantId ?? (await aTenant(db));
  const id = AttemptId.parse(randomUUID());
  const field = 'authorization_code';
  const startedBy = {
    userId: await aUser(db),
    correlationId: 'the-request',
    requestId: randomUUID(),
  };
  const sealedCode = testSealer.seal(`code-${id}`, { tenantId, provider, field });
  await db.transaction((tx) =>
    oauthAttempts.insert(tx, { id, tenantId, provider, claimedMerchantId, sealedCode, startedBy }),
  );
  return { id, tenantId };
}
const dueOf = (id: ConnectionId) =>
  db('due_work').where({ subjectId: id }).orderBy('kind').pluck('kind');
const connectionsOf = (tenantId: TenantId) => db('pos_connections').where({ tenantId });
const failed = (error: string) => ({ connected: false, error });
const transient = () => Promise.reject(new ProviderError('alpha answered 503.', 503));

describe('exchangeCode', () => {
  it('connects the account and seals each token for its tenant and field', async () => {
    const { id, tenantId } = await anAttempt();
    const outcome = await run(id);
    const [row] = await connectionsOf(tenantId);
    expect(outcome).toEqual({ connected: true, connectionId: row.id });
    expect(codes).toEqual([`code-${id}`]);
    expect(row).toMatchObject({
      provider: 'alpha',
      merchantId: grant.merchantId,
      status: 'active',
      tokenExpiresAt: grant.expiresAt,
    });
    const context = { tenantId, provider: 'alpha' };
    const open = (sealed: 'sealedAccessToken' | 'sealedRefreshToken', field: string) =>
      testSealer.open(row[sealed], { ...context, field });
    expect(open('sealedAccessToken', 'access_token')).toBe('access-token-1');
    expect(open('sealedRefreshToken', 'refresh_token')).toBe('refresh-token-1');
    expect(() => open('sealedAccessToken', 'refresh_token')).toThrow();
  });

  it('exchanges the code once when it runs twice or ten times concurrently', async () => {
    const { id } = await anAttempt();
    await Promise.all(Array.from({ length: 10 }, () => run(id)));
    expect(codes).toHaveLength(1);

    const other = await anAttempt();
    expect(await run(other.id)).toEqual(await run(other.id));
    expect(codes).toHaveLength(2);
  });

  it('fails without a second exchange when an earlier run was killed', async () => {
    const { id, tenantId } = await anAttempt();
    await oauthAttempts.take(db, id);
    expect(await run(id)).toEqual(failed('exchange_failed'));
    expect(codes).toEqual([]);
    expect(await connectionsOf(tenantId)).toEqual([]);
  });

  it('connects nothing to a shop that was closed meanwhile', async () => {
    const { id, tenantId } = await anAttempt();
    answers = [
      async () => {
        await close(db, tenantId, { acting: auditLog.byOps(), reason: null });
        return grant;
      },
    ];
    expect(await run(id)).toEqual(failed('not_allowed'));
    expect(await connectionsOf(tenantId)).toEqual([]);
    expect(await run((await anAttempt()).id)).toMatchObject({ connected: true });
  });

  it('retries transient errors', async () => {
    answers = [transient, transient];
    expect(await run((await anAttempt()).id)).toMatchObject({ connected: true });
    expect(codes).toHaveLength(3);
  });

  it.each([
    { answer: transient, because: 'the provider stays unavailable', asked: 3 },
    {
      answer: () => Promise.reject(new InvalidGrant('The grant was refused.')),
      because: 'the provider refuses the code',
      asked: 1,
    },
  ])('returns exchange_failed and stores nothing when $because', async ({ answer, asked }) => {
    answers = [answer, answer, answer];
    const { id, tenantId } = await anAttempt();
    expect(await run(id)).toEqual(failed('exchange_failed'));
    expect(codes).toHaveLength(asked);
    expect(await connectionsOf(tenantId)).toEqual([]);
  });

  it('waits for a revocation that has begun, which would end the new tokens, too', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
    const [{ id: connectionId }] = await connectionsOf(tenantId);
    await posConnections.disconnect(db, tenantId, connectionId);
    await dueWork.take(db, 'revoke_authorization', 10);
    const [taken] = await revocations.find(db, [connectionId]);
    const outcome = run((await anAttempt({ tenantId })).id);
    await sleep(1_000);
    expect(codes).toEqual([]);
    await revocations.settle(db, required(taken));
    expect(await outcome).toMatchObject({ connected: true });
    expect(codes).toHaveLength(1);
  });

  it('returns exchange_failed while the account of another tenant is being revoked', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: required(grant.merchantId) });
    const [{ id: connectionId }] = await connectionsOf(tenantId);
    await posConnections.disconnect(db, tenantId, connectionId);
    await dueWork.take(db, 'revoke_authorization', 10);
    const [taken] = await revocations.find(db, [connectionId]);
    const other = await anAttempt();
    expect(await run(other.id)).toEqual(failed('exchange_failed'));
    expect(await connectionsOf(other.tenantId)).toEqual([]);
    await revocations.settle(db, required(taken));
    expect(await run((await anAttempt()).id)).toMatchObject({ connected: true });
  });

  it('connects nothing when the attempt was given up during the exchange', async () => {
    const { id, tenantId } = await anAttempt();
    answers = [
      async () => {
        await oauthAttempts.settle(db, id, { otherwise: { error: 'exchange_failed' } });
        return grant;
      },
    ];
    expect(await run(id)).toEqual(failed('exchange_failed'));
    expect(await connectionsOf(tenantId)).toEqual([]);
  });

  it('returns merchant_taken when the account belongs to another tenant', async () => {
    const [one, two] = [await anAttempt(), await anAttempt()];
    expect(await run(one.id)).toMatchObject({ connected: true });
    expect(await run(two.id)).toEqual(failed('merchant_taken'));
    expect(await connectionsOf(two.tenantId)).toEqual([]);
  });

  it('connects one of two tenants that connect the same account concurrently', async () => {
    const attempts = [await anAttempt(), await anAttempt()];
    const outcomes = await Promise.all(attempts.map(({ id }) => run(id)));
    expect(outcomes.filter(({ connected }) => connected)).toHaveLength(1);
    expect(outcomes).toContainEqual(failed('merchant_taken'));
  });

  it('throws unexpected errors, and the next run returns exchange_failed', async () => {
    const { id } = await anAttempt();
    answers = [() => Promise.reject(new TypeError('a bug'))];
    await expect(run(id)).rejects.toThrow('a bug');
    expect(await run(id)).toEqual(failed('exchange_failed'));
  });
});

describe('exchangeCode, for beta', () => {
  const claimed = (claimedMerchantId?: string) =>
    anAttempt({ provider: 'beta', ...(claimedMerchantId && { claimedMerchantId }) });
  beforeEach(() => {
    grant = { ...grant, refreshToken: null, expiresAt: null, merchantId: null };
  });

  it('connects the merchant whose account the token opens', async () => {
    const { id, tenantId } = await claimed('BETAMERCHANT1');
    expect(await run(id)).toMatchObject({ connected: true });
    expect(await connectionsOf(tenantId)).toMatchObject([
      { provider: 'beta', merchantId: 'BETAMERCHANT1', sealedRefreshToken: null },
    ]);
  });

  it.each([
    { because: 'no merchant has that id', found: async () => null },
    {
      because: 'the token does not open its account',
      found: () => Promise.reject(new ProviderError('beta answered 401.', 401)),
    },
  ])('returns merchant_mismatch when $because', async ({ found }) => {
    merchant = found;
    const { id, tenantId } = await claimed('BETAMERCHANT2');
    expect(await run(id)).toEqual(failed('merchant_mismatch'));
    expect(await connectionsOf(tenantId)).toEqual([]);
  });

  it('returns merchant_mismatch when the merchant is missing or contradictory', async () => {
    expect(await run((await claimed()).id)).toEqual(failed('merchant_mismatch'));
    grant = { ...grant, merchantId: 'BETAMERCHANT3' };
    expect(await run((await claimed('BETAMERCHANT4')).id)).toEqual(failed('merchant_mismatch'));
    expect(await run((await claimed()).id)).toMatchObject({ connected: true });
  });

  it('returns exchange_failed when beta fails to name the merchant', async () => {
    merchant = () => Promise.reject(new ProviderError('beta answered 500.', 500));
    expect(await run((await claimed('BETAMERCHANT5')).id)).toEqual(failed('exchange_failed'));
  });
});

describe('the account that is connected', () => {
  const currencyOf = async (id: TenantId) =>
    required(await db('tenants').where({ id }).first()).currency;

  it.each([
    { provider: 'alpha', accountName: 'Alpha Café', currency: 'EUR' },
    { provider: 'beta', accountName: 'Beta Café', currency: null },
  ] as const)('at $provider gives its name and currency', async ({ provider, ...known }) => {
    const { id, tenantId } = await anAttempt({
      provider,
      claimedMerchantId: grant.merchantId ?? '',
    });
    await run(id);
    const [row] = await connectionsOf(tenantId);
    expect(row).toMatchObject({ accountName: known.accountName });
    const entry = await db('audit_log').where({ targetId: row.id }).first('id');
    expect(await dueOf(entry?.id)).toEqual(['tell_of_change']);
    expect(await dueOf(row.id)).not.toContain('read_account');
    expect(await currencyOf(tenantId)).toBe(known.currency);
  });

  it('is refused when its currency is not the tenant’s, and nothing is connected', async () => {
    const { id, tenantId } = await anAttempt();
    await db('tenants').where('id', tenantId).update({ currency: 'USD' });
    const refused = { ...failed('currency_mismatch'), accountCurrency: 'EUR' };
    expect(await run(id)).toEqual(refused);
    // A second run says the same, though the code is gone.
    expect(await run(id)).toEqual(refused);
    expect(await connectionsOf(tenantId)).toEqual([]);
    expect(await currencyOf(tenantId)).toBe('USD');
  });

  it('decides alone when two of different currencies are connected at once', async () => {
    const first = await anAttempt();
    const { tenantId } = first;
    const second = await anAttempt({ tenantId, provider: 'beta', claimedMerchantId: 'BETA1' });
    merchant = async (id) => ({ id, name: 'Beta Café', currency: 'JPY' });
    const granted = async (provider: Provider) => ({
      ...grant,
      merchantId: provider === 'alpha' ? 'ALPHA1' : null,
    });
    answers = [granted, granted];
    const outcomes = await Promise.all([run(first.id), run(second.id)]);
    expect(outcomes.filter(({ connected }) => connected)).toHaveLength(1);
    const rows = await connectionsOf(tenantId);
    expect(rows).toHaveLength(1);
    expect(await currencyOf(tenantId)).toBe(rows[0].provider === 'alpha' ? 'EUR' : 'JPY');
  });

  it('of alpha is connected although we may not read it, and read later', async () => {
    account = () => Promise.reject(new ProviderError('alpha answered 403.', 403));
    const { id, tenantId } = await anAttempt();
    expect(await run(id)).toMatchObject({ connected: true });
    const [row] = await connectionsOf(tenantId);
    expect(row).toMatchObject({ accountName: null });
    expect(await dueOf(row.id)).toContain('read_account');
    expect(await currencyOf(tenantId)).toBeNull();
  });

  it('of alpha is not connected while alpha does not answer', async () => {
    account = () => Promise.reject(new ProviderError('alpha answered 503.', 503));
    expect(await run((await anAttempt()).id)).toEqual(failed('exchange_failed'));
  });
});

describe('deleteStaleAuthorizations', () => {
  it('deletes expired states and attempts, and returns their number', async () => {
    await db('oauth_attempts').delete();
    const userId = await aUser(db, { role: 'client' });
    const { id, tenantId } = await anAttempt();
    const kept = await anAttempt();
    await db('oauth_attempts')
      .where({ id })
      .update({ expiresAt: new Date(0) });
    const state = { tenantId, userId, provider: 'alpha' } as const;
    for (const expiresAt of [new Date(0), new Date(Date.now() + 60_000)]) {
      await oauthStates.insert(db, {
        ...state,
        attemptId: AttemptId.parse(randomUUID()),
        expiresAt,
      });
    }
    expect(await activities().deleteStaleAuthorizations()).toBe(2);
    expect(await activities().deleteStaleAuthorizations()).toBe(0);
    expect(await db('oauth_attempts').pluck('id')).toEqual([kept.id]);
    expect(required(await db('oauth_states').count().first())).toEqual({ count: 1 });
  });
});
