import { describe, expect, it } from 'vitest';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import { aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { startHttpServer } from '../../support/http/http-server.ts';
import { eventRows } from '../../support/providers/events.ts';
import { usePolledShop } from '../../support/providers/polled-shop.ts';

const { db } = await useDatabase();
const polled = usePolledShop(db);
const { points, row, sell, storeToken } = polled;

const poll = (options: { afterFirstPage?: () => void; url?: string } = {}) => {
  const { afterFirstPage, ...where } = options;
  let isFirst = true;
  const heartbeat = () => {
    if (isFirst) afterFirstPage?.();
    isFirst = false;
  };
  return polled.poll({ ...where, heartbeat });
};
const sellMany = (count: number, firstSecondsAgo: number, locationId?: string) => {
  const where = locationId === undefined ? {} : { locationId };
  for (let n = 0; n < count; n++) sell(firstSecondsAgo - n * 0.5, where);
};
const listed = () =>
  polled.alpha.journal().flatMap((entry) => {
    const url = new URL(entry.kind === 'request' ? entry.url : '/', polled.alpha.url);
    return url.pathname === '/v2/payments' ? [Object.fromEntries(url.searchParams)] : [];
  });
const failing = (code: string, status: number, path = '/v2/payments') =>
  polled.alpha.fail({ path, status, code });

const lastPolledAt = async (): Promise<Date | null> => {
  const { connectionId } = polled.shop;
  return (await db('connection_polls').where({ connectionId }).first('lastPolledAt')).lastPolledAt;
};

describe('pollConnection, with several locations', () => {
  it('reads a phone by the country of the location, as the listing tells it', async () => {
    const { tenantId, merchantId } = polled.shop;
    await db('tenants').where('id', tenantId).update({ country: 'CH' });
    const userId = await aUser(db, { phone: '+14155552671' });
    const customer = polled.alpha.addCustomer({ merchantId, phone: '(415) 555-2671' });
    sell(10, { customerId: customer.id });
    await storeToken();
    expect(await poll()).toMatchObject({ status: 'done', payments: 1 });
    expect(await db('wallets').where({ tenantId, userId }).pluck('balance')).toEqual([1]);
    const [location = ''] = polled.shop.locations;
    expect(await db('pos_connections').where({ tenantId }).pluck('location_countries')).toEqual([
      { [location]: 'US' },
    ]);
  });

  it('polls beside a busy location, and the lowest position is the watermark', async () => {
    await polled.openShop({ locations: 2 });
    const [busy = '', calm = ''] = polled.shop.locations;
    sellMany(2600, 3500, busy);
    sell(30, { locationId: calm });
    await storeToken();
    expect(await poll()).toMatchObject({ status: 'capped', pages: 25, payments: 2401 });
    const positions = await pollPositions.list(db, polled.shop.connectionId);
    const of = (id: string) => positions.find(({ locationId }) => locationId === id);
    expect(of(calm)?.isAtEnd).toBe(true);
    expect(of(busy)?.isAtEnd).toBe(false);
    expect((await row()).watermark).toEqual(of(busy)?.at);
    expect(await poll()).toMatchObject({ status: 'done' });
    expect(await points()).toBe(2601);
  }, 60_000);

  it('polls every location within two runs when there are more of them than pages', async () => {
    await polled.openShop({ locations: 30 });
    for (const locationId of polled.shop.locations) sell(60, { locationId });
    await storeToken();
    expect(await poll()).toMatchObject({ status: 'capped', payments: 25 });
    expect((await row()).watermark.getTime()).toBeLessThan(Date.now() - 3.5e6);
    expect(await lastPolledAt()).toBeNull();
    expect(await poll()).toMatchObject({ status: 'done' });
    expect(await points()).toBe(30);
    expect(new Set(listed().map(({ location_id }) => location_id)).size).toBe(30);
    // It has come to its end once all were polled, and does so again once all were again.
    const first = await lastPolledAt();
    expect(first).toBeInstanceOf(Date);
    expect(await poll()).toMatchObject({ status: 'capped' });
    expect(await lastPolledAt()).toEqual(first);
    expect(await poll()).toMatchObject({ status: 'done' });
    expect(await lastPolledAt()).not.toEqual(first);
  });

  it('advances the watermark when a location has no sales', async () => {
    await polled.openShop({ locations: 2 });
    const sold = sell(60);
    await storeToken();
    await poll();
    await poll();
    expect((await row()).watermark.toISOString()).toBe(sold.updated_at);
  });

  it('polls a location that was added later', async () => {
    sell(600);
    await storeToken();
    await poll();
    const { id: locationId } = polled.alpha.addLocation(polled.shop.merchantId, { name: 'New' });
    sell(5, { locationId });
    await poll();
    expect(await points()).toBe(2);
  });
});

describe('pollConnection, as it lists payments', () => {
  it('lists by update time, oldest first, in pages of 100', async () => {
    sellMany(101, 3000);
    await storeToken();
    await poll();
    const [first, second] = listed();
    expect(first).toEqual({
      location_id: polled.shop.locations[0],
      sort_field: 'UPDATED_AT',
      sort_order: 'ASC',
      limit: '100',
      updated_at_begin_time: expect.stringMatching(/Z$/),
    });
    expect(second).toEqual({ ...first, cursor: expect.any(String) });
  });

  it('credits a sale once it is captured, or once it has a customer', async () => {
    const { id: open } = sell(2000, { capture: 'later' });
    const { merchantId, buyer } = polled.shop;
    const anonymous = polled.alpha.ring({ merchantId, amount: 1, capture: 'at-once' });
    await storeToken();
    expect(await poll()).toMatchObject({ payments: 2, errors: 0 });
    expect(await points()).toBe(0);
    polled.now = new Date(polled.now.getTime() + 5);
    polled.alpha.capture(open);
    polled.alpha.attachCustomer(
      anonymous.id,
      polled.alpha.addCustomer({ merchantId, email: buyer.email }).id,
    );
    expect(await poll()).toMatchObject({ errors: 0 });
    expect(await points()).toBe(2);
  });

  it('continues from the last page when the cursor is refused', async () => {
    sellMany(250, 3000);
    await storeToken();
    const afterFirstPage = () => failing('INVALID_CURSOR', 400);
    const result = await poll({ afterFirstPage });
    expect(result).toMatchObject({ status: 'done', payments: 250, pages: 4, errors: 0 });
    expect(await points()).toBe(250);
  });

  it('lists by creation time, from a week earlier, when the API has no update time', async () => {
    sellMany(150, 3000);
    await storeToken();
    failing('UNKNOWN_QUERY_PARAMETER', 400);
    expect(await poll()).toMatchObject({ status: 'done', payments: 150, pages: 2, errors: 0 });
    expect(listed().slice(1)).toEqual([
      expect.not.objectContaining({ updated_at_begin_time: expect.anything() }),
      expect.objectContaining({ begin_time: expect.stringMatching(/Z$/), sort_order: 'ASC' }),
    ]);
    expect(await points()).toBe(150);
  });

  it('counts and reports unreadable payments, and credits the others', async () => {
    const at = new Date(Date.now() - 60_000).toISOString();
    const money = { amount: 5, currency: 'EUR' };
    const fine = { id: 'FINE', status: 'COMPLETED', created_at: at, amount_money: money };
    const buyer = { buyer_email_address: polled.shop.buyer.email };
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
    expect(await points()).toBe(10);
    const { lastError } = await row();
    expect(lastError).toMatch(/cannot be read\. Invalid alpha payload/);
    expect(lastError).not.toContain('@');
    // The one that names itself is tried again by the sweep.
    const { tenantId } = polled.shop;
    const events = await eventRows(db).where({ tenantId, processed: false });
    expect(events).toMatchObject([{ eventType: 'payment.listed', attempts: 1 }]);
  });
});

it('pollConnection ends, and says so, where pages lead nowhere', async () => {
  await storeToken();
  const before = await row();
  let pages = 0;
  const server = await startHttpServer(({ path }) => {
    if (path === '/v2/locations') return { status: 200, body: { locations: [{ id: 'L' }] } };
    pages += 1;
    return { status: 200, body: { cursor: `page-${pages}` } };
  });
  expect(await poll({ url: server.url })).toMatchObject({ status: 'capped', pages: 250 });
  await server.close();
  const { lastError, watermark } = await row();
  expect(lastError).toMatch(/more payments of one time/);
  expect(watermark).toEqual(before.watermark);
});

describe('pollConnection, for customers', () => {
  it('fetches each customer once when its sales have no contacts', async () => {
    const { merchantId, buyer } = polled.shop;
    const { id: customerId } = polled.alpha.addCustomer({ merchantId, email: buyer.email });
    for (const secondsAgo of [30, 20, 10]) sell(secondsAgo, { customerId });
    await storeToken();
    await poll();
    await poll();
    expect(await points()).toBe(3);
    const asked = polled.alpha
      .journal()
      .filter((entry) => JSON.stringify(entry).includes('/v2/customers'));
    expect(asked).toHaveLength(1);
  });

  it('stores the sale of a customer that alpha cannot read as an event, and goes on', async () => {
    const { merchantId, buyer, tenantId } = polled.shop;
    const { id: customerId } = polled.alpha.addCustomer({ merchantId, email: buyer.email });
    sell(1000, { customerId });
    sell(900);
    await storeToken();
    failing('SERVICE_UNAVAILABLE', 503, '/v2/customers');
    expect(await poll()).toMatchObject({ status: 'done', payments: 1, errors: 1 });
    expect(await points()).toBe(1);
    expect(await eventRows(db).where({ tenantId })).toMatchObject([
      { eventType: 'payment.listed', processed: false, attempts: 1 },
    ]);

    // A poll that lists it again, or the sweep by the event, brings it in once.
    expect(await poll()).toMatchObject({ status: 'done', errors: 0 });
    expect(await points()).toBe(2);
  });

  it('lists a page again when customers are rate limited, and loses no sale', async () => {
    const { merchantId, buyer, connectionId } = polled.shop;
    const { id: customerId } = polled.alpha.addCustomer({ merchantId, email: buyer.email });
    sell(3000, { customerId });
    sellMany(149, 2900);
    await storeToken();
    failing('RATE_LIMITED', 429, '/v2/customers');
    expect(await poll()).toMatchObject({ status: 'interrupted', errors: 1 });

    await db('pos_connections').where({ id: connectionId }).update({ askAgainAt: new Date() });
    expect(await poll()).toMatchObject({ status: 'done', errors: 0 });
    expect(await points()).toBe(150);
  });
});

describe('pollConnection, when the provider refuses', () => {
  it('ends the run and reports the error after 429, until the next success', async () => {
    sellMany(150, 3000);
    await storeToken();
    const result = await poll({
      afterFirstPage: () =>
        polled.alpha.fail({
          path: '/v2/payments',
          status: 429,
          code: 'RATE_LIMITED',
          retryAfterSeconds: 7,
        }),
    });
    expect(result).toEqual({
      status: 'interrupted',
      payments: 100,
      news: 100,
      pages: 1,
      errors: 1,
      retryAfterMs: 7_000,
    });
    expect(await points()).toBe(100);
    expect((await row()).lastError).toContain('429 RATE_LIMITED');

    // Alpha is not asked before the time it asked for, whoever polls.
    const requests = () => polled.alpha.journal().filter(({ kind }) => kind === 'request').length;
    const before = requests();
    const paused = await poll();
    expect(paused).toMatchObject({ status: 'interrupted', pages: 0, errors: 1 });
    expect(paused.retryAfterMs).toBeGreaterThan(5_000);
    expect(requests()).toBe(before);
    expect((await row()).lastError).toContain('429 RATE_LIMITED');

    await db('pos_connections')
      .where({ id: polled.shop.connectionId })
      .update({ askAgainAt: new Date() });
    expect(await poll()).toMatchObject({ status: 'done', payments: 50 });
    expect((await row()).lastError).toBeNull();
  });

  it('requires the merchant to connect again when the token is revoked', async () => {
    await storeToken();
    polled.alpha.revokeTokens(polled.shop.merchantId);
    expect(await poll()).toMatchObject({ status: 'needs_reconnect', payments: 0, errors: 1 });
    const { needsReconnectSince, lastError, leaseHolder } = await row();
    expect([needsReconnectSince, leaseHolder]).toEqual([expect.any(Date), null]);
    expect(lastError).toContain('connect again');
    failing('SERVICE_UNAVAILABLE', 503, '/v2/locations');
    expect(await poll()).toMatchObject({ status: 'interrupted' });
    expect((await row()).lastError).toContain('connect again');
  });

  it('fails without a retry after 403, until the next scheduled run', async () => {
    await storeToken();
    failing('INSUFFICIENT_SCOPES', 403);
    expect(await poll()).toMatchObject({ status: 'failed', errors: 1 });
    expect((await row()).lastError).toContain('403 INSUFFICIENT_SCOPES');
  });
});
