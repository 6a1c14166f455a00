import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as dueEvents from '../../../db/events/due-events.ts';
import * as leases from '../../../db/events/leases.ts';
import * as waiting from '../../../db/events/waiting.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import { readServiceMetrics } from '../../../db/service-metrics.ts';
import type { EventId, TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { ageEvent, eventRows, forgetEvents } from '../../support/providers/events.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
let merchantId: string;
beforeEach(async () => {
  await forgetEvents(database.owner);
  tenantId = await aTenant(db);
  merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
});

const stored = async () => required((await storedEvents(db, merchantId, [Buffer.from('{}')]))[0]);
const row = (id: EventId) => eventRows(db).where({ id }).first();
const late = async (id: EventId, changes?: object) => {
  await ageEvent(db, id, '1 minute');
  if (changes !== undefined) await db('pending_events').where({ id }).update(changes);
};

describe('takePending', () => {
  const take = async (limit = 200) =>
    (await dueEvents.takePending(db, { limit })).map(({ id }) => id);

  it('takes a pending event once, until its lease expires', async () => {
    const id = await stored();
    expect(await take()).toEqual([]);
    await late(id);
    expect(await dueEvents.takePending(db, { limit: 200 })).toEqual([
      { id, provider: 'alpha', tenantId },
    ]);
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
    await late(id);
    await late(other);
    await leases.handOver(db, [id]);
    expect(await take()).toEqual([other]);
  });

  it('takes first the event that has been due longest', async () => {
    const [first, second] = [await stored(), await stored()];
    await late(first, { nextAttemptAt: new Date(Date.now() - 1_000) });
    await late(second, { nextAttemptAt: new Date(Date.now() - 2_000) });
    expect(await take(1)).toEqual([second]);
    expect(await take(1)).toEqual([first]);
  });

  it('gives up what is older than 7 days, attempted or not, waiting or not', async () => {
    const [never, parked, young] = [await stored(), await stored(), await stored()];
    await ageEvent(db, never, '8 days');
    await ageEvent(db, parked, '8 days');
    await ageEvent(db, young, '6 days');
    await waiting.park(db, [{ id: parked, error: 'alpha answered 503.' }], false);
    expect(await readServiceMetrics(db)).toMatchObject({ pendingEvents: 1, givenUpEvents: 2 });
    // Each batch is of one event: those that are given up do not end the sweep.
    expect([await take(1), await take(1)]).toEqual([[young], []]);
    for (const id of [never, parked]) {
      expect(await row(id)).toMatchObject({
        processed: false,
        nextAttemptAt: Number.POSITIVE_INFINITY,
      });
    }
    expect((await row(parked)).lastError).toBe('alpha answered 503.');
    expect(await readServiceMetrics(db)).toMatchObject({ pendingEvents: 1, givenUpEvents: 2 });
  });
});

describe('takeBackingOff', () => {
  const take = async (limit = 200) =>
    (await dueEvents.takeBackingOff(db, limit)).map(({ id }) => id);
  const failed = async (ageMinutes: number, changes: object = {}) => {
    const id = await stored();
    await webhookEvents.recordFailures(db, [{ id, error: 'no' }]);
    const receivedAt = new Date(Date.now() - ageMinutes * 60_000);
    await db('pending_events')
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

  it('leaves what waits for a connection, is leased, is old or never failed', async () => {
    await failed(1, { awaitsConnection: true });
    await failed(1, { leasedUntil: new Date(Date.now() + 60_000) });
    await failed(8 * 24 * 60);
    await stored();
    expect(await take()).toEqual([]);
  });
});

describe('20,000 events that were given up, and as many that nobody claims', () => {
  it('are not read by a sweep or by the figures', async () => {
    await db.raw(
      `insert into stalled_events (id, provider, tenant_id, merchant_id, event_type,
         correlation_id, received_at)
       select gen_random_uuid(), 'alpha', case when n % 2 = 0 then :tenantId::uuid end, 'nobody',
         'payment.updated', 'c', now() - interval '20 days'
       from generate_series(1, 40000) n`,
      { tenantId },
    );
    const due = await stored();
    await ageEvent(db, due, '1 hour');
    await database.owner.raw('vacuum analyze stalled_events');

    const plans: string[] = [];
    const explaining = db.client;
    const watch = ({ sql, bindings }: { sql: string; bindings: unknown[] }) =>
      plans.push(JSON.stringify([sql, bindings]));
    explaining.on('query', watch);
    expect((await dueEvents.takePending(db, { limit: 200 })).map(({ id }) => id)).toEqual([due]);
    await waiting.releaseParked(db, 5_000);
    const { givenUpEvents } = await readServiceMetrics(db);
    explaining.removeListener('query', watch);
    // An estimate, at that many.
    expect(Math.round(givenUpEvents / 1_000)).toBe(20);

    // Two make due what waits, and the last two read the connections and due work.
    const asked = plans.filter((plan) => !/^\["(BEGIN|COMMIT)/.test(plan));
    expect(asked).toHaveLength(6);
    for (const plan of asked) {
      const [sql, bindings]: [string, string[]] = JSON.parse(plan);
      const client = await explaining.acquireConnection();
      const { rows } = await client.query(`explain (analyze, costs off) ${sql}`, bindings);
      explaining.releaseConnection(client);
      const text = rows.map((each: Record<string, string>) => each['QUERY PLAN']).join('\n');
      expect(text).not.toMatch(/Rows Removed by Filter: \d{3,}/);
      expect(text).not.toMatch(/Seq Scan on stalled_events/);
    }
  });
});
