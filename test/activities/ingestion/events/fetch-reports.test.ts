import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { fetchReports } from '../../../../activities/ingestion/events/fetch-reports.ts';
import type { Resolved } from '../../../../activities/ingestion/events/read-events.ts';
import * as availability from '../../../../db/connections/availability.ts';
import * as waiting from '../../../../db/events/waiting.ts';
import { ConnectionId, type EventId } from '../../../../domain/ids.ts';
import { type Alpha, createAlpha } from '../../../../gateways/providers/alpha/client.ts';
import { ProviderError } from '../../../../gateways/providers/shared/error.ts';
import { anAlphaEvent, required, storedEvents, testSealer } from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { useAlphaShop } from '../../../support/providers/alpha-shop.ts';
import { closeEvents } from '../../../support/providers/events.ts';
import { anAlphaGateway } from '../../../support/providers/providers.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

const at = useAlphaShop(db);
const { aShop, aCustomer, asked, failAt } = at;
const eventsOf = (customerIds: string[], { merchantId } = at.shop) =>
  storedEvents(
    db,
    merchantId,
    customerIds.map((customerId) => anAlphaEvent(merchantId, { customerId })),
  );
const emailOf = (resolved: ReadonlyMap<EventId, Resolved>, id: EventId) =>
  resolved.get(id)?.payments[0]?.email;
const fetchFor = async (
  ids: readonly EventId[],
  alpha: Alpha = createAlpha({ environment: 'sandbox', origin: at.simulator.url }),
  signal: AbortSignal = new AbortController().signal,
) => {
  const resolved = new Map<EventId, Resolved>();
  const onResolved = async (id: EventId, answer: Resolved) => void resolved.set(id, answer);
  const fetched = await fetchReports(activityDeps(db, { alpha }), ids, { signal, onResolved });
  return { ...fetched, resolved };
};
const connectionOf = (of = at.shop) => db('pos_connections').where(of).first();
const stateOf = async (of = at.shop) => {
  const { id } = await connectionOf(of);
  return (await availability.read(db, ConnectionId.parse(id)))?.state;
};

