import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import { z } from 'zod';
import type { IngestionDeps } from '../../../activities/ingestion/index.ts';
import { pollConnection } from '../../../activities/polling/poll-connection.ts';
import type { Db } from '../../../db/connection.ts';
import { ConnectionId, type TenantId, type UserId } from '../../../domain/ids.ts';
import { createAlpha } from '../../../gateways/providers/alpha/client.ts';
import { type AlphaSimulator, startAlpha } from '../../../sandbox/providers/alpha/simulator.ts';
import { anAlphaConnection, aRule, aTenant, aUser, testSealer } from '../factories.ts';
import { activityDeps } from '../temporal/activity-deps.ts';
import { testOAuth } from './oauth.ts';

/** Starts a simulator of alpha whose webhook events reach no one. */
export function startPolledAlpha(
  options: { now?: () => Date; visibilityDelayMs?: number } = {},
): Promise<AlphaSimulator> {
  return startAlpha({
    port: 0,
    appId: 'app',
    appSecret: 'secret',
    signatureKey: 'key',
    seed: 5,
    webhookUrl: 'http://127.0.0.1:9/nobody',
    ...options,
  });
}

/** The dependencies of polling, with alpha at this address. */
export function pollingDeps(db: Db, url: string): IngestionDeps {
  const oauth = testOAuth({ alpha: url, beta: 'http://127.0.0.1:9' });
  return activityDeps(db, {
    oauth,
    alpha: createAlpha({ environment: 'sandbox', origin: url }),
  });
}

export type PolledShop = {
  tenantId: TenantId;
  merchantId: string;
  connectionId: ConnectionId;
  locations: string[];
  /** A consumer who earns one point per minor unit. */
  buyer: { userId: UserId; email: string };
};

/**
 * Creates a tenant that connected an account of the simulator `connectedMinutesAgo`. Its token is
 * invalid until `storeValidToken`, and sales before that send no events.
 */
export async function aPolledShop(
  db: Db,
  alpha: AlphaSimulator,
  options: { locations?: number; connectedMinutesAgo?: number } = {},
): Promise<PolledShop> {
  const { locations: count = 1, connectedMinutesAgo = 60 } = options;
  const merchantId = `M-${randomUUID()}`;
  const locations = Array.from({ length: count }, (_, n) => `${merchantId}-L${n}`);
  const places = locations.map((id) => ({ id, name: id }));
  alpha.addMerchant({ id: merchantId, name: 'Shop', locations: places });
  const tenantId = await aTenant(db);
  await aRule(db, tenantId);
  const email = `${randomUUID()}@example.com`;
  const userId = await aUser(db, { email });
  await anAlphaConnection(db, { tenantId, merchantId });
  const since = new Date(Date.now() - connectedMinutesAgo * 60_000);
  const polled = { watermark: since, polledFrom: since };
  const row = await db('pos_connections').where({ tenantId }).first('id');
  const connectionId = ConnectionId.parse(row.id);
  await setPolled(db, connectionId, polled);
  return { tenantId, merchantId, connectionId, locations, buyer: { userId, email } };
}

type SaleOptions = { locationId?: string; customerId?: string; capture?: 'later' };
type PollOptions = Partial<Parameters<typeof pollConnection>[2]> & { url?: string };

/**
 * A polled shop for each test, at a simulator of its own. What is made anew for each test is read
 * where it is used; `now` is the simulator's time, which a test may set.
 */
export function usePolledShop(db: Db) {
  let alpha: AlphaSimulator;
  let shop: PolledShop;
  let now: Date;
  let runs = 0;
  beforeEach(async () => {
    now = new Date();
    alpha = await startPolledAlpha({ now: () => now });
    shop = await aPolledShop(db, alpha);
  });
  afterEach(() => alpha.stop());
  return {
    get alpha() {
      return alpha;
    },
    get shop() {
      return shop;
    },
    get now() {
      return now;
    },
    set now(time) {
      now = time;
    },
    /** Opens another shop, which the test is about from now on. */
    async openShop(options: Parameters<typeof aPolledShop>[2]) {
      shop = await aPolledShop(db, alpha, options);
    },
    storeToken: () => storeValidToken(db, alpha, shop),
    row: () => connectionRow(db, shop),
    points: () => buyersPoints(db, shop),
    /** Polls the shop in a run of its own, unless another is named. */
    poll: ({ url = alpha.url, ...options }: PollOptions = {}) =>
      pollConnection(pollingDeps(db, url), shop.connectionId, { run: `run-${runs++}`, ...options }),
    /** Records a sale of 1 minor unit in the past, to the buyer unless a customer is given. */
    sell(secondsAgo: number, sale: SaleOptions = {}) {
      const present = now;
      now = new Date(present.getTime() - secondsAgo * 1000);
      const { merchantId } = shop;
      const buyer = sale.customerId === undefined ? { buyerEmail: shop.buyer.email } : {};
      const payment = alpha.ring({ capture: 'at-once', merchantId, amount: 1, ...buyer, ...sale });
      now = present;
      return payment;
    },
  };
}

/** Changes the state of a connection's polls. */
export async function setPolled(db: Db, connectionId: ConnectionId, values: object) {
  await db('connection_polls').where({ connectionId }).update(values);
}

/** Stores a valid access token in the shop's connection. */
export async function storeValidToken(
  db: Db,
  alpha: AlphaSimulator,
  shop: PolledShop,
): Promise<void> {
  const { tenantId, merchantId } = shop;
  const { accessToken } = alpha.issueToken(merchantId);
  const context = { tenantId, provider: 'alpha', field: 'access_token' };
  await db('pos_connections')
    .where({ tenantId })
    .update({ sealedAccessToken: testSealer.seal(accessToken, context) });
}

const Row = z.object({
  watermark: z.date(),
  lastError: z.string().nullable(),
  needsReconnectSince: z.date().nullable(),
  leaseHolder: z.string().nullable(),
  leasedUntil: z.date().nullable(),
  lastPolledAt: z.date().nullable(),
  coveredPolls: z.int(),
});

/** The stored rows of the connection. */
export async function connectionRow(db: Db, { connectionId }: Pick<PolledShop, 'connectionId'>) {
  const connection = await db('pos_connections').where({ id: connectionId }).first();
  const polls = await db('connection_polls').where({ connectionId }).first();
  return Row.parse({ ...connection, ...polls });
}

/** The buyer's balance at the shop. */
export async function buyersPoints(db: Db, { tenantId, buyer }: PolledShop): Promise<number> {
  const row = await db('wallets').where({ tenantId, userId: buyer.userId }).first('balance');
  return z.number().parse(row?.balance ?? 0);
}
