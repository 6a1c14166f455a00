import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as dueEvents from '../../../db/events/due-events.ts';
import * as leases from '../../../db/events/leases.ts';
import * as waiting from '../../../db/events/waiting.ts';
import type { EventId, TenantId } from '../../../domain/ids.ts';
import { ageEvent, eventRows, forgetEvents } from '../../support/events.ts';
import { anAlphaConnection, aTenant, required, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

type Shop = { tenantId: TenantId; merchantId: string };
let shop: Shop;
beforeEach(async () => {
  await forgetEvents(database.owner);
  shop = await aShop();
});

async function aShop(): Promise<Shop> {
  const known = { tenantId: await aTenant(db), merchantId: `M-${randomUUID()}` };
  await anAlphaConnection(db, known);
  return known;
}

async function anEvent({ merchantId } = shop, age = '1 hour'): Promise<EventId> {
  const id = required((await storedEvents(db, merchantId, [Buffer.from('{}')]))[0]);
  await ageEvent(db, id, age);
  return id;
}
const row = (id: EventId) => eventRows(db).where({ id }).first();
const change = (values: object, { tenantId } = shop) =>
  db('pos_connections').where({ tenantId }).update(values);
const park = (ids: EventId[], isLeased = false) =>
  waiting.park(
    db,
    ids.map((id) => ({ id, error: 'alpha answered 503.' })),
    isLeased,
  );
const taken = async () =>
  (await dueEvents.takePending(db, { limit: 200 })).map(({ id }) => id).sort();

describe('park', () => {
  it('lets an event wait without an attempt of its own, and no sweep takes it', async () => {
    const id = await anEvent();
    await park([id]);
    const { attempts, lastError, receivedAt, nextAttemptAt, leasedUntil } = await row(id);
    expect([attempts, lastError, leasedUntil]).toEqual([0, 'alpha answered 503.', null]);
    expect(nextAttemptAt.getTime() - receivedAt.getTime()).toBe(7 * 24 * 3_600_000);
    expect(await taken()).toEqual([]);
    expect(await dueEvents.takeBackingOff(db, 200)).toEqual([]);
  });

  it('keeps the lease of a run that asks again itself, and ends it otherwise', async () => {
    const id = await anEvent();
    const lease = { run: 'a run', holder: randomUUID() };
    await leases.claim(db, [id], lease);
    await park([id], true);
    expect(await leases.renew(db, [id], lease)).toEqual([id]);
    await park([id]);
    expect((await row(id)).leasedUntil).toBeNull();
  });
});

describe('releaseParked', () => {
  it.each([
    ['its provider is away', { askAgainAt: new Date(Date.now() - 1_000) }],
    ['its merchant must reconnect', { needsReconnectSince: new Date() }],
    ['its merchant has disconnected', { status: 'disconnected' }],
  ])('leaves what waits while %s, and makes it due afterwards', async (_, trouble) => {
    const ids = [await anEvent(), await anEvent()];
    const other = await aShop();
    const free = await anEvent(other);
    await park([...ids, free]);
    await change(trouble);
    expect(await waiting.releaseParked(db, 100)).toBe(1);
    expect(await taken()).toEqual([free]);

    await change({ askAgainAt: null, needsReconnectSince: null, status: 'active' });
    expect(await waiting.releaseParked(db, 100)).toBe(2);
    expect(await taken()).toEqual([...ids].sort());
    expect(await waiting.releaseParked(db, 100)).toBe(0);
  });

  it('releases no more than its limit at a time', async () => {
    await park([await anEvent(), await anEvent(), await anEvent()]);
    expect(await waiting.releaseParked(db, 2)).toBe(2);
    expect(await waiting.releaseParked(db, 2)).toBe(1);
  });
});
