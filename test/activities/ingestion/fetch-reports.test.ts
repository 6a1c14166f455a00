import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FetchedReports,
  fetchReports,
  resolveCustomers,
} from '../../../activities/ingestion/fetch-reports.ts';
import { ingestListedPayments } from '../../../activities/ingestion/ingest-payments.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import type { EventId, TenantId } from '../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import { type Alpha, createAlpha } from '../../../gateways/alpha/client.ts';
import { readAlphaReport } from '../../../gateways/alpha/payloads.ts';
import { ProviderError } from '../../../gateways/provider/error.ts';
import { type AlphaSimulator, startAlpha } from '../../../sandbox/providers/alpha/simulator.ts';
import { activityDeps, anAlphaGateway } from '../../support/activity-deps.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
  testPolicy,
  testSealer,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

let simulator: AlphaSimulator;
const database = await useDatabase();
const { db } = database;

type Shop = { tenantId: TenantId; merchantId: string };
let shop: Shop;
beforeEach(async () => {
  simulator = await startAlpha({
    port: 0,
    appId: 'app',
    appSecret: 'secret',
    signatureKey: 'key',
    seed: 5,
    webhookUrl: 'http://127.0.0.1:9/nobody',
  });
  shop = await aShop();
});
afterEach(() => simulator.stop());

/** Creates a tenant that is connected to a merchant of the simulator. */
async function aShop(): Promise<Shop> {
  const merchantId = `M-${randomUUID()}`;
  simulator.addMerchant({ id: merchantId, name: 'Shop' });
  const { accessToken } = simulator.issueToken(merchantId);
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId, accessToken });
  return { tenantId, merchantId };
}

const aCustomer = (email: string, { merchantId } = shop) =>
  simulator.addCustomer({ merchantId, email }).id;
const eventsOf = (customerIds: string[], { merchantId } = shop) =>
  storedEvents(
    db,
    merchantId,
    customerIds.map((customerId) => anAlphaEvent(merchantId, { customerId })),
  );
const emailOf = (resolved: FetchedReports['resolved'], id: EventId) =>
  resolved.get(id)?.payments[0]?.email;
const fetchFor = (
  ids: Awaited<ReturnType<typeof eventsOf>>,
  alpha: Alpha = createAlpha({ environment: 'sandbox', origin: simulator.url }),
) => fetchReports(activityDeps(db, { alpha }), ids);
const asked = () =>
  simulator.journal().flatMap((entry) => (entry.kind === 'request' ? [entry.url] : []));
