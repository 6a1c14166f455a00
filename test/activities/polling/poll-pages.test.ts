import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pollConnection } from '../../../activities/polling/poll-connection.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import type { AlphaSimulator } from '../../../sandbox/providers/alpha/simulator.ts';
import { eventRows } from '../../support/events.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { startHttpServer } from '../../support/http-server.ts';
import {
  aPolledShop,
  buyersPoints,
  connectionRow,
  type PolledShop,
  pollingDeps,
  startPolledAlpha,
  storeValidToken,
} from '../../support/polled-shop.ts';

let alpha: AlphaSimulator;
let now: Date;
let shop: PolledShop;
const database = await useDatabase();
const { db } = database;
beforeEach(async () => {
  now = new Date();
  alpha = await startPolledAlpha({ now: () => now });
  shop = await aPolledShop(db, alpha);
});
afterEach(() => alpha.stop());

let runs = 0;
const poll = (options: { afterFirstPage?: () => void; url?: string } = {}) => {
  let isFirst = true;
  const heartbeat = () => {
    if (isFirst) options.afterFirstPage?.();
    isFirst = false;
  };
  const deps = pollingDeps(db, options.url ?? alpha.url);
  return pollConnection(deps, shop.connectionId, { run: `run-${runs++}`, heartbeat });
};
type SaleOptions = { locationId?: string; customerId?: string; capture?: 'later' };
/** Records a sale of 1 minor unit at a time in the past. */
function sell(secondsAgo: number, options: SaleOptions = {}) {
  const present = now;
  now = new Date(present.getTime() - secondsAgo * 1000);
  const buyer = options.customerId === undefined ? { buyerEmail: shop.buyer.email } : {};
  const { merchantId } = shop;
  const payment = alpha.ring({
    capture: 'at-once',
    merchantId,
    amount: 1,
    ...buyer,
    ...options,
  });
  now = present;
  return payment;
}
const sellMany = (count: number, firstSecondsAgo: number, locationId?: string) => {
  const where = locationId === undefined ? {} : { locationId };
  for (let n = 0; n < count; n++) sell(firstSecondsAgo - n * 0.5, where);
};
const listed = () =>
  alpha.journal().flatMap((entry) => {
    const url = new URL(entry.kind === 'request' ? entry.url : '/', alpha.url);
    return url.pathname === '/v2/payments' ? [Object.fromEntries(url.searchParams)] : [];
  });
const failing = (code: string, status: number, path = '/v2/payments') =>
  alpha.fail({ path, status, code });

describe('pollConnection, with several locations', () => {
  it('polls beside a busy location, and the lowest position is the watermark', async () => {
    shop = await aPolledShop(db, alpha, { locations: 2 });
    const [busy = '', calm = ''] = shop.locations;
    sellMany(2600, 3500, busy);
    sell(30, { locationId: calm });
    await storeValidToken(db, alpha, shop);
    expect(await poll()).toMatchObject({ status: 'capped', pages: 25, payments: 2401 });
    const positions = await pollPositions.list(db, shop.connectionId);
    const of = (id: string) => positions.find(({ locationId }) => locationId === id);
    expect(of(calm)?.isAtEnd).toBe(true);
    expect(of(busy)?.isAtEnd).toBe(false);
    expect((await connectionRow(db, shop)).watermark).toEqual(of(busy)?.at);
    expect(await poll()).toMatchObject({ status: 'done' });
    expect(await buyersPoints(db, shop)).toBe(2601);
  }, 60_000);

  it('polls every location within two runs when there are more of them than pages', async () => {
    shop = await aPolledShop(db, alpha, { locations: 30 });
    for (const locationId of shop.locations) sell(60, { locationId });
    await storeValidToken(db, alpha, shop);
    expect(await poll()).toMatchObject({ status: 'capped', payments: 25 });
    expect((await connectionRow(db, shop)).watermark.getTime()).toBeLessThan(Date.now() - 3.5e6);
    await poll();
    expect(await buyersPoints(db, shop)).toBe(30);
    expect(new Set(listed().map(({ location_id }) => location_id)).size).toBe(30);
  });

  it('advances the watermark when a location has no sales', async () => {
    shop = await aPolledShop(db, alpha, { locations: 2 });
    const sold = sell(60);
    await storeValidToken(db, alpha, shop);
    await poll();
    await poll();
    expect((await connectionRow(db, shop)).watermark.toISOString()).toBe(sold.updated_at);
  });

  it('polls a location that was added later', async () => {
    sell(600);
    await storeValidToken(db, alpha, shop);
    await poll();
    const { id: locationId } = alpha.addLocation(shop.merchantId, { name: 'New' });
    sell(5, { locationId });
    await poll();
    expect(await buyersPoints(db, shop)).toBe(2);
  });
});

