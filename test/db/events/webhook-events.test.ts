import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import { newId } from '../../../db/new-id.ts';
import { EventId, type TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { closeEvents, eventRows } from '../../support/providers/events.ts';

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
  id: EventId.parse(newId()),
  provider: 'alpha',
  merchantId,
  correlationId: 'c-1',
  eventType: 'payment.updated',
  body: Buffer.from('{}'),
  ...some,
});
const stored = async (merchant = merchantId) =>
  required((await storedEvents(db, merchant, [Buffer.from('{}')]))[0]);
const row = (id: EventId) => eventRows(db).where({ id }).first();
const disconnect = () =>
  db('pos_connections').where({ tenantId }).update({ status: 'disconnected' });
const secondsFromNow = (date: Date) => Math.round((date.getTime() - Date.now()) / 1000);

describe('insert', () => {
  it('gives an event that is beyond a limit its turn later', async () => {
    const [now, later] = [anEvent({ delaySeconds: 0 }), anEvent({ delaySeconds: 120 })];
    await webhookEvents.insert(db, [now, later]);
    const dueOf = async ({ id }: { id: EventId }) =>
      db('pending_events').where({ id }).first<{ nextAttemptAt: Date; attempts: number }>();
    expect(secondsFromNow((await dueOf(now)).nextAttemptAt)).toBeLessThanOrEqual(0);
    const due = await dueOf(later);
    expect(due.attempts).toBe(0);
    expect(secondsFromNow(due.nextAttemptAt)).toBeGreaterThan(60);
    expect(secondsFromNow(due.nextAttemptAt)).toBeLessThanOrEqual(120);
  });

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
    await expect(group).rejects.toMatchObject({ code: '23505' });
    expect(await row(first.id)).toBeUndefined();
  });

  it('stores nothing for an empty group', async () => {
    expect(await webhookEvents.insert(db, [])).toEqual([]);
  });
});

describe('read', () => {
  it('returns open events with their tenant, ordered by id', async () => {
    const ids = [await stored(), await stored(), await stored()];
    await closeEvents(db, ids.slice(0, 1));
    const open = await webhookEvents.read(db, ids);
    expect(open.map(({ id }) => id)).toEqual(ids.slice(1).sort());
    expect(open[0]).toMatchObject({ tenantId, provider: 'alpha' });
  });

  it('returns no event of an unknown merchant', async () => {
    const id = await stored(`M-${randomUUID()}`);
    expect(await webhookEvents.read(db, [id])).toEqual([]);
  });

  it('finds bodies in whichever month, and by ids that no clock made', async () => {
    const ids = ['018c0000-0000-7000-8000-000000000000', newId(), randomUUID()];
    const events = ids.map((id) => anEvent({ id: EventId.parse(id), body: Buffer.from(id) }));
    await webhookEvents.insert(db, events);
    const open = await webhookEvents.read(
      db,
      events.map(({ id }) => id),
    );
    expect(open.map(({ body }) => body.toString()).sort()).toEqual(ids.sort());
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
    await db('pending_events').where({ id }).update({ attempts: 1000 });
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
    await db('pending_events')
      .where({ id: old })
      .update({ attempts: 12, receivedAt: db.raw(`now() - interval '6 days 20 hours'`) });
    await db('pending_events')
      .where({ id: young })
      .update({ attempts: 12, receivedAt: db.raw(`now() - interval '6 days'`) });
    const failures = [old, young].map((id) => ({ id, error: 'again' }));
    await webhookEvents.recordFailures(db, failures);
    expect(await row(old)).toMatchObject({
      nextAttemptAt: Number.POSITIVE_INFINITY,
      attempts: 13,
      lastError: 'again',
    });
    expect(await webhookEvents.read(db, [old])).toEqual([]);
    expect(await webhookEvents.countOpen(db, [old, young])).toBe(2);
    expect(secondsFromNow((await row(young)).nextAttemptAt)).toBeLessThanOrEqual(21_600);
  });

  it('leaves an event as it is that was processed in the meantime', async () => {
    const id = await stored();
    await closeEvents(db, [id]);
    await webhookEvents.recordFailures(db, [{ id, error: 'too late' }]);
    expect(await row(id)).toMatchObject({ attempts: 0, lastError: null });
  });
});
