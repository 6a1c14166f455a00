import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as leases from '../../../db/events/leases.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import { EventId, type TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
let merchantId: string;
beforeEach(async () => {
  tenantId = await aTenant(db, { country: 'CH' });
  merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
});

const anEvent = (some: Partial<webhookEvents.NewEvent> = {}): webhookEvents.NewEvent => ({
  id: EventId.parse(randomUUID()),
  provider: 'alpha',
  merchantId,
  correlationId: 'c-1',
  eventType: 'payment.updated',
  body: Buffer.from('{}'),
  ...some,
});
const stored = async (merchant = merchantId) =>
  required((await storedEvents(db, merchant, [Buffer.from('{}')]))[0]);
const row = (id: EventId) => db('webhook_events').where({ id }).first();
const disconnect = () =>
  db('pos_connections').where({ tenantId }).update({ status: 'disconnected' });
const secondsFromNow = (date: Date) => Math.round((date.getTime() - Date.now()) / 1000);
const late = (id: EventId, changes: object = {}) =>
  db('webhook_events')
    .where({ id })
    .update({ receivedAt: new Date(Date.now() - 60_000), ...changes });

describe('insert', () => {
  it('stores the exact bytes, and finds the merchant’s tenant', async () => {
    const event = anEvent({ body: Buffer.from([0, 255, 123, 10]) });
    expect(await webhookEvents.insert(db, [event])).toEqual([{ id: event.id, tenantId }]);
    expect(await row(event.id)).toMatchObject({
      tenantId,
      merchantId,
      body: event.body,
      correlationId: 'c-1',
      processed: false,
      outcome: null,
      outcomeReason: null,
      attempts: 0,
      leasedUntil: null,
    });
  });

  it('stores events of an unknown or disconnected merchant, with the reason', async () => {
    const gone = anEvent();
    const foreign = anEvent({ merchantId: `M-${randomUUID()}` });
    const otherProvider = anEvent({ provider: 'beta' });
    await disconnect();
    const events = [gone, foreign, otherProvider];
    const answers = await webhookEvents.insert(db, events);
    expect(answers).toEqual(events.map(({ id }) => ({ id, tenantId: null })));
    for (const { id } of events) {
      expect(await row(id)).toMatchObject({ tenantId: null, outcomeReason: 'unknown_merchant' });
    }
  });

  it('stores all of a group or none', async () => {
    const [first, second] = [anEvent(), anEvent()];
    await webhookEvents.insert(db, [second]);
    const group = webhookEvents.insert(db, [first, second]);
    await expect(group).rejects.toMatchObject({ constraint: 'webhook_events_pkey' });
    expect(await row(first.id)).toBeUndefined();
  });

  it('stores nothing for an empty group', async () => {
    expect(await webhookEvents.insert(db, [])).toEqual([]);
  });
});

describe('read', () => {
  it('returns open events with their tenant’s country, ordered by id', async () => {
    const ids = [await stored(), await stored(), await stored()];
    await db('webhook_events')
      .where('id', required(ids[0]))
      .update({ processed: true, outcome: 'ignored' });
    const open = await webhookEvents.read(db, ids);
    expect(open.map(({ id }) => id)).toEqual(ids.slice(1).sort());
    expect(open[0]).toMatchObject({ tenantId, tenantCountry: 'CH', provider: 'alpha' });
  });

  it('returns an event whose merchant has connected since, but no unknown one', async () => {
    const other = `M-${randomUUID()}`;
    const id = await stored(other);
    expect(await webhookEvents.read(db, [id])).toEqual([]);
    const second = await aTenant(db);
    await anAlphaConnection(db, { tenantId: second, merchantId: other });
    expect(await webhookEvents.read(db, [id])).toMatchObject([{ id, tenantId: second }]);
  });

  it('keeps the tenant of a stored event when another has the merchant now', async () => {
    const id = await stored();
    await disconnect();
    await anAlphaConnection(db, { tenantId: await aTenant(db), merchantId });
    expect(await webhookEvents.read(db, [id])).toMatchObject([{ tenantId }]);
  });
});

describe('lockOpen', () => {
  it('locks what no other transaction has locked, until its transaction ends', async () => {
    const ids = [await stored(), await stored()];
    await db.transaction(async (tx) => {
      expect(await webhookEvents.lockOpen(tx, ids.slice(0, 1))).toHaveLength(1);
      const others = await db.transaction((other) => webhookEvents.lockOpen(other, ids));
      expect(others.map(({ id }) => id)).toEqual(ids.slice(1));
    });
    expect(await db.transaction((tx) => webhookEvents.lockOpen(tx, ids))).toHaveLength(2);
  });
});