describe('pollConnection, as it lists payments', () => {
  it('lists by update time, oldest first, in pages of 100', async () => {
    sellMany(101, 3000);
    await storeValidToken(db, alpha, shop);
    await poll();
    const [first, second] = listed();
    expect(first).toEqual({
      location_id: shop.locations[0],
      sort_field: 'UPDATED_AT',
      sort_order: 'ASC',
      limit: '100',
      updated_at_begin_time: expect.stringMatching(/Z$/),
    });
    expect(second).toEqual({ ...first, cursor: expect.any(String) });
  });

  it('credits a sale once it is captured, or once it has a customer', async () => {
    const { id: open } = sell(2000, { capture: 'later' });
    const { merchantId, buyer } = shop;
    const anonymous = alpha.ring({ merchantId, amount: 1, capture: 'at-once' });
    await storeValidToken(db, alpha, shop);
    expect(await poll()).toMatchObject({ payments: 2, errors: 0 });
    expect(await buyersPoints(db, shop)).toBe(0);
    now = new Date(now.getTime() + 5);
    alpha.capture(open);
    alpha.attachCustomer(anonymous.id, alpha.addCustomer({ merchantId, email: buyer.email }).id);
    expect(await poll()).toMatchObject({ errors: 0 });
    expect(await buyersPoints(db, shop)).toBe(2);
  });

  it('continues from the last page when the cursor is refused', async () => {
    sellMany(250, 3000);
    await storeValidToken(db, alpha, shop);
    const afterFirstPage = () => failing('INVALID_CURSOR', 400);
    const result = await poll({ afterFirstPage });
    expect(result).toMatchObject({ status: 'done', payments: 250, pages: 4, errors: 0 });
    expect(await buyersPoints(db, shop)).toBe(250);
  });

  it('lists by creation time, from a week earlier, when the API has no update time', async () => {
    sellMany(150, 3000);
    await storeValidToken(db, alpha, shop);
    failing('UNKNOWN_QUERY_PARAMETER', 400);
    expect(await poll()).toMatchObject({ status: 'done', payments: 150, pages: 2, errors: 0 });
    expect(listed().slice(1)).toEqual([
      expect.not.objectContaining({ updated_at_begin_time: expect.anything() }),
      expect.objectContaining({ begin_time: expect.stringMatching(/Z$/), sort_order: 'ASC' }),
    ]);
    expect(await buyersPoints(db, shop)).toBe(150);
  });

  it('counts and reports unreadable payments, and credits the others', async () => {
    const at = new Date(Date.now() - 60_000).toISOString();
    const money = { amount: 5, currency: 'EUR' };
    const fine = { id: 'FINE', status: 'COMPLETED', created_at: at, amount_money: money };
    const buyer = { buyer_email_address: shop.buyer.email };
    const strange = { id: 'STRANGE', updated_at: at, buyer_email_address: 'ada@example.com' };
    const payments = [{ ...fine, ...buyer }, strange, 7, { ...fine, ...buyer, id: 'ALSO' }];
    const server = await startHttpServer(({ path }) => ({
      status: 200,
      body: path === '/v2/locations' ? { locations: [{ id: 'L' }] } : { payments },
    }));
    expect(await poll({ url: server.url })).toMatchObject({
      status: 'done',
      payments: 2,
      errors: 2,
    });
    await server.close();
    expect(await buyersPoints(db, shop)).toBe(10);
    const { lastError } = await connectionRow(db, shop);
    expect(lastError).toMatch(/cannot be read\. Invalid alpha payload/);
    expect(lastError).not.toContain('@');
    // The one that names itself is tried again by the sweep.
    const { tenantId } = shop;
    const events = await eventRows(db).where({ tenantId, processed: false });
    expect(events).toMatchObject([{ eventType: 'poll.payment_failed', attempts: 1 }]);
  });
});