describe('fetchReports, for payments with a customer', () => {
  it('fetches each customer once when it has several events', async () => {
    const [ada, bob] = [aCustomer('ada@example.com'), aCustomer('bob@example.com')];
    const ids = await eventsOf([ada, bob, ada, ada]);
    const { resolved, failures, early, away, left } = await fetchFor(ids);
    expect(ids.map((id) => emailOf(resolved, id))).toEqual([
      'ada@example.com',
      'bob@example.com',
      'ada@example.com',
      'ada@example.com',
    ]);
    expect([failures, early, away, left]).toEqual([[], [], [], []]);
    expect(asked().sort()).toEqual([ada, bob].map((id) => `/v2/customers/${id}`).sort());
  });

  it('looks up together what is asked at the same time, and opens each token once', async () => {
    const shops = [at.shop, await aShop(), await aShop()];
    const ids: EventId[] = [];
    for (const shop of shops) {
      const customers = [1, 2, 3, 4].map((nth) => aCustomer(`${nth}@shop.example`, shop));
      ids.push(...(await eventsOf(customers, shop)));
    }
    const lookUps: string[] = [];
    const note = ({ sql }: { sql: string }) => lookUps.push(sql);
    db.on('query', note);
    const open = vi.spyOn(testSealer, 'open');
    const { resolved } = await fetchFor(ids);
    db.off('query', note);
    expect(resolved.size).toBe(12);
    // The events, the connections, and which payments are decided.
    expect(lookUps).toHaveLength(3);
    expect(open).toHaveBeenCalledTimes(shops.length);
    open.mockRestore();
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
    await closeEvents(db, ids);
    const [none] = await storedEvents(db, at.shop.merchantId, [anAlphaEvent(at.shop.merchantId)]);
    await fetchFor([...ids, required(none)]);
    expect(asked()).toEqual([]);
  });

  it('fails events that the provider refuses for good, and resolves the others', async () => {
    const [fine, refused] = ['a', 'b'].map((name) => aCustomer(`${name}@example.com`));
    failAt(required(refused), 400);
    const ids = await eventsOf([required(fine), required(refused)]);
    const fetched = await fetchFor(ids);
    expect(ids.map((id) => emailOf(fetched.resolved, id))).toEqual(['a@example.com', undefined]);
    expect(fetched.failures).toEqual([
      { id: ids[1], error: 'ProviderError: alpha answered 400 ORDERED.' },
    ]);
  });

  it('lets events wait, without an attempt, when the tenant is no longer connected', async () => {
    const ids = await eventsOf([aCustomer('ada@example.com')]);
    await db('pos_connections').where(at.shop).update({ status: 'disconnected' });
    const { failures, away } = await fetchFor(ids);
    expect(failures).toEqual([]);
    expect(away).toMatchObject([
      { id: ids[0], error: expect.stringContaining('it has to connect again') },
    ]);
  });

  it('lets events of another account wait, which this one knows nothing of', async () => {
    const ids = await eventsOf([aCustomer('ada@example.com')]);
    await db('pos_connections').where(at.shop).update({ merchantId: 'ANOTHER' });
    const { away, resolved } = await fetchFor(ids);
    expect(away).toMatchObject([{ id: ids[0], waitMs: Number.POSITIVE_INFINITY }]);
    expect(resolved.size).toBe(0);
    expect(asked()).toEqual([]);
  });

  it('fails permanently when the token cannot be opened', async () => {
    const ids = await eventsOf([aCustomer('ada@example.com')]);
    const elsewhere = { tenantId: 'another', provider: 'alpha', field: 'access_token' };
    await db('pos_connections')
      .where(at.shop)
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
});

describe('fetchReports, from a provider that is away', () => {
  const many = (count: number) =>
    eventsOf(Array.from({ length: count }, (_, n) => aCustomer(`${n}@example.com`)));
  const probes = () => asked().filter((url) => url === '/v2/locations').length;
  const failAll = (path: string, status: number, retryAfterSeconds?: number) =>
    at.simulator.fail({
      path,
      status,
      code: 'ORDERED',
      times: 1_000,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });

  it('asks no more once it limits the rate, and nobody asks before it asked to', async () => {
    failAll('/v2/customers', 429, 300);
    const { away, failures, early } = await fetchFor(await many(20));
    expect([away.length, failures.length, early.length]).toEqual([20, 0, 0]);
    expect(away[0]?.waitMs).toBeGreaterThan(290_000);
    const before = asked().length;
    expect(before).toBeLessThanOrEqual(4);
    const again = await fetchFor(await many(3));
    expect(again.away).toHaveLength(3);
    expect(asked()).toHaveLength(before);
    expect(probes()).toBe(0);
  });

  it('probes it once after an error, and lets all events wait when that fails, too', async () => {
    failAll('/v2', 503);
    const { away, failures } = await fetchFor(await many(20));
    expect([away.length, failures.length]).toEqual([20, 0]);
    expect(probes()).toBe(1);
    expect(asked().length).toBeLessThanOrEqual(5);
    expect(await stateOf()).toBe('away');
  });

  it('probes it no more for an error that comes after the probe', async () => {
    let probed = 0;
    const silent = () => new ProviderError('It is away.', 503);
    const alpha: Alpha = {
      ...anAlphaGateway(),
      async listLocations() {
        probed += 1;
        throw silent();
      },
      async findCustomer(_, customerId) {
        if (customerId === 'LATE') {
          await expect.poll(() => stateOf()).toBe('away');
          await sleep(50);
        }
        throw silent();
      },
    };
    const { away, left } = await fetchFor(await eventsOf(['SOON', 'LATE']), alpha);
    expect([away.length, left.length, probed]).toEqual([2, 0, 1]);
  });

  it('asks again after its pause, by a probe first', async () => {
    const endPause = () => db('pos_connections').where(at.shop).update({ askAgainAt: new Date() });
    const ids = await many(1);
    at.simulator.fail({ path: '/v2/customers', status: 503, code: 'ORDERED' });
    at.simulator.fail({ path: '/v2/locations', status: 503, code: 'ORDERED', times: 2 });
    await fetchFor(ids);
    await endPause();
    expect((await fetchFor(ids)).away).toHaveLength(1);
    expect([probes(), asked().length]).toEqual([2, 3]);

    await endPause();
    const { resolved, away } = await fetchFor(ids);
    expect([resolved.size, away.length]).toEqual([1, 0]);
    expect(await stateOf()).toBe('answers');
  });

  it('calls it the event’s own fault when it answers about everything else', async () => {
    const [fine, bad] = [aCustomer('a@example.com'), aCustomer('b@example.com')];
    failAll(`/v2/customers/${bad}`, 500);
    const ids = await eventsOf([bad, fine]);
    const error = { id: ids[0], error: 'ProviderError: alpha answered 500 ORDERED.' };
    const first = await fetchFor(ids);
    expect(first).toMatchObject({ doubtful: [error], failures: [], away: [] });
    expect(first.resolved.size).toBe(1);
    expect(await stateOf()).toBe('answers');

    await waiting.recordDoubts(db, first.doubtful, false);
    expect(await fetchFor(ids)).toMatchObject({ doubtful: [], failures: [error], away: [] });
    expect(await stateOf()).toBe('answers');
  });

  it('neither asks nor probes for a merchant who must reconnect', async () => {
    const since = { needsReconnectSince: new Date(), askAgainAt: new Date(0) };
    await db('pos_connections').where(at.shop).update(since);
    const { away } = await fetchFor(await many(2));
    expect(away).toHaveLength(2);
    expect(asked()).toEqual([]);
  });

  it('leaves events without a fault when there is no time left', async () => {
    const ids = await many(2);
    const fetched = await fetchFor(ids, undefined, AbortSignal.abort());
    expect(fetched.left.sort()).toEqual([...ids].sort());
    expect(asked()).toEqual([]);
  });
});

describe('fetchReports, for refunds', () => {
  const refundEvent = (paymentId: string) =>
    Buffer.from(
      JSON.stringify({
        merchant_id: at.shop.merchantId,
        type: 'refund.updated',
        event_id: randomUUID(),
        data: { object: { refund: { payment_id: paymentId, status: 'COMPLETED' } } },
      }),
    );
  const store = async (body: Buffer) =>
    required((await storedEvents(db, at.shop.merchantId, [body]))[0]);

  it('fetches the payment with its total of refunds', async () => {
    const sale = { merchantId: at.shop.merchantId, amount: 900, capture: 'at-once' } as const;
    const { id } = at.simulator.ring({ ...sale, customerId: aCustomer('ada@example.com') });
    at.simulator.refund(id, 200);
    at.simulator.refund(id, 300);
    const event = await store(refundEvent(id));
    const { resolved } = await fetchFor([event]);
    expect(resolved.get(event)?.payments).toMatchObject([
      { providerPaymentId: id, refundedMinorUnits: 500, email: 'ada@example.com' },
    ]);
  });

  it('calls the event early when its payment cannot be read yet', async () => {
    const event = await store(refundEvent('NONE'));
    const { resolved, early, failures } = await fetchFor([event]);
    expect([resolved.size, failures.length]).toEqual([0, 0]);
    expect(early).toMatchObject([{ id: event, error: expect.stringContaining('yet') }]);
  });
});
