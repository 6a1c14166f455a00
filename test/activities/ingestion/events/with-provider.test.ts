import { beforeEach, describe, expect, it } from 'vitest';
import { ingestWithProvider } from '../../../../activities/ingestion/events/with-provider.ts';
import { createIngestionActivities } from '../../../../activities/ingestion/index.ts';
import * as dueEvents from '../../../../db/events/due-events.ts';
import * as waiting from '../../../../db/events/waiting.ts';
import * as webhookEvents from '../../../../db/events/webhook-events.ts';
import { newId } from '../../../../db/new-id.ts';
import { EventId, type TenantId } from '../../../../domain/ids.ts';
import type { Alpha } from '../../../../gateways/providers/alpha/client.ts';
import type { Beta } from '../../../../gateways/providers/beta/client.ts';
import type { BetaPayment } from '../../../../gateways/providers/beta/resources.ts';
import { ProviderError } from '../../../../gateways/providers/shared/error.ts';
import {
  aBetaConnection,
  aConnectedShop,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  required,
  storedEvents,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { eventRows } from '../../../support/providers/events.ts';
import { anAlphaGateway } from '../../../support/providers/providers.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

let findCustomer: Alpha['findCustomer'];
let listLocations: Alpha['listLocations'];
let tenantId: TenantId;
let merchantId: string;
let email: string;
beforeEach(async () => {
  await db('pending_events').delete();
  ({ tenantId, merchantId, email } = await aConnectedShop(db));
  await aRule(db, tenantId);
  findCustomer = async () => ({ email, phone: null });
  listLocations = async () => [];
});

const deps = () =>
  activityDeps(db, {
    alpha: {
      ...anAlphaGateway(),
      findCustomer: (...args) => findCustomer(...args),
      listLocations: (...args) => listLocations(...args),
    },
  });
const store = (count: number) =>
  storedEvents(
    db,
    merchantId,
    Array.from({ length: count }, (_, n) =>
      anAlphaEvent(merchantId, { customerId: `C${n}`, amount: 1 }),
    ),
  );
const run = (ids: EventId[], more: { run?: string; signal?: AbortSignal } = {}) =>
  ingestWithProvider(deps(), ids, { run: 'a run', ...more });
const rows = (ids: EventId[]) => eventRows(db).whereIn('id', ids);
const credited = async (ids: EventId[]) =>
  (await rows(ids)).filter(({ outcome }) => outcome === 'credited').length;
const fails = (status: number | null, retryAfterMs?: number) => async () => {
  throw new ProviderError(`alpha answered ${status}.`, status, { retryAfterMs });
};
const change = (values: object) => db('pos_connections').where({ tenantId }).update(values);
/** Hangs until its call is stopped, as `fetch` does. */
const hang = (_token: string, _id: string, signal?: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(new ProviderError('alpha could not be reached.', null));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
  });

const aBetaPayment = (id: string): BetaPayment => ({
  provider: 'beta',
  providerPaymentId: id,
  state: 'settled',
  amountMinorUnits: 100,
  tipMinorUnits: 0,
  refundedMinorUnits: 0,
  occurredAt: new Date(),
  changedAt: new Date(),
  locationId: null,
  order: { id: `O-${id}`, currency: 'EUR', customerId: null, paymentIds: [] },
});

