import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fetchCustomers } from '../../activities/customers.ts';
import type { Db } from '../../db/connection.ts';
import type { TenantId } from '../../domain/ids.ts';
import { type Alpha, createAlpha } from '../../gateways/alpha.ts';
import { ProviderError } from '../../gateways/provider-error.ts';
import { type AlphaSimulator, startAlpha } from '../../sandbox/alpha/simulator.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  required,
  storedEvents,
  testSecrets,
} from '../support/factories.ts';

let database: TestDatabase;
let db: Db;
let simulator: AlphaSimulator;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

type Shop = { tenantId: TenantId; merchantId: string };
let shop: Shop;
beforeEach(async () => {
  simulator = await startAlpha({
    ...{ port: 0, appId: 'app', appSecret: 'secret', signatureKey: 'key', seed: 5 },
    webhookUrl: 'http://127.0.0.1:9/nobody',
  });
  shop = await aShop();
});
afterEach(() => simulator.stop());

/** A tenant connected to a merchant of the simulator. */
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
const fetchFor = (
  ids: Awaited<ReturnType<typeof eventsOf>>,
  alpha: Alpha = createAlpha({ environment: 'sandbox', origin: simulator.url }),
) => fetchCustomers({ db, alpha, secrets: testSecrets }, ids);
const asked = () =>
  simulator.journal().flatMap((entry) => (entry.kind === 'request' ? [entry.url] : []));
const failAt = (customerId: string, status: number, retryAfterSeconds?: number) =>
  simulator.fail({
    ...{ path: `/v2/customers/${customerId}`, status, code: 'ORDERED' },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

describe('fetchCustomers', () => {
  it('asks each customer once, whatever the number of its events', async () => {
    const [ada, bob] = [aCustomer('ada@example.com'), aCustomer('bob@example.com')];
    const ids = await eventsOf([ada, bob, ada, ada]);
    const { contacts, failures, postponed } = await fetchFor(ids);
    expect(ids.map((id) => contacts.get(id)?.email)).toEqual([
      ...['ada@example.com', 'bob@example.com', 'ada@example.com', 'ada@example.com'],
    ]);
    expect([failures, postponed]).toEqual([[], []]);
    expect(asked().sort()).toEqual([ada, bob].map((id) => `/v2/customers/${id}`).sort());
  });

  it('asks with the token of each event’s own tenant', async () => {
    const other = await aShop();
    const [ada, bob] = [aCustomer('ada@example.com'), aCustomer('bob@example.com', other)];
    const [own] = await eventsOf([ada]);
    const [foreign, stolen] = await eventsOf([bob, ada], other);
    const { contacts } = await fetchFor([own, foreign, stolen].map(required));
    expect(contacts.get(required(own))?.email).toBe('ada@example.com');
    expect(contacts.get(required(foreign))?.email).toBe('bob@example.com');
    expect(contacts.get(required(stolen))).toBeNull();
  });

  it('null is what the provider does not know', async () => {
    const ids = await eventsOf(['NONE']);
    expect((await fetchFor(ids)).contacts).toEqual(new Map([[ids[0], null]]));
  });

  it('asks nothing for events that are done, have no customer or do not exist', async () => {
    const ids = await eventsOf([aCustomer('ada@example.com')]);
    await db('webhook_events').whereIn('id', ids).update({ processed: true, outcome: 'ignored' });
    const [none] = await storedEvents(db, shop.merchantId, [anAlphaEvent(shop.merchantId)]);
    const { contacts } = await fetchFor([...ids, required(none)]);
    expect(contacts.size).toBe(0);
    expect(asked()).toEqual([]);
  });

  it('sorts what may be asked again from what may not, and still has the others', async () => {
    const customers = ['a', 'b', 'c', 'd'].map((name) => aCustomer(`${name}@example.com`));
    const [fine, busy, broken, refused] = customers.map(required);
    failAt(required(busy), 429, 7);
    failAt(required(broken), 503);
    failAt(required(refused), 401);
    const ids = await eventsOf(customers);
    const fetched = await fetchFor(ids);

    expect([...fetched.contacts.values()].map((it) => it?.email)).toEqual(['a@example.com']);
    expect(fine).toBeDefined();
    expect(new Set(fetched.postponed.map(({ error }) => error))).toEqual(
      new Set(['ProviderError: alpha answered 429.', 'ProviderError: alpha answered 503.']),
    );
    expect(fetched.failures).toEqual([{ id: ids[3], error: 'ProviderError: alpha answered 401.' }]);
    expect(fetched.retryAfterMs).toBe(7_000);
  });

  it('fails for good, and in words, when the tenant is no longer connected', async () => {
    const ids = await eventsOf([aCustomer('ada@example.com')]);
    await db('pos_connections').where(shop).update({ status: 'disconnected' });
    const { failures, postponed } = await fetchFor(ids);
    expect(postponed).toEqual([]);
    expect(failures).toMatchObject([
      { id: ids[0], error: expect.stringContaining('it has to connect again') },
    ]);
  });

  it('fails for good when the token cannot be opened', async () => {
    const ids = await eventsOf([aCustomer('ada@example.com')]);
    const elsewhere = { tenantId: 'another', provider: 'alpha', field: 'access_token' };
    await db('pos_connections')
      .where(shop)
      .update({ sealedAccessToken: testSecrets.seal('moved', elsewhere) });
    const { failures } = await fetchFor(ids);
    expect(failures).toHaveLength(1);
    expect(asked()).toEqual([]);
  });

  it('never asks more than four at a time for one tenant, and others do not wait for it', async () => {
    const other = await aShop();
    const ids = await eventsOf(Array.from({ length: 12 }, (_, index) => `C${index}`));
    const foreign = await eventsOf(['OTHER'], other);
    let open = 0;
    const most: number[] = [];
    const release: (() => void)[] = [];
    const alpha: Alpha = {
      async findCustomer(_, customerId) {
        if (customerId === 'OTHER') {
          for (const go of release) go();
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
    const { contacts } = await fetchFor([...ids, ...foreign], alpha);
    expect(contacts.size).toBe(13);
    expect(Math.max(...most)).toBe(4);
  });

  it('keeps the longest wait that a provider asked for', async () => {
    const waits = new Map([
      ['A', 3_000],
      ['B', 9_000],
      ['C', 6_000],
    ]);
    const alpha: Alpha = {
      findCustomer: async (_, id) => {
        throw new ProviderError('alpha answered 429.', 429, waits.get(id));
      },
    };
    const fetched = await fetchFor(await eventsOf([...waits.keys()]), alpha);
    expect(fetched).toMatchObject({ retryAfterMs: 9_000, failures: [] });
    expect(fetched.postponed).toHaveLength(3);
  });
});