describe('recordFailures', () => {
  it('counts, keeps the error and doubles the delay from 30 s up to 6 h', async () => {
    const id = await stored();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 12; attempt++) {
      await webhookEvents.recordFailures(db, [{ id, error: `try ${attempt}` }]);
      const event = await row(id);
      expect(event).toMatchObject({ attempts: attempt, lastError: `try ${attempt}` });
      waits.push(Math.ceil(secondsFromNow(event.nextAttemptAt) / 30) * 30);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 21_600, 21_600]);
  });

  it('still works for an event that failed a thousand times', async () => {
    const id = await stored();
    await db('webhook_events').where({ id }).update({ attempts: 1000 });
    await webhookEvents.recordFailures(db, [{ id, error: 'again' }]);
    expect(await row(id)).toMatchObject({ attempts: 1001 });
  });

  it('leases an event to a run that will retry it itself, and releases it otherwise', async () => {
    const id = await stored();
    await webhookEvents.recordFailures(db, [{ id, error: 'busy' }], 180);
    expect(secondsFromNow((await row(id)).leasedUntil)).toBeGreaterThan(120);
    await webhookEvents.recordFailures(db, [{ id, error: 'broken' }]);
    expect(secondsFromNow((await row(id)).leasedUntil)).toBeLessThanOrEqual(0);
  });

  it('gives an event up whose next attempt would come after its last sweep', async () => {
    const [old, young] = [await stored(), await stored()];
    await db('webhook_events')
      .where({ id: old })
      .update({ attempts: 12, receivedAt: db.raw(`now() - interval '6 days 20 hours'`) });
    await db('webhook_events')
      .where({ id: young })
      .update({ attempts: 12, receivedAt: db.raw(`now() - interval '6 days'`) });
    const failures = [old, young].map((id) => ({ id, error: 'again' }));
    await webhookEvents.recordFailures(db, failures);
    expect((await row(old)).nextAttemptAt).toBe(Number.POSITIVE_INFINITY);
    expect(secondsFromNow((await row(young)).nextAttemptAt)).toBeLessThanOrEqual(21_600);
  });

  it('leaves an event as it is that was processed in the meantime', async () => {
    const id = await stored();
    await db('webhook_events').where({ id }).update({ processed: true, outcome: 'ignored' });
    await webhookEvents.recordFailures(db, [{ id, error: 'too late' }]);
    expect(await row(id)).toMatchObject({ attempts: 0, lastError: null });
  });
});

describe('takePending', () => {
  const take = async (limit = 200) =>
    (await webhookEvents.takePending(db, { limit })).map(({ id }) => id);

  it('takes a pending event once, until its lease expires', async () => {
    const id = await stored();
    await late(id);
    expect(await take()).toEqual([id]);
    expect(await take()).toEqual([]);
    await late(id, { leasedUntil: new Date(Date.now() - 1) });
    expect(await take()).toEqual([id]);
  });

  it('gives each event to one of four concurrent sweeps', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => stored()));
    for (const id of ids) await late(id);
    const taken = (await Promise.all([take(), take(), take(), take()])).flat();
    expect(taken.sort()).toEqual([...ids].sort());
  });

  it('leaves an event that is leased to a run', async () => {
    const [id, other] = [await stored(), await stored()];
    await leases.handOver(db, [id]);
    await late(id);
    await late(other);
    expect(await take()).toEqual([other]);
  });

  it('takes first the event that has been due longest', async () => {
    const [first, second] = [await stored(), await stored()];
    await late(first, { nextAttemptAt: new Date(Date.now() - 1_000) });
    await late(second, { nextAttemptAt: new Date(Date.now() - 2_000) });
    expect(await take(1)).toEqual([second]);
    expect(await take(1)).toEqual([first]);
  });

  it('takes an event whose merchant has connected since, and leaves unknown ones', async () => {
    const [known, unknown] = [`M-${randomUUID()}`, `M-${randomUUID()}`];
    const [early, never] = [await stored(known), await stored(unknown)];
    await late(early);
    await late(never);
    const second = await aTenant(db);
    await anAlphaConnection(db, { tenantId: second, merchantId: known });
    await webhookEvents.assignTenants(db);
    expect(await webhookEvents.takePending(db, { limit: 200 })).toEqual([
      { id: early, provider: 'alpha', tenantId: second },
    ]);
  });
});

describe('takeBackingOff', () => {
  beforeEach(async () => {
    await db('webhook_events').delete();
  });

  const take = async (limit = 200) =>
    (await webhookEvents.takeBackingOff(db, limit)).map(({ id }) => id);
  const failed = async (ageMinutes: number, changes: object = {}) => {
    const id = await stored();
    await webhookEvents.recordFailures(db, [{ id, error: 'no' }]);
    const receivedAt = new Date(Date.now() - ageMinutes * 60_000);
    await db('webhook_events')
      .where({ id })
      .update({ receivedAt, ...changes });
    return id;
  };

  it('takes what has failed and is not due yet, oldest first, each once', async () => {
    const [young, old] = [await failed(1), await failed(60)];
    expect(await take(1)).toEqual([old]);
    expect(await take()).toEqual([young]);
    expect(await take()).toEqual([]);
  });

  it('leaves what waits for a connection, is leased, was given up or never failed', async () => {
    await failed(1, { awaitsConnection: true });
    await failed(1, { leasedUntil: new Date(Date.now() + 60_000) });
    await failed(1, { nextAttemptAt: 'infinity' });
    await stored();
    expect(await take()).toEqual([]);
  });
});