describe('crediting', () => {
  it('goes on while others are asked about, and keeps what it has when it is stopped', async () => {
    const ids = await store(50);
    const stop = new AbortController();
    let asked = 0;
    findCustomer = (token, id, signal) => {
      asked += 1;
      return asked <= 45 ? Promise.resolve({ email, phone: null }) : hang(token, id, signal);
    };
    const running = run(ids, { signal: stop.signal });
    await expect.poll(() => credited(ids), { timeout: 20_000 }).toBe(45);
    stop.abort(new Error('the worker stops'));
    await expect(running).rejects.toThrow('the worker stops');
    expect(await credited(ids)).toBe(45);
    // What is left is free at once, and nobody's fault.
    for (const row of await rows(ids)) {
      if (!row.processed) expect(row).toMatchObject({ attempts: 0, leasedUntil: null });
    }
  });

  it('renews no lease that is fresh, unless something is left to ask about again', async () => {
    let renewals = 0;
    const count = ({ sql }: { sql: string }) => {
      const isClaim = sql.includes('lease_run');
      if (sql.startsWith('update pending_events set leased_until') && !isClaim) renewals += 1;
    };
    db.on('query', count);
    expect((await run(await store(30))).counts.credited).toBe(30);
    expect(renewals).toBe(0);
    findCustomer = fails(429, 7_000);
    expect((await run(await store(3))).needProvider).toHaveLength(3);
    db.off('query', count);
    expect(renewals).toBe(1);
  });

  it('asks again about events that another transaction had locked meanwhile', async () => {
    const ids = await store(3);
    const locked = required(ids[1]);
    let unlock = () => {};
    const unlocked = new Promise<void>((resolve) => {
      unlock = resolve;
    });
    let locking: Promise<void> | undefined;
    const lock = () =>
      new Promise<void>((resolve, reject) => {
        const held = db.transaction(async (tx) => {
          await tx('pending_events').where({ id: locked }).forUpdate().first('id');
          resolve();
          await unlocked;
        });
        held.catch(reject);
      });
    findCustomer = async () => {
      locking ??= lock();
      await locking;
      return { email, phone: null };
    };
    const running = run(ids);
    await expect.poll(() => credited(ids), { timeout: 20_000 }).toBe(2);
    unlock();
    const { needProvider } = await running;
    expect(needProvider).toEqual([locked]);
    expect((await run(needProvider)).counts.credited).toBe(1);
  });

  it('beats while a provider hangs', async () => {
    const stop = new AbortController();
    let beats = 0;
    findCustomer = hang;
    const heartbeat = () => {
      beats += 1;
      if (beats === 3) stop.abort(new Error('enough'));
    };
    const attempt = { run: 'a run', signal: stop.signal, heartbeat };
    await expect(ingestWithProvider(deps(), await store(1), attempt)).rejects.toThrow('enough');
    expect(beats).toBe(3);
  });
});

describe('attempts at the same events', () => {
  it('of two runs: the first keeps them for as long as its provider hangs', async () => {
    const ids = await store(2);
    const stop = new AbortController();
    findCustomer = hang;
    const first = run(ids, { signal: stop.signal });
    const leasedFor = async (): Promise<number> => {
      const { rows: found } = await db.raw<{ rows: { seconds: number | null }[] }>(
        `select min(extract(epoch from leased_until - now()))::float8 as seconds
         from pending_events where lease_holder is not null`,
      );
      return required(found[0]).seconds ?? 0;
    };
    await expect.poll(leasedFor).toBeGreaterThan(0);
    await db('pending_events').update({ leasedUntil: db.raw(`now() + interval '20 seconds'`) });
    await expect.poll(leasedFor, { timeout: 40_000 }).toBeGreaterThan(30);
    expect(await run(ids, { run: 'another run' })).toMatchObject({ needProvider: [] });
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
  }, 60_000);

  it('of two runs: the second leaves them to the first', async () => {
    const ids = await store(3);
    let go = () => {};
    const gone = new Promise<void>((resolve) => (go = resolve));
    let asked = 0;
    findCustomer = async () => {
      asked += 1;
      await gone;
      return { email, phone: null };
    };
    const first = run(ids);
    await expect.poll(() => asked).toBe(3);
    expect(await run(ids, { run: 'another run' })).toMatchObject({ needProvider: [] });
    go();
    expect((await first).counts).toMatchObject({ credited: 3 });
    expect(asked).toBe(3);
  });

  it('of one run: a second attempt takes them over from the first', async () => {
    const ids = await store(3);
    let go = () => {};
    const gone = new Promise<void>((resolve) => (go = resolve));
    let asked = 0;
    findCustomer = async () => {
      asked += 1;
      if (asked <= 3) await gone;
      return { email, phone: null };
    };
    const first = run(ids);
    await expect.poll(() => asked).toBe(3);
    expect((await run(ids)).counts).toMatchObject({ credited: 3 });
    go();
    expect((await first).counts).toMatchObject({ credited: 0, duplicate: 0, failed: 0 });
  });
});

