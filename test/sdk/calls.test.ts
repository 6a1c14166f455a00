import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRateLimits } from '../../api/http/access/rate-limits.ts';
import { routes } from '../../api/routes/index.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import {
  type ClientOptions,
  createClient,
  isLoyaltyError,
  type LoyaltyError,
} from '../../sdk/index.ts';
import { aCredit, aRule, aTenant, aWallet, postByHand } from '../support/factories.ts';
import { useApp } from '../support/fixtures.ts';
import type { SignedIn } from '../support/http/app.ts';
import { serveRoutes } from '../support/http/serve-routes.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

// The client against the running service.

const app = await useApp();
const { db } = app;
const SILENT = { level: 'silent', service: 'test' } as const;

let proxy: CuttingProxy;
beforeAll(async () => {
  proxy = await startCuttingProxy(app.url);
});
afterAll(() => proxy.close());

let ada: SignedIn;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  ada = await app.signIn({ role: 'consumer' });
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
  walletId = await aWallet(db, { userId: ada.userId, tenantId, balance: 1000 });
});

const clientOf = (person: SignedIn, options: Partial<ClientOptions> = {}) =>
  createClient({
    baseUrl: app.url,
    token: () => person.token,
    retries: { firstWaitMs: 1 },
    ...options,
  });
const failureOf = async (call: Promise<unknown>): Promise<LoyaltyError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isLoyaltyError(error)) throw new Error('Expected a LoyaltyError.', { cause: error });
  return error;
};

describe('an operation', () => {
  it('takes ids of the path, the query and the body together, and returns the answer', async () => {
    const client = clientOf(ada);
    const [wallet] = await client.listWallets();
    expect(wallet).toMatchObject({ id: walletId, balance: 1000 });
    const { redemptionId, points } = await client.confirmRedemption({
      walletId,
      body: { pointsToRedeem: 300 },
    });
    expect(points).toBe(300);
    expect(await client.listRedemptions({ status: 'issued' })).toMatchObject([
      { id: redemptionId, points: 300 },
    ]);
    expect(await client.cancelRedemption({ redemptionId })).toMatchObject({ cancelled: true });
    expect(await client.listWalletHistory({ walletId, limit: 2 })).toHaveLength(2);
  });

  it('names the shop that an operator of several works in', async () => {
    const other = await aTenant(db, { name: 'Other shop' });
    const carl = await app.signIn({ role: 'pos_operator', member: tenantId });
    await db('memberships').insert({ tenantId: other, userId: carl.userId, role: 'pos_operator' });
    const client = clientOf(carl);
    const error = await failureOf(client.listUsedRedemptions());
    expect(error.has('shop_required')).toBe(true);
    expect(await client.listUsedRedemptions({}, { shop: tenantId })).toEqual([]);
    const till = clientOf(carl, { shop: other });
    expect(await till.showOperatorContext()).toMatchObject({ name: 'Other shop' });
  });

  it('is also there with its status and headers', async () => {
    const { data, response } = await clientOf(ada).http.GET('/api/v1/consumer/wallets/{walletId}', {
      params: { path: { walletId } },
      headers: { 'x-correlation-id': 'from-the-app' },
    });
    expect(data?.balance).toBe(1000);
    expect(response.headers.get('x-correlation-id')).toBe('from-the-app');
  });
});

describe('a list', () => {
  it('is read to its end, page by page', async () => {
    const credits = Array.from({ length: 119 }, () => aCredit(walletId, 1));
    for (const credit of credits) await db.transaction((tx) => postByHand(tx, [credit]));
    const history = clientOf(ada).all.listWalletHistory({ walletId, limit: 50 });
    const balances: number[] = [];
    for await (const entry of history) balances.push(entry.balanceAfter);
    expect(balances).toEqual(Array.from({ length: 120 }, (_, index) => 1119 - index));
    const sizes: number[] = [];
    for await (const page of history.pages()) sizes.push(page.length);
    expect(sizes).toEqual([50, 50, 20]);
  });

  it('asks for no page that nobody takes', async () => {
    let asked = 0;
    const counting: typeof fetch = (...given) => {
      asked += 1;
      return fetch(...given);
    };
    for (const n of [1, 2, 3]) await db.transaction((tx) => postByHand(tx, [aCredit(walletId, n)]));
    const client = clientOf(ada, { fetch: counting });
    for await (const _ of client.all.listWalletHistory({ walletId, limit: 2 })) break;
    expect(asked).toBe(1);
  });
});

