import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../db/connection.ts';
import { CONNECTION_COLUMNS, type PosConnection } from '../../db/connections/pos-connections.ts';
import { verifyLedger } from '../../db/ledger/verification/whole.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { occursIn, textOfTables } from '../support/database/table-texts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { required, testSealer } from '../support/factories.ts';
import { type Issuer, startIssuer } from '../support/people/issuer.ts';
import { createProcesses, type Processes } from '../support/processes.ts';
import {
  type Buyer,
  buyersOf,
  connectedShop,
  everyFault,
  type Providers,
  runCron,
  type Shop,
  startProviders,
} from '../support/providers/chaotic-shop.ts';
import { eventRows } from '../support/providers/events.ts';
import {
  createTestTemporal,
  type TestTemporal,
  textOfRuns,
} from '../support/temporal/test-temporal.ts';

/** Two in five are at beta, whose rate limits determine how long this takes. */
const PAYMENTS = 2_000;
const SHOPS = 3;
const SHARE = 0.2;
const BUYERS = 12;
const RUNG_AT_ONCE = 20;

let database: TestDatabase;
let db: Db;
let temporal: TestTemporal;
let issuer: Issuer;
let processes: Processes;
let providers: Providers;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  temporal = await createTestTemporal();
  issuer = await startIssuer();
  processes = await createProcesses({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    issuer: issuer.url,
    env: {
      SWEEP_INTERVAL_SECONDS: '3',
      ALPHA_POLL_INTERVAL_SECONDS: '5',
      ALPHA_BACKUP_POLL_INTERVAL_SECONDS: '5',
      RATE_LIMIT_WEBHOOKS: '0',
      LOG_LEVEL: 'info',
    },
  });
  providers = await startProviders(processes, 7);
  await processes.start('worker');
  await processes.start('api');
}, 180_000);
afterAll(async () => {
  await processes.close();
  await providers.close();
  await issuer.close();
  await temporal.close();
  await database.close();
});

/** The result that a sale must have in the end: whose points, and how many. */
type Truth = { buyer: Buyer | null; points: number };

const pointsOf = (amount: number) => Math.floor(amount / 10);
const pointsLeft = (amount: number, refunded: number) => {
  const earned = pointsOf(amount);
  return earned - Math.floor((earned * refunded) / amount);
};

/** Makes the nth sale, with a provider and kind that follow from n; returns what it must earn. */
function sell(shop: Shop, nth: number, buyers: { known: Buyer[]; strangers: Buyer[] }): Truth {
  const { alpha, beta } = providers;
  const isAlpha = nth % 5 < 3;
  const amount = 100 + ((nth * 37) % 5_000);
  const buyer = required(buyers.known[Math.floor(nth / 7) % BUYERS]);
  const stranger = required(buyers.strangers[Math.floor(nth / 7) % BUYERS]);
  const kind = Math.floor(nth / 15) % 10;
  const anonymous = { buyer: null, points: 0 };

  if (isAlpha) {
    const merchant = { merchantId: shop.alphaMerchantId, amount, tip: nth % 3 };
    const sale = { ...merchant, customerId: buyer.alphaId };
    switch (kind) {
      case 0:
        alpha.capture(alpha.ring({ ...sale, capture: 'later' }).id);
        break;
      case 1:
        alpha.cancel(alpha.ring({ ...sale, capture: 'later' }).id);
        return anonymous;
      case 2:
        alpha.ring({ ...merchant, customerId: stranger.alphaId, capture: 'at-once' });
        return anonymous;
      case 3: {
        const { id } = alpha.ring({ ...merchant, capture: 'at-once' });
        alpha.attachCustomer(id, buyer.alphaId);
        break;
      }
      case 4: {
        const refunded = Math.floor(amount / 3);
        alpha.refund(alpha.ring({ ...sale, capture: 'at-once' }).id, refunded);
        return { buyer, points: pointsLeft(amount, refunded) };
      }
      case 5:
        alpha.ring({ ...merchant, capture: 'declined', customerId: buyer.alphaId });
        return anonymous;
      case 6:
        alpha.ring({ ...merchant, buyerEmail: buyer.email.toUpperCase(), capture: 'at-once' });
        break;
      default:
        alpha.ring({ ...sale, capture: 'at-once' });
    }
    return { buyer, points: pointsOf(amount) };
  }

  const merchant = { merchantId: shop.betaMerchantId, amount, tip: nth % 3 };
  const sale = { ...merchant, customerId: buyer.betaId };
  switch (kind) {
    case 0:
      beta.settle(beta.ring({ ...sale, result: 'PENDING' }).id, 'SUCCESS');
      break;
    case 1:
      beta.settle(beta.ring({ ...sale, result: 'PENDING' }).id, 'FAIL');
      return anonymous;
    case 2:
      beta.ring({ ...merchant, customerId: stranger.betaId });
      return anonymous;
    case 3: {
      const { orderId } = beta.ring(merchant);
      beta.attachCustomer(required(orderId), buyer.betaId);
      break;
    }
    case 4: {
      const refunded = Math.floor(amount / 3);
      beta.refund(beta.ring(sale).id, refunded);
      return { buyer, points: pointsLeft(amount, refunded) };
    }
    case 5:
      beta.voidPayment(beta.ring(sale).id);
      return { buyer, points: 0 };
    case 6:
      beta.ring({ ...merchant, withoutOrder: true });
      return anonymous;
    default:
      beta.ring(sale);
  }
  return { buyer, points: pointsOf(amount) };
}

