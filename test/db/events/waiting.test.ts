import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as leases from '../../../db/events/leases.ts';
import * as waiting from '../../../db/events/waiting.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import { readServiceMetrics } from '../../../db/service-metrics.ts';
import type { EventId, TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

type Shop = { tenantId: TenantId; merchantId: string };
let shop: Shop;
beforeEach(async () => {
  await db('webhook_events').delete();
  shop = await aShop();
});

async function aShop(): Promise<Shop> {
  const known = { tenantId: await aTenant(db), merchantId: `M-${randomUUID()}` };
  await anAlphaConnection(db, known);
  return known;
}

async function anEvent({ merchantId } = shop, age = '1 hour'): Promise<EventId> {
  const id = required((await storedEvents(db, merchantId, [Buffer.from('{}')]))[0]);
  await db.raw(
    `update webhook_events set received_at = now() - :age::interval,
       next_attempt_at = now() - :age::interval where id = :id`,
    { id, age },
  );
  return id;
}
const row = (id: EventId) => db('webhook_events').where({ id }).first();
const change = (values: object, { tenantId } = shop) =>
  db('pos_connections').where({ tenantId }).update(values);
const park = (ids: EventId[], isLeased = false) =>
  waiting.park(
    db,
    ids.map((id) => ({ id, error: 'alpha answered 503.' })),
    isLeased,
  );
const taken = async () =>
  (await webhookEvents.takePending(db, { limit: 200 })).map(({ id }) => id).sort();

describe('park', () => {
  it('lets an event wait without an attempt of its own, and no sweep takes it', async () => {
    const id = await anEvent();
    await park([id]);
    const { attempts, lastError, receivedAt, nextAttemptAt, leasedUntil } = await row(id);
    expect([attempts, lastError, leasedUntil]).toEqual([0, 'alpha answered 503.', null]);
    expect(nextAttemptAt.getTime() - receivedAt.getTime()).toBe(7 * 24 * 3_600_000);
    expect(await taken()).toEqual([]);
    expect(await webhookEvents.takeBackingOff(db, 200)).toEqual([]);
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

describe('giveUpOld', () => {
  it('gives up what is older than 7 days, attempted or not, waiting or not', async () => {
    const [never, parked, young] = [
      await anEvent(shop, '8 days'),
      await anEvent(shop, '8 days'),
      await anEvent(shop, '6 days'),
    ];
    await park([parked]);
    expect(await waiting.giveUpOld(db, 1)).toBe(1);
    expect(await waiting.giveUpOld(db, 10)).toBe(1);
    expect(await waiting.giveUpOld(db, 10)).toBe(0);
    for (const id of [never, parked]) {
      expect(await row(id)).toMatchObject({
        processed: false,
        awaitsConnection: false,
        nextAttemptAt: Number.POSITIVE_INFINITY,
      });
    }
    expect(await readServiceMetrics(db)).toMatchObject({ pendingEvents: 1, givenUpEvents: 2 });
    expect(await taken()).toEqual([young]);
  });
});

describe('20,000 events that were given up', () => {
  it('are not read by a sweep or by the figures', async () => {
    await db.raw(
      `insert into webhook_events (id, provider, tenant_id, merchant_id, event_type, body,
         correlation_id, received_at, next_attempt_at)
       select gen_random_uuid(), 'alpha', :tenantId, :merchantId, 'payment.updated', '{}', 'c',
         now() - interval '20 days', now() - interval '20 days'
       from generate_series(1, 20000)`,
      shop,
    );
    while ((await waiting.giveUpOld(db, 5_000)) > 0);
    const due = await anEvent();
    await database.owner.raw('vacuum analyze webhook_events');

    const plans: string[] = [];
    const explaining = db.client;
    const watch = ({ sql, bindings }: { sql: string; bindings: unknown[] }) =>
      plans.push(JSON.stringify([sql, bindings]));
    explaining.on('query', watch);
    expect(await taken()).toEqual([due]);
    await waiting.giveUpOld(db, 5_000);
    await waiting.releaseParked(db, 5_000);
    await readServiceMetrics(db);
    explaining.removeListener('query', watch);

    expect(plans).toHaveLength(4);
    for (const plan of plans) {
      const [sql, bindings]: [string, string[]] = JSON.parse(plan);
      const client = await explaining.acquireConnection();
      const { rows } = await client.query(`explain (analyze, costs off) ${sql}`, bindings);
      explaining.releaseConnection(client);
      const text = rows.map((each: Record<string, string>) => each['QUERY PLAN']).join('\n');
      expect(text).not.toMatch(/Rows Removed by Filter: \d{3,}/);
      expect(text).not.toMatch(/Seq Scan on webhook_events/);
    }
  });
});
