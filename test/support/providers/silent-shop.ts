import { randomInt, randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import type { ActivityDeps } from '../../../activities/index.ts';
import type { Db } from '../../../db/connection.ts';
import { ConnectionId, type TenantId, type UserId } from '../../../domain/ids.ts';
import { createAlpha } from '../../../gateways/providers/alpha/client.ts';
import { createBeta } from '../../../gateways/providers/beta/client.ts';
import { type AlphaSimulator, startAlpha } from '../../../sandbox/providers/alpha/simulator.ts';
import { type BetaSimulator, startBeta } from '../../../sandbox/providers/beta/simulator.ts';
import { aBetaConnection, anAlphaConnection, aRule, aTenant, aUser } from '../factories.ts';
import { activityDeps } from '../temporal/activity-deps.ts';
import { testOAuth } from './oauth.ts';

/** The providers at which it has accounts; another one has tests of its own. */
export const SILENT = ['alpha', 'beta'] as const;
export type Silent = (typeof SILENT)[number];

const DAY_MS = 24 * 3_600_000;

/** A shop with an account at each provider, whose webhooks reach no one. */
export type SilentShop = {
  tenantId: TenantId;
  merchantIds: Record<Silent, string>;
  connectionIds: Record<Silent, ConnectionId>;
  /** A consumer who earns a point per minor unit, and is a customer of both accounts. */
  buyer: { userId: UserId; customerIds: Record<Silent, string> };
};

/** A shop for each test, at simulators of its own. `now` is their time, yesterday at first. */
export function useSilentShop(db: Db) {
  let alpha: AlphaSimulator;
  let beta: BetaSimulator;
  let shop: SilentShop;
  let now: Date;
  beforeEach(async () => {
    const today = new Date().setUTCHours(0, 0, 0, 0);
    now = new Date(today - DAY_MS / 2);
    const simulated = {
      port: 0,
      // Accounts of different tests are in one database.
      seed: randomInt(1_000_000),
      now: () => now,
      webhookUrl: 'http://127.0.0.1:9/nobody',
      appSecret: 'secret',
    };
    alpha = await startAlpha({ ...simulated, appId: 'app', signatureKey: 'key' });
    beta = await startBeta({
      ...simulated,
      appId: 'BETAAPP000001',
      webhookSecret: 'code',
      redirectUrl: 'http://127.0.0.1:9/nobody',
      minuteMs: 10,
    });
    shop = await aSilentShop(db, { alpha, beta });
  });
  afterEach(async () => {
    await alpha.stop();
    await beta.stop();
  });
  return {
    get shop() {
      return shop;
    },
    get simulators() {
      return { alpha, beta };
    },
    set now(time: Date) {
      now = time;
    },
    get day() {
      return now.toISOString().slice(0, 10);
    },
    deps(given: Partial<ActivityDeps> = {}): ActivityDeps {
      return activityDeps(db, {
        oauth: testOAuth({ alpha: alpha.url, beta: beta.url }),
        alpha: createAlpha({ environment: 'sandbox', origin: alpha.url }),
        beta: createBeta({ environment: 'sandbox', region: 'na', apiOrigin: beta.url }),
        truthRepairs: 'none',
        ...given,
      });
    },
    /** Rings a sale of the buyer, which no webhook tells. */
    sell(provider: Silent, amount: number): string {
      const merchantId = shop.merchantIds[provider];
      const customerId = shop.buyer.customerIds[provider];
      const sale = { merchantId, amount, customerId, currency: 'EUR' };
      return provider === 'alpha'
        ? alpha.ring({ ...sale, capture: 'at-once' }).id
        : beta.ring(sale).id;
    },
    refund(provider: Silent, id: string, amount: number) {
      if (provider === 'alpha') alpha.refund(id, amount);
      else beta.refund(id, amount);
    },
    async balance(): Promise<number> {
      const { tenantId, buyer } = shop;
      const row = await db('wallets').where({ tenantId, userId: buyer.userId }).first('balance');
      return Number(row?.balance ?? 0);
    },
  };
}

async function aSilentShop(
  db: Db,
  { alpha, beta }: { alpha: AlphaSimulator; beta: BetaSimulator },
): Promise<SilentShop> {
  const merchantIds = {
    alpha: alpha.addMerchant({ id: `M-${randomUUID()}`, name: 'Shop', currency: 'EUR' }).id,
    beta: beta.addMerchant({ name: 'Shop', currency: 'EUR' }).id,
  };
  const email = `${randomUUID()}@example.com`;
  const userId = await aUser(db, { email });
  const tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ currency: 'EUR', timeZone: 'UTC' });
  await aRule(db, tenantId);
  await anAlphaConnection(db, {
    tenantId,
    merchantId: merchantIds.alpha,
    accessToken: alpha.issueToken(merchantIds.alpha).accessToken,
  });
  await aBetaConnection(db, {
    tenantId,
    merchantId: merchantIds.beta,
    accessToken: beta.issueToken(merchantIds.beta).accessToken,
  });
  const rows = await db('pos_connections').where({ tenantId }).select('id', 'provider');
  const idOf = (provider: Silent) =>
    ConnectionId.parse(rows.find((row) => row.provider === provider)?.id);
  return {
    tenantId,
    merchantIds,
    connectionIds: { alpha: idOf('alpha'), beta: idOf('beta') },
    buyer: {
      userId,
      customerIds: {
        alpha: alpha.addCustomer({ merchantId: merchantIds.alpha, email }).id,
        beta: beta.addCustomer({ merchantId: merchantIds.beta, emails: [email] }).id,
      },
    },
  };
}