async function balances(): Promise<Map<string, number>> {
  const rows = await db('wallets as w')
    .join('users as u', 'u.id', 'w.userId')
    .select('u.email', 'w.balance');
  return new Map(rows.map(({ email, balance }) => [email, balance]));
}

it('credits every settled payment of a known customer once, under every fault', async () => {
  const shops: { shop: Shop; buyers: Awaited<ReturnType<typeof buyersOf>> }[] = [];
  for (let count = 0; count < SHOPS; count++) {
    const shop = await connectedShop({ db, api: processes.apiUrl, issuer }, providers);
    shops.push({ shop, buyers: await buyersOf(db, shop, providers, BUYERS) });
  }
  const allBuyers = shops.flatMap(({ buyers }) => buyers.known);
  const expected = new Map(allBuyers.map(({ email }) => [email, 0]));
  providers.alpha.setChaos(everyFault(SHARE));
  providers.beta.setChaos(everyFault(SHARE));

  for (let nth = 0; nth < PAYMENTS; nth++) {
    const { shop, buyers } = required(shops[nth % SHOPS]);
    const { buyer, points } = sell(shop, nth, buyers);
    if (buyer) expected.set(buyer.email, (expected.get(buyer.email) ?? 0) + points);
    // Cron polls and sweeps while Schedules do the same and webhooks arrive.
    if (nth % (PAYMENTS / RUNG_AT_ONCE) === 0) await runCron(processes);
  }
  await Promise.all([providers.alpha.idle(), providers.beta.idle()]);
  providers.alpha.setChaos({});
  providers.beta.setChaos({});

  const settled = async () => {
    // Events that failed often wait for long; here none does.
    await db('pending_events').update({ nextAttemptAt: db.fn.now() });
    await runCron(processes);
    return Object.fromEntries(await balances());
  };
  await expect
    .poll(settled, { timeout: 240_000, interval: 1_000 })
    .toEqual(Object.fromEntries(expected));
  const open = async () => {
    await settled();
    return eventRows(db).where({ processed: false }).select('provider', 'lastError');
  };
  // A run waits up to a minute before it asks the provider again.
  await expect.poll(open, { timeout: 240_000, interval: 1_000 }).toEqual([]);

  expect(Object.fromEntries(await balances())).toEqual(Object.fromEntries(expected));
  expect((await verifyLedger(db)).violations).toEqual([]);
  // Chaos may answer with this limit, but the service itself must never exceed it.
  expect(providers.beta.violations().filter(({ limit }) => /Concurrent/.test(limit))).toEqual([]);
}, 600_000);

/** The tokens that the service got from the providers, opened with the tests' keys. */
async function tokensInUse(): Promise<string[]> {
  const connections = await db('pos_connections').select<PosConnection[]>(CONNECTION_COLUMNS);
  return connections.flatMap(({ tenantId, provider, ...sealed }) => {
    const open = (text: Sealed | null, field: string) =>
      text === null ? [] : [testSealer.open(text, { tenantId, provider, field })];
    return [
      ...open(sealed.sealedAccessToken, 'access_token'),
      ...open(sealed.sealedRefreshToken, 'refresh_token'),
    ];
  });
}

it('leaves no token in any table, and no personal data in any run', async () => {
  const tokens = await tokensInUse();
  // Beta's have no refresh token.
  expect(tokens).toHaveLength(3 * SHOPS);
  const tables = await textOfTables(db);
  for (const token of tokens) expect(occursIn(tables, token)).toBe(false);

  const { runs, text } = await textOfRuns(temporal.client);
  expect(runs).toBeGreaterThan(20);
  for (const token of tokens) expect(text).not.toContain(token);
  const people = await db('users').whereNotNull('email').pluck('email');
  expect(people.length).toBeGreaterThan(SHOPS * BUYERS);
  for (const email of people) expect(text.toLowerCase()).not.toContain(email.toLowerCase());
}, 60_000);