describe('an error', () => {
  it('says by a code why a rule refused, with its numbers', async () => {
    await aRule(db, tenantId, { maxRedemptionPercentage: 10 });
    const redeem = clientOf(ada).confirmRedemption({ walletId, body: { pointsToRedeem: 500 } });
    const error = await failureOf(redeem);
    expect(error).toMatchObject({ name: 'LoyaltyError', status: 422, code: 'RULE_REJECTED' });
    expect(error.issue('above_maximum_share')?.params).toEqual({ max: 100 });
    expect(isLoyaltyError(error, 'code_used', 'above_maximum_share')).toBe(true);
    expect(isLoyaltyError(error, 'code_used')).toBe(false);
    expect(error.correlationId).toMatch(/^[\w.-]+$/);
  });

  it('lists every field that is not valid', async () => {
    const client = clientOf(await app.signIn({ role: 'client', member: tenantId }));
    const error = await failureOf(
      client.publishRewardRule({ tenantId, body: { conversionRate: -1, minSpendMinorUnits: -1 } }),
    );
    expect(error.issues.map(({ path }) => path).sort()).toEqual([
      'conversionRate',
      'minSpendMinorUnits',
    ]);
  });

  it('tells a token that has run out from a person who may not', async () => {
    const merchant = clientOf(await app.signIn({ role: 'client', status: 'pending_approval' }));
    expect((await failureOf(merchant.showAlphaSetup())).has('pending_approval')).toBe(true);
    const nobody = createClient({ baseUrl: app.url });
    expect((await failureOf(nobody.listWallets())).has('token_missing')).toBe(true);
  });

  it('says how long the service wants to be left alone', async () => {
    const perMinute = { reads: 2, writes: 0, lookups: 0, webhooks: 0 };
    const limits = createRateLimits({ db, perMinute, log: createLogger(SILENT) });
    const limited = await serveRoutes(routes, { db, issuer: app.issuer, limits });
    const retries = { longestRetryAfterMs: 0 };
    const client = clientOf(ada, { baseUrl: limited.url, retries });
    const calls = Array.from({ length: 5 }, () => client.listWallets());
    const outcomes = await Promise.allSettled(calls);
    await limited.close();
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    // Three, or fewer if a minute ends meanwhile.
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) {
      expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
    }
  });

  it('says that the service cannot be reached', async () => {
    const client = clientOf(ada, {
      baseUrl: 'http://127.0.0.1:9',
      retries: { attempts: 2, firstWaitMs: 1 },
    });
    const error = await failureOf(client.listWallets());
    expect(error).toMatchObject({ status: 0, code: 'UNREACHABLE', issues: [] });
    expect(error.message).toContain('GET http://127.0.0.1:9/api/v1/consumer/wallets');
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe('a write whose answer is lost', () => {
  it('is repeated under the same key, and takes effect once', async () => {
    const client = clientOf(ada, { baseUrl: proxy.url });
    await client.listWallets();
    proxy.answersToLose = 2;
    const confirmed = await client.confirmRedemption({ walletId, body: { pointsToRedeem: 100 } });
    expect(proxy.answersToLose).toBe(0);
    expect(await db('redemptions').where({ walletId })).toHaveLength(1);
    expect(await client.showWallet({ walletId })).toMatchObject({ balance: 900 });
    expect(await client.listRedemptions()).toMatchObject([{ code: confirmed.redemptionCode }]);
  });

  it('fails at once if the service takes no key for it', async () => {
    const client = clientOf(ada, { baseUrl: proxy.url });
    await client.listWallets();
    proxy.answersToLose = 1;
    const preview = client.previewRedemption({ walletId, body: { pointsToRedeem: 100 } });
    expect(await failureOf(preview)).toMatchObject({ code: 'UNREACHABLE' });
  });

  it('is the same to a later call under a key of the app', async () => {
    const client = clientOf(ada);
    const redeem = () =>
      client.confirmRedemption(
        { walletId, body: { pointsToRedeem: 100 } },
        { idempotencyKey: 'cart-7' },
      );
    const both = await Promise.all([redeem(), redeem()]);
    expect(both[0]).toEqual(both[1]);
    const other = client.confirmRedemption(
      { walletId, body: { pointsToRedeem: 200 } },
      { idempotencyKey: 'cart-7' },
    );
    expect(await failureOf(other)).toMatchObject({ status: 422, code: 'IDEMPOTENCY_REPLAY' });
  });
});

describe('a token', () => {
  it('that was refused is refreshed once, however many requests find out', async () => {
    let present = await app.issuer.token({ sub: 'x', exp: 1_000 });
    let refreshed = 0;
    const client = clientOf(ada, {
      token: async ({ refresh }) => {
        if (refresh) {
          refreshed += 1;
          await new Promise((resolve) => setTimeout(resolve, 50));
          present = ada.token;
        }
        return present;
      },
    });
    const all = await Promise.all(Array.from({ length: 8 }, () => client.listWallets()));
    expect(all.every(([wallet]) => wallet?.id === walletId)).toBe(true);
    expect(refreshed).toBe(1);
    await client.confirmRedemption({ walletId, body: { pointsToRedeem: 1 } });
    expect(refreshed).toBe(1);
  });

  it('is not refreshed for a person who is suspended, nor more than once', async () => {
    const wanted: boolean[] = [];
    const source = (token: string) => ({
      token: ({ refresh }: { refresh: boolean }) => {
        wanted.push(refresh);
        return refresh ? `${token}x` : token;
      },
    });
    const suspended = await app.signIn({ role: 'consumer', status: 'suspended' });
    const one = clientOf(suspended, source(suspended.token));
    expect((await failureOf(one.listWallets())).has('suspended')).toBe(true);
    expect(wanted.splice(0)).toEqual([false]);
    const other = clientOf(ada, source('no.token.at-all'));
    expect((await failureOf(other.listWallets())).has('token_invalid')).toBe(true);
    expect(wanted).toEqual([false, false, true]);
  });
});
