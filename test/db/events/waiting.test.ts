import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as dueEvents from '../../../db/events/due-events.ts';
import * as leases from '../../../db/events/leases.ts';
import * as waiting from '../../../db/events/waiting.ts';
import type { EventId, TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { ageEvent, eventRows, forgetEvents } from '../../support/providers/events.ts';

const database = await useDatabase();
const { db } = database;

type Shop = { tenantId: TenantId; merchantId: string };
let shop: Shop;
beforeEach(async () => {
  await forgetEvents(database.owner);
  shop = await aShop();
  await db('waiting_checks').delete();
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

/** Takes steps until all is done, and returns how many events became due. */
async function release(limit = 100): Promise<number> {
  for (let total = 0; ; ) {
    const { released, isDone } = await waiting.releaseParked(db, limit);
    total += released;
    if (isDone) return total;
  }
}
const checks = () => db('waiting_checks').select();
const away = () => change({ askAgainAt: new Date(Date.now() - 1_000) });
const answers = () => change({ askAgainAt: null });

describe('releaseParked', () => {
  it.each([
    ['its provider is away', { askAgainAt: new Date(Date.now() - 1_000) }],
    ['its merchant must reconnect', { needsReconnectSince: new Date() }],
    ['its merchant has disconnected', { status: 'disconnected' }],
    ['its merchant has connected another account', { merchantId: `M-${randomUUID()}` }],
  ])('leaves what waits while %s, and makes it due afterwards', async (_, trouble) => {
    const ids = [await anEvent(), await anEvent()];
    const other = await aShop();
    const free = await anEvent(other);
    await park([...ids, free]);
    await change(trouble);
    expect(await release()).toBe(1);
    expect(await taken()).toEqual([free]);

    const { merchantId } = shop;
    await change({ askAgainAt: null, needsReconnectSince: null, status: 'active', merchantId });
    expect(await release()).toBe(2);
    expect(await taken()).toEqual([...ids].sort());
    expect(await release()).toBe(0);
  });

  it('looks once at a connection that stays as it is', async () => {
    await away();
    await park([await anEvent()]);
    expect(await checks()).toMatchObject([{ tenantId: shop.tenantId, provider: 'alpha' }]);
    expect(await release()).toBe(0);
    expect(await checks()).toEqual([]);
    await change({ lastError: 'alpha answered 503.' });
    expect(await checks()).toEqual([]);
  });

  it('releases no more than its limit in a step, and goes on in the next', async () => {
    await park([await anEvent(), await anEvent(), await anEvent()]);
    expect(await waiting.releaseParked(db, 2)).toEqual({ released: 2, isDone: false });
    expect(await waiting.releaseParked(db, 2)).toEqual({ released: 1, isDone: false });
    expect(await waiting.releaseParked(db, 2)).toEqual({ released: 0, isDone: true });
  });

  it('leaves an event that is locked, and takes it later', async () => {
    const id = await anEvent();
    await park([id]);
    const holder = await db.transaction();
    await holder('pending_events').where({ id }).forUpdate();
    expect(await release()).toBe(0);
    await holder.rollback();
    expect(await release()).toBe(1);
  });

  it('passes over no recovery and no event that comes while it looks', async () => {
    await away();
    await park([await anEvent()]);
    const looking = await db.transaction();
    expect(await waiting.releaseParked(looking, 10)).toMatchObject({ released: 0 });
    const recovered = answers().then(() => undefined);
    const parked = anEvent().then((id) => park([id]));
    await vi.waitFor(async () => expect(await blocked()).toBe(2));
    await looking.commit();
    await Promise.all([recovered, parked]);
    expect(await release()).toBe(2);
  });

  it('makes due what a run has left, of a worker that was killed in between', async () => {
    await park([await anEvent()]);
    const killed = await db.transaction();
    expect(await waiting.releaseParked(killed, 10)).toMatchObject({ released: 1 });
    await killed.rollback();
    expect(await release()).toBe(1);
  });

  it('lets two at a time work on different connections', async () => {
    await park([await anEvent()]);
    const first = await db.transaction();
    await waiting.releaseParked(first, 10);
    await park([await anEvent(await aShop())]);
    expect(await waiting.releaseParked(db, 10)).toMatchObject({ released: 1 });
    await first.commit();
  });
});

/** How many sessions wait for a lock. */
async function blocked(): Promise<number> {
  const { rows } = await db.raw<{ rows: { number: number }[] }>(
    `select count(*) as number from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return required(rows[0]).number;
}

describe('addMissingChecks', () => {
  it('finds, page by page, what waits for a connection that works', async () => {
    const shops = [shop, await aShop(), await aShop()];
    for (const each of shops) await park([await anEvent(each)]);
    await away();
    await db('waiting_checks').delete();
    const found = [];
    let after: Awaited<ReturnType<typeof waiting.addMissingChecks>>['last'] = null;
    do {
      const page = await waiting.addMissingChecks(db, { after, limit: 2 });
      found.push(page.added);
      after = page.last;
    } while (after !== null);
    expect(found).toHaveLength(3);
    expect(found.reduce((sum, added) => sum + added)).toBe(2);
    expect(await release()).toBe(2);
  });
});