describe('pollConnection, for customers', () => {
  it('fetches each customer once when its sales have no contacts', async () => {
    const { merchantId, buyer } = shop;
    const { id: customerId } = alpha.addCustomer({ merchantId, email: buyer.email });
    for (const secondsAgo of [30, 20, 10]) sell(secondsAgo, { customerId });
    await storeValidToken(db, alpha, shop);
    await poll();
    await poll();
    expect(await buyersPoints(db, shop)).toBe(3);
    const asked = alpha
      .journal()
      .filter((entry) => JSON.stringify(entry).includes('/v2/customers'));
    expect(asked).toHaveLength(1);
  });

  it('stores the sale of a customer that alpha cannot read as an event, and goes on', async () => {
    const { merchantId, buyer, tenantId } = shop;
    const { id: customerId } = alpha.addCustomer({ merchantId, email: buyer.email });
    sell(1000, { customerId });
    sell(900);
    await storeValidToken(db, alpha, shop);
    failing('SERVICE_UNAVAILABLE', 503, '/v2/customers');
    expect(await poll()).toMatchObject({ status: 'done', payments: 1, errors: 1 });
    expect(await buyersPoints(db, shop)).toBe(1);
    expect(await eventRows(db).where({ tenantId })).toMatchObject([
      { eventType: 'poll.payment_failed', processed: false, attempts: 1 },
    ]);

    // A poll that lists it again, or the sweep by the event, brings it in once.
    expect(await poll()).toMatchObject({ status: 'done', errors: 0 });
    expect(await buyersPoints(db, shop)).toBe(2);
  });
});

describe('pollConnection, when the provider refuses', () => {
  it('ends the run and reports the error after 429, until the next success', async () => {
    sellMany(150, 3000);
    await storeValidToken(db, alpha, shop);
    const result = await poll({
      afterFirstPage: () =>
        alpha.fail({
          path: '/v2/payments',
          status: 429,
          code: 'RATE_LIMITED',
          retryAfterSeconds: 7,
        }),
    });
    expect(result).toEqual({
      status: 'interrupted',
      payments: 100,
      pages: 1,
      errors: 1,
      retryAfterMs: 7_000,
    });
    expect(await buyersPoints(db, shop)).toBe(100);
    expect((await connectionRow(db, shop)).lastError).toContain('429 RATE_LIMITED');

    // Alpha is not asked before the time it asked for, whoever polls.
    const requests = () => alpha.journal().filter(({ kind }) => kind === 'request').length;
    const before = requests();
    const paused = await poll();
    expect(paused).toMatchObject({ status: 'interrupted', pages: 0, errors: 1 });
    expect(paused.retryAfterMs).toBeGreaterThan(5_000);
    expect(requests()).toBe(before);
    expect((await connectionRow(db, shop)).lastError).toContain('429 RATE_LIMITED');

    await db('pos_connections').where({ id: shop.connectionId }).update({ askAgainAt: new Date() });
    expect(await poll()).toMatchObject({ status: 'done', payments: 50 });
    expect((await connectionRow(db, shop)).lastError).toBeNull();
  });

  it('requires the merchant to connect again when the token is revoked', async () => {
    await storeValidToken(db, alpha, shop);
    alpha.revokeTokens(shop.merchantId);
    expect(await poll()).toMatchObject({ status: 'needs_reconnect', payments: 0, errors: 1 });
    const { needsReconnectSince, lastError, leaseHolder } = await connectionRow(db, shop);
    expect([needsReconnectSince, leaseHolder]).toEqual([expect.any(Date), null]);
    expect(lastError).toContain('connect again');
    failing('SERVICE_UNAVAILABLE', 503, '/v2/locations');
    expect(await poll()).toMatchObject({ status: 'interrupted' });
    expect((await connectionRow(db, shop)).lastError).toContain('connect again');
  });

  it('fails without a retry after 403, until the next scheduled run', async () => {
    await storeValidToken(db, alpha, shop);
    failing('INSUFFICIENT_SCOPES', 403);
    expect(await poll()).toMatchObject({ status: 'failed', errors: 1 });
    expect((await connectionRow(db, shop)).lastError).toContain('403 INSUFFICIENT_SCOPES');
  });
});
