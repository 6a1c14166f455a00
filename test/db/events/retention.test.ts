import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as operations from '../../../db/events/operations.ts';
import { keepPartitions, purgeBodies } from '../../../db/events/retention.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import { newId } from '../../../db/new-id.ts';
import { readServiceMetrics } from '../../../db/service-metrics.ts';
import { EventId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { closeEvents, eventRows, forgetEvents } from '../../support/providers/events.ts';

const database = await useDatabase();
const { db, owner } = database;
const merchantId = `M-${randomUUID()}`;
const tenantId = await aTenant(db);
await anAlphaConnection(db, { tenantId, merchantId });

const TABLES = ['webhook_bodies', 'event_outcomes'];
const monthOf = (ahead: number) => {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
  return month.toISOString().slice(0, 7).replace('-', '_');
};
/** The table of bodies whose months those are, which are not to be seen by name in the code. */
const partitions = async (table: string) => {
  const { rows } = await owner.raw<{ rows: { month: string }[] }>(
    `select right(inhrelid::regclass::text, 7) as month from pg_inherits
     where inhparent = :table::regclass and inhrelid::regclass::text ~ '\\d{4}_\\d{2}$'
     order by 1`,
    { table },
  );
  return rows.map(({ month }) => month);
};
/** Makes the partition of a month that has passed, as it was made then. */
async function madeThen(table: string, ahead: number): Promise<void> {
  const [first, next] = [monthOf(ahead), monthOf(ahead + 1)].map((month) =>
    month.replace('_', '-'),
  );
  const bound = (month = '') => `first_event_id('${month}-01T00:00:00Z')`;
  const { rows } = await owner.raw<{ rows: { first: string; next: string }[] }>(
    `select ${bound(first)} as first, ${bound(next)} as next`,
  );
  await owner.raw(
    `create table ${table}_${monthOf(ahead)} partition of ${table}
     for values from ('${rows[0]?.first}') to ('${rows[0]?.next}')`,
  );
}
const stored = async (id: string = newId(), merchant = merchantId): Promise<EventId> => {
  const event = {
    id: EventId.parse(id),
    provider: 'alpha' as const,
    merchantId: merchant,
    eventType: 'payment.updated',
    correlationId: 'c',
    body: Buffer.from(id),
  };
  await webhookEvents.insert(db, [event]);
  return event.id;
};
/** An id of the middle of a month. */
const idOf = (ahead: number) => {
  const at = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + ahead, 15);
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${newId().slice(15)}`;
};

beforeEach(() => forgetEvents(owner));

describe('the statistics of empty partitions', () => {
  const analysedEmpty = async () => {
    const { rows } = await owner.raw<{ rows: { name: string }[] }>(
      `select inhrelid::regclass::text as name from pg_inherits i
       join pg_class c on c.oid = i.inhrelid
       where i.inhparent in ('webhook_bodies'::regclass, 'event_outcomes'::regclass)
         and c.reltuples = 0`,
    );
    return rows.map(({ name }) => name);
  };

  it('lets kept plans use the index of a month that was analysed while it was empty', async () => {
    await owner.raw('analyze webhook_bodies');
    await owner.raw('analyze event_outcomes');
    expect((await analysedEmpty()).length).toBeGreaterThan(4);
    await Promise.all([keepPartitions(db), keepPartitions(db)]);
    expect(await analysedEmpty()).toEqual([]);

    await owner.transaction(async (tx) => {
      await tx.raw('set local plan_cache_mode = force_generic_plan');
      await tx.raw(`prepare body(uuid) as select body from webhook_bodies where id = $1`);
      const { rows } = await tx.raw(`explain execute body('${idOf(1)}')`);
      await tx.raw('deallocate body');
      expect(JSON.stringify(rows)).not.toContain('Seq Scan');
    });
  });

  it('leaves partitions with rows, and those that are being vacuumed, as they are', async () => {
    await stored(idOf(1));
    await owner.raw('analyze webhook_bodies');
    await owner.transaction(async (tx) => {
      await tx.raw(`lock table webhook_bodies_${monthOf(2)} in share update exclusive mode`);
      await keepPartitions(db);
      expect(await analysedEmpty()).toEqual([`webhook_bodies_${monthOf(2)}`]);
    });
    const { rows } = await owner.raw<{ rows: { reltuples: number }[] }>(
      `select reltuples from pg_class where relname = 'webhook_bodies_${monthOf(1)}'`,
    );
    expect(rows).toEqual([{ reltuples: 1 }]);
  });
});

describe('keepPartitions', () => {
  it('has made this month and the two after it, and makes what is missing, once', async () => {
    const months = [0, 1, 2].map(monthOf);
    for (const table of TABLES) expect(await partitions(table)).toEqual(months);
    expect(await keepPartitions(db)).toBe(0);
    expect((await readServiceMetrics(db)).eventMonthsAhead).toBe(2);

    for (const table of TABLES) await owner.raw(`drop table ${table}_${monthOf(2)}`);
    expect((await readServiceMetrics(db)).eventMonthsAhead).toBe(1);
    const made = await Promise.all([keepPartitions(db), keepPartitions(db), keepPartitions(db)]);
    expect(made.reduce((sum, each) => sum + each)).toBe(2);
    for (const table of TABLES) expect(await partitions(table)).toEqual(months);
  });

  it('drops bodies of months that ended 90 days ago, and outcomes after two years', async () => {
    for (const ahead of [-25, -24, -5, -2]) {
      for (const table of TABLES) await madeThen(table, ahead);
    }
    const id = await stored(idOf(-5));
    await closeEvents(db, [id]);
    expect(await keepPartitions(db)).toBe(4);
    expect(await partitions('webhook_bodies')).toEqual([-2, 0, 1, 2].map(monthOf));
    expect(await partitions('event_outcomes')).toEqual([-24, -5, -2, 0, 1, 2].map(monthOf));
    expect(await operations.get(db, id)).toMatchObject({ outcome: 'ignored', merchantId });
    await expect(operations.replay(db, id)).rejects.toThrow(/deleted after 90 days/);

    for (const [table, aheads] of [
      ['webhook_bodies', [-2]],
      ['event_outcomes', [-24, -5, -2]],
    ] as const) {
      for (const ahead of aheads) await owner.raw(`drop table ${table}_${monthOf(ahead)}`);
    }
  });

  it('gives way to whoever uses the tables, and makes what it can', async () => {
    await madeThen('webhook_bodies', -8);
    await owner.raw(`drop table event_outcomes_${monthOf(2)}`);
    await db.transaction(async (tx) => {
      await tx('webhook_bodies').select('id').limit(1);
      expect(await keepPartitions(db)).toBe(1);
    });
    expect(await partitions('webhook_bodies')).toContain(monthOf(-8));
    expect(await keepPartitions(db)).toBe(1);
    expect(await partitions('webhook_bodies')).not.toContain(monthOf(-8));
  });

  it('refuses no event whose month is missing, and leaves that month where it is', async () => {
    await owner.raw(`drop table webhook_bodies_${monthOf(0)}, event_outcomes_${monthOf(0)}`);
    const id = await stored();
    await closeEvents(db, [id]);
    expect(await keepPartitions(db)).toBe(0);
    expect(await operations.get(db, id)).toMatchObject({ processed: true, body: Buffer.from(id) });
    await forgetEvents(owner);
    expect(await keepPartitions(db)).toBe(2);
  });

  it('is all that the service may do with partitions', async () => {
    const month = monthOf(0);
    for (const statement of [
      `drop table webhook_bodies_${month}`,
      `delete from webhook_bodies_${month}`,
      'delete from webhook_bodies',
      `update event_outcomes set outcome = 'credited'`,
      `alter table webhook_bodies detach partition webhook_bodies_${month}`,
    ]) {
      await expect(db.raw(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('purgeBodies', () => {
  const age = (table: string, id: string, days: number) =>
    owner.raw(
      `update ${table} set received_at = now() - make_interval(days => :days) where id = :id`,
      { id, days },
    );

  it('deletes bodies older than 90 days of ids that no clock made, and nothing else', async () => {
    const [old, young] = [`f${randomUUID().slice(1)}`, `f${randomUUID().slice(1)}`];
    await stored(old);
    await stored(young);
    await closeEvents(db, [EventId.parse(old), EventId.parse(young)]);
    await age('webhook_bodies_unordered', old, 91);
    await age('webhook_bodies_unordered', young, 89);
    expect(await purgeBodies(db, 10)).toBe(1);
    expect(await purgeBodies(db, 10)).toBe(0);
    expect((await operations.get(db, EventId.parse(old))).body).toEqual(Buffer.alloc(0));
    expect((await operations.get(db, EventId.parse(young))).body).toEqual(Buffer.from(young));
  });

  it('deletes events that nobody has claimed for 90 days', async () => {
    const [old, young] = [await stored(newId(), 'nobody'), await stored(newId(), 'nobody')];
    await age('stalled_events', old, 91);
    await age('stalled_events', young, 89);
    expect(await purgeBodies(db, 10)).toBe(1);
    expect((await eventRows(db)).map(({ id }) => id)).toEqual([young]);
  });

  it('closes events that were given up as expired, 90 days after they came', async () => {
    const [old, young] = [await stored(), await stored()];
    for (const [id, days] of [
      [old, 91],
      [young, 89],
    ] as const) {
      await owner.raw(
        `with gone as (delete from pending_events where id = :id returning *)
         insert into stalled_events (id, provider, tenant_id, merchant_id, event_type,
           correlation_id, received_at, attempts, last_error)
         select id, provider, tenant_id, merchant_id, event_type, correlation_id,
           now() - make_interval(days => :days), 9, 'A defect.' from gone`,
        { id, days },
      );
    }
    expect(await purgeBodies(db, 10)).toBe(1);
    expect(await purgeBodies(db, 10)).toBe(0);
    expect(await operations.get(db, old)).toMatchObject({
      tenantId,
      processed: true,
      outcome: 'ignored',
      outcomeReason: 'expired',
      lastError: 'A defect.',
    });
    expect(await operations.get(db, young)).toMatchObject({ processed: false });
  });
});