const failAt = (customerId: string, status: number, retryAfterSeconds?: number) =>
  simulator.fail({
    path: `/v2/customers/${customerId}`,
    status,
    code: 'ORDERED',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

describe('fetchReports, for payments with a customer', () => {
  it('fetches each customer once when it has several events', async () => {
    const [ada, bob] = [aCustomer('ada@example.com'), aCustomer('bob@example.com')];
    const ids = await eventsOf([ada, bob, ada, ada]);
    const { resolved, failures, postponed } = await fetchFor(ids);
    expect(ids.map((id) => emailOf(resolved, id))).toEqual([
      'ada@example.com',
      'bob@example.com',
      'ada@example.com',
      'ada@example.com',
    ]);
    expect([failures, postponed]).toEqual([[], []]);
    expect(asked().sort()).toEqual([ada, bob].map((id) => `/v2/customers/${id}`).sort());
  });

  it('uses the token of each event’s own tenant', async () => {
    const other = await aShop();
    const [ada, bob] = [aCustomer('ada@example.com'), aCustomer('bob@example.com', other)];
    const [own] = await eventsOf([ada]);
    const [foreign, stolen] = await eventsOf([bob, ada], other);
    const { resolved } = await fetchFor([own, foreign, stolen].map(required));
    expect(emailOf(resolved, required(own))).toBe('ada@example.com');
    expect(emailOf(resolved, required(foreign))).toBe('bob@example.com');
    expect(emailOf(resolved, required(stolen))).toBeNull();
  });

  it('returns no contacts when the provider does not know the customer', async () => {
    const [id] = await eventsOf(['NONE']);
    const { resolved } = await fetchFor([required(id)]);
    expect(resolved.get(required(id))).toMatchObject({
      isComplete: true,
      payments: [{ email: null, phone: null, providerCustomerId: 'NONE' }],
    });
  });

  it('sends no request when an event is processed or has no customer', async () => {
    const ids = await eventsOf([aCustomer('ada@example.com')]);
    await db('webhook_events').whereIn('id', ids).update({ processed: true, outcome: 'ignored' });
    const [none] = await storedEvents(db, shop.merchantId, [anAlphaEvent(shop.merchantId)]);
    await fetchFor([...ids, required(none)]);
    expect(asked()).toEqual([]);
  });

  it('postpones transient failures, fails permanent ones, and resolves the others', async () => {
    const customers = ['a', 'b', 'c', 'd'].map((name) => aCustomer(`${name}@example.com`));
    const [fine, busy, broken, refused] = customers.map(required);
    failAt(required(busy), 429, 7);
    failAt(required(broken), 503);
    failAt(required(refused), 400);
    const ids = await eventsOf(customers);
    const fetched = await fetchFor(ids);

    expect(ids.map((id) => emailOf(fetched.resolved, id))).toEqual([
      'a@example.com',
      undefined,
      undefined,
      undefined,
    ]);
    expect(fine).toBeDefined();
    expect(new Set(fetched.postponed.map(({ error }) => error))).toEqual(
      new Set([
        'ProviderError: alpha answered 429 ORDERED.',
        'ProviderError: alpha answered 503 ORDERED.',
      ]),
    );
    expect(fetched.failures).toEqual([
      { id: ids[3], error: 'ProviderError: alpha answered 400 ORDERED.' },
    ]);
    expect(fetched.retryAfterMs).toBe(7_000);
  });

  it('fails permanently with a reason when the tenant is no longer connected', async () => {
    const ids = await eventsOf([aCustomer('ada@example.com')]);
    await db('pos_connections').where(shop).update({ status: 'disconnected' });
    const { failures, postponed } = await fetchFor(ids);
    expect(postponed).toEqual([]);
    expect(failures).toMatchObject([
      { id: ids[0], error: expect.stringContaining('it has to connect again') },
    ]);
  });

  it('fails permanently when the token cannot be opened', async () => {
    const ids = await eventsOf([aCustomer('ada@example.com')]);
    const elsewhere = { tenantId: 'another', provider: 'alpha', field: 'access_token' };
    await db('pos_connections')
      .where(shop)
      .update({ sealedAccessToken: testSealer.seal('moved', elsewhere) });
    const { failures } = await fetchFor(ids);
    expect(failures).toHaveLength(1);
    expect(asked()).toEqual([]);
  });

  it('sends at most four concurrent requests per tenant, and delays no other tenant', async () => {
    const other = await aShop();
    const ids = await eventsOf(Array.from({ length: 12 }, (_, index) => `C${index}`));
    const foreign = await eventsOf(['OTHER'], other);
    let open = 0;
    const most: number[] = [];
    const release: (() => void)[] = [];
    const alpha: Alpha = {
      ...anAlphaGateway(),
      async findCustomer(_, customerId) {
        if (customerId === 'OTHER') {
          for (const resume of release) resume();
          return null;
        }
        open += 1;
        most.push(open);
        await Promise.race([
          new Promise<void>((resolve) => release.push(resolve)),
          new Promise<void>((resolve) => setTimeout(resolve, 5)),
        ]);
        open -= 1;
        return null;
      },
    };
    const { resolved } = await fetchFor([...ids, ...foreign], alpha);
    expect(resolved.size).toBe(13);
    expect(Math.max(...most)).toBe(4);
  });

  it('returns the longest wait that the provider requested', async () => {
    const waits = new Map([
      ['A', 3_000],
      ['B', 9_000],
      ['C', 6_000],
    ]);
    const alpha: Alpha = {
      ...anAlphaGateway(),
      findCustomer: async (_, id) => {
        throw new ProviderError('alpha answered 429.', 429, { retryAfterMs: waits.get(id) });
      },
    };
    const fetched = await fetchFor(await eventsOf([...waits.keys()]), alpha);
    expect(fetched).toMatchObject({ retryAfterMs: 9_000, failures: [] });
    expect(fetched.postponed).toHaveLength(3);
  });
});

describe('fetchReports, for refunds', () => {
  const refundEvent = (paymentId: string) =>
    Buffer.from(
      JSON.stringify({
        merchant_id: shop.merchantId,
        type: 'refund.updated',
        event_id: randomUUID(),
        data: { object: { refund: { payment_id: paymentId, status: 'COMPLETED' } } },
      }),
    );
  const store = async (body: Buffer) =>
    required((await storedEvents(db, shop.merchantId, [body]))[0]);

  it('fetches the payment with its total of refunds', async () => {
    const sale = { merchantId: shop.merchantId, amount: 900, capture: 'at-once' } as const;
    const { id } = simulator.ring({ ...sale, customerId: aCustomer('ada@example.com') });
    simulator.refund(id, 200);
    simulator.refund(id, 300);
    const event = await store(refundEvent(id));
    const { resolved } = await fetchFor([event]);
    expect(resolved.get(event)?.payments).toMatchObject([
      { providerPaymentId: id, refundedMinorUnits: 500, email: 'ada@example.com' },
    ]);
  });

  it('postpones the event when its payment cannot be read yet', async () => {
    const event = await store(refundEvent('NONE'));
    const { resolved, postponed, failures } = await fetchFor([event]);
    expect([resolved.size, failures.length]).toEqual([0, 0]);
    expect(postponed).toMatchObject([{ id: event, error: expect.stringContaining('yet') }]);
  });
});

describe('resolveCustomers', () => {
  const connection = async () =>
    required((await posConnections.listActive(db, 'alpha', [shop.tenantId]))[0]);
  const resolve = async (payments: NormalizedPayment[]) => {
    const alpha = createAlpha({ environment: 'sandbox', origin: simulator.url });
    return resolveCustomers(activityDeps(db, { alpha }), await connection(), payments);
  };
  const listed = (id: string, some: Partial<NormalizedPayment> = {}): NormalizedPayment => {
    const report = readAlphaReport(anAlphaEvent(shop.merchantId, { id }));
    if (report.kind !== 'payment') throw new Error('The event reports no payment.');
    return { ...report.payment, ...some };
  };

  it('adds contacts, and omits payments whose customer is temporarily unavailable', async () => {
    const [ada, bob] = [aCustomer('ada@example.com'), aCustomer('bob@example.com')];
    failAt(bob, 503);
    const eve = aCustomer('eve@example.com');
    failAt(eve, 400);
    const { payments, unresolved } = await resolve([
      listed('P1', { providerCustomerId: ada }),
      listed('P2', { providerCustomerId: bob }),
      listed('P3'),
      listed('P4', { providerCustomerId: ada, email: 'own@example.com' }),
      listed('P5', { providerCustomerId: eve }),
    ]);
    expect(payments.map(({ providerPaymentId, email }) => [providerPaymentId, email])).toEqual([
      ['P1', 'ada@example.com'],
      ['P3', null],
      ['P4', 'own@example.com'],
      ['P5', null],
    ]);
    expect(unresolved).toBe(1);
    expect(asked().filter((url) => url.includes(ada))).toHaveLength(1);
  });

  it('sends no request when the payment has its consumer', async () => {
    await aRule(db, shop.tenantId);
    await aUser(db, { email: 'known@example.com' });
    const payment = listed('P1', { email: 'known@example.com' });
    await ingestListedPayments(db, [{ ...shop, tenantCountry: null, payment }], testPolicy);
    await resolve([listed('P1', { providerCustomerId: aCustomer('ada@example.com') })]);
    expect(asked()).toEqual([]);
  });
});