describe('a provider that is away', () => {
  it('is no attempt of the events, which the run asks about again after a short wait', async () => {
    const ids = await store(3);
    findCustomer = fails(429, 7_000);
    const result = await run(ids);
    expect(result.counts.failed).toBe(0);
    expect(result.needProvider.sort()).toEqual([...ids].sort());
    expect(result.retryAfterMs).toBeGreaterThan(6_000);
    for (const row of await rows(ids)) {
      expect(row).toMatchObject({ attempts: 0, awaitsConnection: true });
      // The lease outlives the wait.
      expect(row.leasedUntil.getTime()).toBeGreaterThan(Date.now() + 20_000);
    }
  });

  it('is asked again after the longest wait of all the accounts of a batch', async () => {
    const waits = [7_000, 12_000, 8_000];
    const ids: EventId[] = [];
    for (const wait of waits) {
      const shop = await aConnectedShop(db);
      const event = anAlphaEvent(shop.merchantId, { customerId: `${wait}`, amount: 1 });
      ids.push(...(await storedEvents(db, shop.merchantId, [event])));
    }
    findCustomer = (_, id) => fails(429, Number(id))();
    const { retryAfterMs, needProvider } = await run(ids);
    expect(needProvider).toHaveLength(waits.length);
    expect(retryAfterMs).toBeGreaterThan(10_000);
  });

  it('keeps no lease for a run that does not ask again', async () => {
    const ids = await store(4);
    findCustomer = (_, id) => (id === 'C0' ? fails(500)() : fails(429, 5_000)());
    await ingestWithProvider(deps(), ids, { run: 'once', isRepeated: false });
    for (const row of await rows(ids))
      expect(row).toMatchObject({ attempts: 0, leasedUntil: null });
  });

  it('leaves them to the sweep when the wait is long, whose events then wait', async () => {
    const ids = await store(3);
    findCustomer = fails(429, 600_000);
    expect(await run(ids)).toMatchObject({ needProvider: [], retryAfterMs: 0 });
    for (const row of await rows(ids)) {
      expect(row).toMatchObject({ attempts: 0, awaitsConnection: true, leasedUntil: null });
    }
    await db('pending_events')
      .whereIn('id', ids)
      .update({ receivedAt: db.raw(`now() - interval '1 minute'`) });
    expect(await dueEvents.takePending(db, { limit: 10 })).toEqual([]);
  });

  it('whose token is refused is not asked again; connecting again makes them due', async () => {
    const ids = await store(3);
    findCustomer = fails(401);
    expect(await run(ids)).toMatchObject({ needProvider: [], counts: { failed: 3 } });
    await db('pending_events')
      .whereIn('id', ids)
      .update({ receivedAt: db.raw(`now() - interval '1 minute'`) });
    await waiting.releaseParked(db, 10);
    expect(await dueEvents.takePending(db, { limit: 10 })).toEqual([]);

    await anAlphaConnection(db, { tenantId, merchantId });
    await waiting.releaseParked(db, 10);
    expect(await dueEvents.takePending(db, { limit: 10 })).toHaveLength(3);
    for (const row of await rows(ids)) expect(row.attempts).toBe(0);
  });
});

