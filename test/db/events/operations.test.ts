import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as dueEvents from '../../../db/events/due-events.ts';
import * as events from '../../../db/events/operations.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import { readServiceMetrics } from '../../../db/service-metrics.ts';
import { EventId, type TenantId } from '../../../domain/ids.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  aWallet,
  required,
  storedEvents,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
import { ageEvent, closeEvents, eventRows } from '../../support/providers/events.ts';

const MERCHANT = 'MERCHANT_1';
const database = await useDatabase();
const { db } = database;
const tenantId = await aTenant(db);
await anAlphaConnection(db, { tenantId, merchantId: MERCHANT });

const anEvent = async (merchantId = MERCHANT): Promise<EventId> =>
  required((await storedEvents(db, merchantId, [anAlphaEvent(merchantId)]))[0]);
const processed = (id: EventId) => closeEvents(db, [id], { outcome: 'credited' });
const ago = (id: EventId, interval: string) => ageEvent(db, id, interval);
const swept = async () => (await dueEvents.takePending(db, { limit: 100 })).map(({ id }) => id);

describe('list', () => {
  it('separates pending, failing, unknown and processed events', async () => {
    const [waiting, failing, unknown, done] = [
      await anEvent(),
      await anEvent(),
      await anEvent('MERCHANT_OF_NOBODY'),
      await anEvent(),
    ];
    await webhookEvents.recordFailures(db, [{ id: failing, error: 'not today' }]);
    await processed(done);
    const listed = async (kind: events.EventKind, tenant?: TenantId) =>
      (await events.list(db, { kind, tenantId: tenant, limit: 10 })).map(({ id }) => id);
    expect((await listed('pending')).sort()).toEqual([waiting, failing].sort());
    expect(await listed('failing')).toEqual([failing]);
    expect(await listed('unknown')).toEqual([unknown]);
    expect(await listed('processed', tenantId)).toEqual([done]);
    expect(await listed('pending', await aTenant(db))).toEqual([]);
    expect(await events.list(db, { kind: 'pending', limit: 1 })).toHaveLength(1);
  });

  it('lists those that wait oldest first, also with an id that no clock has made', async () => {
    const tenant = await aTenant(db);
    await anAlphaConnection(db, { tenantId: tenant, merchantId: 'MERCHANT_2' });
    const [first, second] = [await anEvent('MERCHANT_2'), await anEvent('MERCHANT_2')];
    // Nearly all of them are greater than those of a clock.
    const unordered = EventId.parse(`8${randomUUID().slice(1)}`);
    const { id: _, ...row } = await db('pending_events').where({ id: second }).first();
    const receivedAt = new Date(Date.now() - 60_000);
    await db('pending_events').insert({ ...row, id: unordered, receivedAt });
    const listed = async (limit: number) =>
      (await events.list(db, { kind: 'pending', tenantId: tenant, limit })).map(({ id }) => id);
    expect(await listed(10)).toEqual([unordered, first, second]);
    expect(await listed(2)).toEqual([unordered, first]);
    const all = await events.list(db, { kind: 'pending', limit: 1_000 });
    const times = all.map((event) => +event.receivedAt);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('returns no body', async () => {
    const [event] = await events.list(db, { kind: 'failing', limit: 1 });
    expect(event).toMatchObject({ attempts: 1, lastError: 'not today' });
    expect(event).not.toHaveProperty('body');
  });
});

describe('get', () => {
  it('returns the bytes as they were stored', async () => {
    const body = anAlphaEvent(MERCHANT);
    const [id] = await storedEvents(db, MERCHANT, [body]);
    expect((await events.get(db, required(id))).body.equals(body)).toBe(true);
  });

  it('NOT_FOUND for an unknown event', async () => {
    await expect(events.get(db, EventId.parse(randomUUID()))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('list of a request', () => {
  it('finds what it delivered, whatever has become of it', async () => {
    const [waiting, done] = [await anEvent(), await anEvent()];
    await processed(done);
    const found = await Promise.all(
      [waiting, done].map(async (id) => {
        const { correlationId } = await events.get(db, id);
        const listed = await Promise.all(
          (['pending', 'processed'] as const).map((kind) =>
            events.list(db, { kind, correlationId, limit: 1_000 }),
          ),
        );
        return listed.map((rows) => rows.some((row) => row.id === id));
      }),
    );
    expect(found).toEqual([
      [true, false],
      [false, true],
    ]);
    const nobody = { kind: 'processed', correlationId: 'of nobody', limit: 1_000 } as const;
    expect(await events.list(db, nobody)).toEqual([]);
  });
});

describe('listOfPayment', () => {
  it('returns the events of the payment, oldest first', async () => {
    const paymentId = await aCreditedPayment(db, await aWallet(db, { tenantId }), 3);
    const [second, first] = [await anEvent(), await anEvent()];
    await ago(first, '1 hour');
    await closeEvents(db, [first, second], { paymentId });
    const found = await events.listOfPayment(db, paymentId);
    expect(found.map(({ id }) => id)).toEqual([first, second]);
  });
});

describe('replay', () => {
  it('says that an event of an unknown merchant waits until somebody connects it', async () => {
    const merchantId = `M-${randomUUID()}`;
    const [young, old] = [await anEvent(merchantId), await anEvent(merchantId)];
    expect(await events.replay(db, young)).toEqual({ id: young, how: 'unclaimed' });
    const receivedAt = new Date(Date.now() - 8 * 86_400_000);
    await db('stalled_events').where({ id: old }).update({ receivedAt });
    const copy = await events.replay(db, old);
    expect(copy).toEqual({ id: expect.not.stringContaining(old), how: 'unclaimed' });
    await anAlphaConnection(db, { tenantId: await aTenant(db), merchantId });
    expect(await events.replay(db, young)).toEqual({ id: young, how: 'due' });
  });

  it('makes a waiting event due, despite its back-off and its lease', async () => {
    const id = await anEvent();
    await ago(id, '1 hour');
    for (let time = 0; time < 9; time++) {
      await webhookEvents.recordFailures(db, [{ id, error: 'again' }], 3_600);
    }
    expect(await swept()).not.toContain(id);
    expect(await events.replay(db, id)).toEqual({ id, how: 'due' });
    expect(await events.replay(db, id)).toEqual({ id, how: 'due' });
    expect(await swept()).toContain(id);
  });

  it.each([
    { what: 'a processed event', make: processed, after: {} },
    {
      what: 'an event that is no longer swept',
      make: (id: EventId) => ago(id, '8 days'),
      after: {
        processed: true,
        processedAt: expect.any(Date),
        outcome: 'ignored',
        outcomeReason: 'replayed',
        nextAttemptAt: null,
      },
    },
  ])('delivers $what again, and closes the original', async ({ make, after }) => {
    const id = await anEvent();
    await make(id);
    const before = await events.get(db, id);
    const again = await events.replay(db, id);
    expect(again.how).toBe('delivered');
    expect(await events.get(db, id)).toEqual({ ...before, ...after });
    expect(await events.get(db, again.id)).toMatchObject({
      tenantId,
      processed: false,
      attempts: 0,
      merchantId: MERCHANT,
      correlationId: before.correlationId,
      body: before.body,
    });
    await ago(again.id, '1 minute');
    expect(await swept()).toContain(again.id);
  });

  it('NOT_FOUND for an unknown event, and nothing is stored', async () => {
    const count = async () => (await eventRows(db)).length;
    const before = await count();
    await expect(events.replay(db, EventId.parse(randomUUID()))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await count()).toBe(before);
  });
});

describe('an event that was given up', () => {
  const aGivenUp = async () => {
    const id = await anEvent();
    await ago(id, '8 days');
    await swept();
    return id;
  };
  const givenUp = async () =>
    (await events.list(db, { kind: 'given-up', limit: 50 })).map(({ id }) => id);

  it('is listed as such, has no next attempt, and no longer counts as pending', async () => {
    const id = await aGivenUp();
    expect(await givenUp()).toContain(id);
    expect((await events.get(db, id)).nextAttemptAt).toBeNull();
    const pending = await events.list(db, { kind: 'pending', limit: 50 });
    expect(pending.map((event) => event.id)).not.toContain(id);
  });

  it('is no longer counted once it is replayed or dismissed', async () => {
    const { givenUpEvents: before } = await readServiceMetrics(db);
    const [replayed, dismissed] = [await aGivenUp(), await aGivenUp()];
    await db('stalled_events').where({ id: dismissed }).update({ lastError: 'never' });
    expect((await readServiceMetrics(db)).givenUpEvents).toBe(before + 2);
    await events.replay(db, replayed);
    await events.dismiss(db, dismissed);
    await events.dismiss(db, dismissed);
    expect((await readServiceMetrics(db)).givenUpEvents).toBe(before);
    expect(await givenUp()).not.toContain(dismissed);
    expect(await events.get(db, dismissed)).toMatchObject({
      processed: true,
      outcome: 'ignored',
      outcomeReason: 'dismissed',
      lastError: 'never',
    });
  });

  it('is the only kind that can be dismissed', async () => {
    const [young, done] = [await anEvent(), await anEvent()];
    await processed(done);
    for (const id of [young, done]) {
      await expect(events.dismiss(db, id)).rejects.toMatchObject({ code: 'RULE_REJECTED' });
    }
    const unknown = EventId.parse(randomUUID());
    await expect(events.dismiss(db, unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
