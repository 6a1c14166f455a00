import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCronJobs } from '../../../api/cron-jobs.ts';
import { connect } from '../../../db/connection.ts';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import { createAlpha } from '../../../gateways/providers/alpha/client.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { createMetrics } from '../../../gateways/telemetry/metrics.ts';
import { anAlphaEvent, storedEvents, testKeys } from '../../support/factories.ts';
import { useApp } from '../../support/fixtures.ts';
import { CRON_SECRET } from '../../support/http/serve-routes.ts';
import { eventRows, forgetEvents } from '../../support/providers/events.ts';
import { testOAuth } from '../../support/providers/oauth.ts';
import {
  aPolledShop,
  buyersPoints,
  connectionRow,
  type PolledShop,
  startPolledAlpha,
  storeValidToken,
} from '../../support/providers/polled-shop.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const POLL = '/api/v1/internal/cron/alpha-poll-payments';
const SWEEP = '/api/v1/internal/cron/process-pending-webhooks';

// Without Temporal, because that is when these endpoints are needed most.
let shop: PolledShop;
const alpha = await startPolledAlpha();
const origin = alpha.url;
const app = await useApp({
  providers: {
    alpha: createAlpha({ environment: 'sandbox', origin }),
    oauth: testOAuth({ alpha: origin, beta: 'http://127.0.0.1:9' }),
  },
});
afterAll(() => alpha.stop());
beforeEach(async () => {
  shop = await aPolledShop(app.db, alpha);
});
afterEach(async () => {
  await app.db('pos_connections').update({ status: 'disconnected' });
  await forgetEvents(app.owner);
});

const run = async (path: string, secret = CRON_SECRET) => {
  const headers = { 'x-cron-secret': secret };
  const { status, body } = await app.call({ method: 'POST', path, headers });
  return { status, body };
};
const sell = (count: number, { merchantId, buyer } = shop) => {
  for (let n = 0; n < count; n++) {
    alpha.ring({ merchantId, amount: 1, buyerEmail: buyer.email, capture: 'at-once' });
  }
};
const aSellingShop = async (count: number) => {
  const other = await aPolledShop(app.db, alpha);
  sell(count, other);
  await storeValidToken(app.db, alpha, other);
  return other;
};