describe('an event at fault', () => {
  it('alone is counted and backs off, when the provider answers about the rest', async () => {
    const ids = await store(5);
    findCustomer = (_, id) =>
      id === 'C2' ? fails(500)() : Promise.resolve({ email, phone: null });
    const first = await run(ids);
    expect(first).toMatchObject({ counts: { credited: 4, failed: 0 }, needProvider: [ids[2]] });
    expect((await rows([required(ids[2])]))[0]).toMatchObject({ attempts: 0, isDoubtful: true });

    expect(await run(ids)).toMatchObject({ counts: { failed: 1 }, needProvider: [] });
    const [bad] = (await rows(ids)).filter(({ processed }) => !processed);
    expect(bad).toMatchObject({ id: ids[2], attempts: 1, awaitsConnection: false });
    expect(bad.nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 20_000);
  });

  it('is not counted while the provider does not answer the probe either', async () => {
    const ids = await store(1);
    findCustomer = fails(500);
    listLocations = fails(null);
    await run(ids);
    expect((await rows(ids))[0]).toMatchObject({ attempts: 0, awaitsConnection: true });
    expect(await db('pos_connections').where({ tenantId }).first()).toMatchObject({
      lastError: 'ProviderError: alpha answered null.',
    });
  });

  it('waits with the others while its tenant is not connected', async () => {
    const ids = await store(1);
    await change({ status: 'disconnected' });
    expect(await run(ids)).toMatchObject({ needProvider: [] });
    expect((await rows(ids))[0]).toMatchObject({ attempts: 0, awaitsConnection: true });
  });
});

describe('an event that names more payments than one attempt fetches', () => {
  const NAMED = 300;
  /** Fewer than are named, as of a slow provider in 45 seconds. */
  const ANSWERED = 100;

  it('is fetched by several attempts, each of which goes on where the last one ended', async () => {
    const shop = await aTenant(db);
    const account = `M-${shop}`;
    await aBetaConnection(db, { tenantId: shop, merchantId: account });
    const objects = Array.from({ length: NAMED }, (_, nth) => `P:${shop.slice(0, 8)}-${nth}`);
    const updates = objects.map((objectId) => ({ objectId, type: 'CREATE', ts: 1 }));
    const body = Buffer.from(JSON.stringify({ merchants: { [account]: updates } }));
    const event = { provider: 'beta' as const, merchantId: account, eventType: 'P:CREATE', body };
    const id = EventId.parse(newId());
    await webhookEvents.insert(db, [{ ...event, id, correlationId: 'c-many' }]);

    for (let attempt = 1; attempt <= 6; attempt++) {
      const stop = new AbortController();
      let answered = 0;
      const findPayment: Beta['findPayment'] = async (_token, _merchantId, paymentId) => {
        answered += 1;
        if (answered <= ANSWERED) return aBetaPayment(paymentId);
        stop.abort(new Error('the time is over'));
        throw new ProviderError('beta could not be reached.', null);
      };
      const betaDeps = activityDeps(db, { beta: { findPayment, findOrder: async () => null } });
      await db('pending_events').update({ leasedUntil: null });
      const due = await dueEvents.takePending(db, { limit: 500, quietSeconds: 0 });
      const asked = await createIngestionActivities(betaDeps).ingestEvents(due.map((e) => e.id));
      const { needProvider } = asked;
      const attempted = { run: `run ${attempt}`, signal: stop.signal };
      await ingestWithProvider(betaDeps, needProvider, attempted).catch((error) => {
        expect(error).toEqual(new Error('the time is over'));
      });
    }

    expect(await db('payments').where({ tenantId: shop })).toHaveLength(NAMED);
    expect(await db('pending_events').where({ tenantId: shop })).toEqual([]);
    const found = await eventRows(db).where({ tenantId: shop });
    expect(new Set(found.map(({ correlationId }) => correlationId))).toEqual(new Set(['c-many']));
    expect(found.find((row) => row.id === id)).toMatchObject({
      outcome: 'ignored',
      outcomeReason: 'split',
    });
  }, 60_000);
});