describe.each([POLL, SWEEP])('POST %s', (path) => {
  it('401 UNAUTHORIZED without the secret, or with another one', async () => {
    for (const headers of [{}, { 'x-cron-secret': '' }, { 'x-cron-secret': `${CRON_SECRET}x` }]) {
      const { status, body } = await app.call({ method: 'POST', path, headers });
      expect([status, body]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
    }
  });

  it('200 with every configured secret', async () => {
    expect((await run(path, 'another secret, going out')).status).toBe(200);
  });
});

describe('POST /internal/cron/alpha-poll-payments', () => {
  const counted = (counts: object) => ({ status: 200, body: { ok: true, ...counts } });

  it('200 with the counts, and every connected account is polled', async () => {
    const shops = [shop, ...(await Promise.all([aSellingShop(3), aSellingShop(4)]))];
    sell(2);
    await storeValidToken(app.db, alpha, shop);
    const counts = { connectionsScanned: 3, paymentsProcessed: 9, errors: 0 };
    expect(await run(POLL)).toEqual(counted(counts));
    expect(await Promise.all(shops.map((each) => buyersPoints(app.db, each)))).toEqual([2, 3, 4]);
  });

  it('200 with a failed account counted; its merchant sees why, others are polled', async () => {
    await storeValidToken(app.db, alpha, shop);
    alpha.revokeTokens(shop.merchantId);
    const fine = await Promise.all([1, 2, 3, 4, 5, 6].map(aSellingShop));
    const counts = { connectionsScanned: 7, paymentsProcessed: 21, errors: 1 };
    expect(await run(POLL)).toEqual(counted(counts));
    for (const [index, each] of fine.entries()) {
      expect(await buyersPoints(app.db, each)).toBe(index + 1);
    }
    expect((await connectionRow(app.db, shop)).lastError).toContain('connect again');
  });

  it('200 even if all accounts fail', async () => {
    await aPolledShop(app.db, alpha);
    const counts = { connectionsScanned: 2, paymentsProcessed: 0, errors: 2 };
    expect(await run(POLL)).toEqual(counted(counts));
  });

  it('200 with a leased account counted as scanned, without a disconnected one', async () => {
    const { connectionId } = await aSellingShop(1);
    const lease = { connectionId, holder: randomUUID() };
    await pollLeases.takeLease(app.db, lease, 'the run of a Schedule');
    await app
      .db('pos_connections')
      .where({ id: shop.connectionId })
      .update({ status: 'disconnected' });
    const counts = { connectionsScanned: 1, paymentsProcessed: 0, errors: 0 };
    expect(await run(POLL)).toEqual(counted(counts));
  });

  it('200 for two at once, which poll each account once', async () => {
    const other = await aSellingShop(150);
    await app
      .db('pos_connections')
      .where({ id: shop.connectionId })
      .update({ status: 'disconnected' });
    const bodies = (await Promise.all([run(POLL), run(POLL)])).map(({ body }) => body);
    const processed = bodies.map((body) => Object(body).paymentsProcessed);
    expect(processed.sort((a, b) => a - b)).toEqual([0, 150]);
    expect(await buyersPoints(app.db, other)).toBe(150);
  });
});

describe('POST /internal/cron/process-pending-webhooks', () => {
  const counted = (scanned: number, failed: number) => ({
    status: 200,
    body: { ok: true, scanned, succeeded: scanned - failed, failed, limit: 200 },
  });
  const store = (bodies: Buffer[]) => storedEvents(app.db, shop.merchantId, bodies);
  const good = () => anAlphaEvent(shop.merchantId, { email: shop.buyer.email, amount: 1 });
  const poisoned = () => anAlphaEvent(shop.merchantId, { amount: -5 });
  const row = (id: string) => eventRows(app.db).where({ id }).first();

  it('200, and stored events are ingested at once', async () => {
    const [id = ''] = await store([good()]);
    expect(await run(SWEEP)).toEqual(counted(1, 0));
    expect(await row(id)).toMatchObject({ processed: true, outcome: 'credited' });
    expect(await buyersPoints(app.db, shop)).toBe(1);
    expect(await run(SWEEP)).toEqual(counted(0, 0));
  });

  it('200, and alpha is asked for the customer that an event names', async () => {
    await storeValidToken(app.db, alpha, shop);
    const { merchantId, buyer } = shop;
    const { id: customerId } = alpha.addCustomer({ merchantId, email: buyer.email });
    await store([anAlphaEvent(merchantId, { customerId, amount: 7 })]);
    expect(await run(SWEEP)).toEqual(counted(1, 0));
    expect(await buyersPoints(app.db, shop)).toBe(7);
  });

  it('200 with failed events counted, each with its error, even if alpha fails', async () => {
    await storeValidToken(app.db, alpha, shop);
    alpha.fail({ path: '/v2/customers', status: 503, code: 'SERVICE_UNAVAILABLE' });
    const waiting = anAlphaEvent(shop.merchantId, { customerId: 'C1' });
    const [broken = '', later = ''] = await store([poisoned(), waiting]);
    expect(await run(SWEEP)).toEqual(counted(2, 2));
    expect(await row(broken)).toMatchObject({ processed: false, attempts: 1 });
    expect((await row(broken)).lastError).toContain('amount');
    expect((await row(later)).lastError).toContain('503');
  });

  it('200, and events that always fail never starve others', async () => {
    await store(Array.from({ length: 205 }, poisoned));
    await app.db('pending_events').update({ nextAttemptAt: app.db.raw(`now() - interval '1 h'`) });
    await store(Array.from({ length: 5 }, good));
    expect(await run(SWEEP)).toEqual(counted(200, 200));
    // Those that are due come first, and those that back off by their own fault after them.
    expect(await run(SWEEP)).toEqual(counted(200, 195));
    expect(await buyersPoints(app.db, shop)).toBe(5);
    expect(await run(SWEEP)).toEqual(counted(200, 200));
  });

  it('200 without what waits for a provider that is away, until it answers a probe', async () => {
    await storeValidToken(app.db, alpha, shop);
    const { merchantId, buyer } = shop;
    const { id: customerId } = alpha.addCustomer({ merchantId, email: buyer.email });
    alpha.fail({ path: '/v2', status: 429, code: 'RATE_LIMITED', retryAfterSeconds: 300 });
    await store([anAlphaEvent(merchantId, { customerId, amount: 7 })]);
    const requests = () => alpha.journal().filter(({ kind }) => kind === 'request').length;
    expect(await run(SWEEP)).toEqual(counted(1, 1));
    const before = requests();
    expect(await run(SWEEP)).toEqual(counted(0, 0));
    expect(requests()).toBe(before);

    await app.db('pos_connections').update({ askAgainAt: new Date() });
    expect(await run(SWEEP)).toEqual(counted(1, 0));
    expect(await buyersPoints(app.db, shop)).toBe(7);
  });

  it('200 without events older than 7 days, leased by a run, or of no tenant', async () => {
    const [old = '', held = ''] = await store([good(), good()]);
    await storedEvents(app.db, 'a merchant nobody knows', [good()]);
    const change = (id: string, values: object) =>
      app.db('pending_events').where({ id }).update(values);
    await change(old, { receivedAt: app.db.raw(`now() - interval '7 days 1 minute'`) });
    await change(held, { leasedUntil: app.db.raw(`now() + interval '1 minute'`) });
    expect(await run(SWEEP)).toEqual(counted(0, 0));
  });

  it('200, and events whose own run is at them are waited for', async () => {
    const [id = ''] = await store([good()]);
    const busy = connect(app.databaseUrl, 2, 'loyalty-test-busy');
    const metrics = createMetrics('api');
    const nap = () => busy.raw('select pg_sleep(0.3)').then(() => undefined);
    let holding: Promise<unknown> | undefined;
    const cron = createCronJobs({
      ...activityDeps(busy, {
        metrics: {
          ...metrics,
          batchTaken() {
            // The events are leased by now. Before they are read, their own run locks one.
            holding ??= Promise.all([
              nap(),
              nap(),
              app.db.transaction(async (tx) => {
                await tx('pending_events').where({ id }).forUpdate().first('id');
                await tx.raw('select pg_sleep(0.6)');
              }),
            ]);
          },
        },
      }),
      refunds: 'reverse',
      keys: testKeys,
      log: createLogger({ level: 'silent', service: 'test' }),
    });
    expect(await cron.processPending()).toMatchObject({ scanned: 1, succeeded: 1 });
    await holding;
    await busy.destroy();
  });

  it('200 for two at once, which ingest each event once', async () => {
    await store(Array.from({ length: 100 }, good));
    const answers = await Promise.all([run(SWEEP), run(SWEEP)]);
    const scanned = answers.map(({ body }) => Object(body).scanned);
    expect(scanned.reduce((sum, each) => sum + each, 0)).toBe(100);
    expect(await buyersPoints(app.db, shop)).toBe(100);
  });
});
