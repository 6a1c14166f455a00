import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import * as dueEvents from '../../../db/events/due-events.ts';
import * as failedPayments from '../../../db/events/failed-payments.ts';
import { adopt, adoptThese } from '../../../db/events/former-events.ts';
import * as leases from '../../../db/events/leases.ts';
import * as operations from '../../../db/events/operations.ts';
import { EventId, type TenantId } from '../../../domain/ids.ts';
import { eventRows, forgetEvents } from '../../support/events.ts';
import { aTenant, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/payments.ts';
import { capture, explain } from '../plans/explain.ts';
import { findingsIn } from '../plans/findings.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
beforeEach(async () => {
  await forgetEvents(database.owner);
  await db('webhook_events').delete();
  tenantId = await aTenant(db);
});

/** Stores an event as the release before does. */
async function formerEvent(some: object = {}): Promise<EventId> {
  const id = EventId.parse(randomUUID());
  await db('webhook_events').insert({
    id,
    provider: 'alpha',
    tenantId,
    merchantId: 'M',
    eventType: 'payment.updated',
    correlationId: 'c',
    body: Buffer.from(id),
    receivedAt: new Date(Date.now() - 60_000),
    ...some,
  });
  return id;
}
const CLOSED = { processed: true, processedAt: new Date(), outcome: 'ignored' };
const row = (id: EventId) => eventRows(db).where({ id }).first();
const left = () => db('webhook_events').pluck('id');

describe('adopt', () => {
  it('moves what is open as it is, and leaves what was closed', async () => {
    const lastError = 'alpha answered 500.';
    const failing = await formerEvent({ attempts: 3, lastError, isDoubtful: true });
    const givenUp = await formerEvent({ nextAttemptAt: 'infinity', lastError });
    const unknown = await formerEvent({ tenantId: null, outcomeReason: 'unknown_merchant' });
    const done = await formerEvent(CLOSED);
    expect(await adopt(db, 100)).toBe(3);
    expect(await adopt(db, 100)).toBe(0);
    expect(await left()).toEqual([done]);
    expect(await row(failing)).toMatchObject({
      tenantId,
      attempts: 3,
      lastError,
      isDoubtful: true,
      body: Buffer.from(failing),
    });
    expect(await row(givenUp)).toMatchObject({
      nextAttemptAt: Number.POSITIVE_INFINITY,
      lastError,
    });
    expect(await row(unknown)).toMatchObject({ tenantId: null, body: Buffer.from(unknown) });
    expect((await dueEvents.takePending(db, { limit: 10 })).map(({ id }) => id)).toEqual([failing]);
  });

  it('leaves what a run of the release before works on, until that has ended', async () => {
    await formerEvent({ receivedAt: new Date() });
    const leased = await formerEvent({ leasedUntil: new Date(Date.now() + 60_000) });
    const locked = await formerEvent();
    await db.transaction(async (tx) => {
      await tx('webhook_events').where({ id: locked }).forUpdate().select();
      expect(await adopt(db, 100)).toBe(0);
    });
    expect(await adopt(db, 100)).toBe(1);
    await db('webhook_events').where({ id: leased }).update({ leasedUntil: null });
    expect(await adopt(db, 100)).toBe(1);
    expect(await left()).toHaveLength(1);
  });

  it('moves each once, also when it runs several times at once', async () => {
    for (let nth = 0; nth < 20; nth++) await formerEvent();
    const moved = await Promise.all([1, 2, 3, 4].map(() => adopt(db, 10)));
    await adopt(db, 100);
    expect(moved.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(20);
    expect(await left()).toEqual([]);
    expect(await db('pending_events')).toHaveLength(20);
  });
});

describe('adopt, where nearly all events are processed', () => {
  it('compares no event with each of the others', async () => {
    await db.raw(
      `insert into webhook_events (id, provider, tenant_id, merchant_id, event_type, body,
         correlation_id, received_at, processed, processed_at, outcome)
       select gen_random_uuid(), 'alpha', :tenantId, 'M', 'payment.updated', '{}', 'c',
         now() - interval '1 minute', n > 300, case when n > 300 then now() end,
         case when n > 300 then 'ignored' end
       from generate_series(1, 20_000) n`,
      { tenantId },
    );
    await database.owner.raw('analyze webhook_events');
    const statements = await capture(db, (tx) => adopt(tx, 200));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const explained = await explain(client, statements, 'force_custom_plan');
    await client.end();
    expect(explained.flatMap((each) => findingsIn(each, { rows: 200 }))).toEqual([]);
  });
});

describe('adoptThese', () => {
  it('moves those of a run at once, with its lease', async () => {
    const lease = { run: 'a run', holder: randomUUID() };
    const id = await formerEvent({
      receivedAt: new Date(),
      leasedUntil: new Date(Date.now() + 60_000),
      leaseRun: lease.run,
      leaseHolder: lease.holder,
    });
    const [other, done] = [await formerEvent(), await formerEvent(CLOSED)];
    await adoptThese(db, [id, done, EventId.parse(randomUUID())]);
    expect((await left()).sort()).toEqual([other, done].sort());
    expect(await leases.renew(db, [id], lease)).toEqual([id]);
    await adoptThese(db, [id]);
    expect(await db('pending_events')).toHaveLength(1);
  });
});

describe('a failed payment that the release before has stored', () => {
  const failure = {
    provider: 'alpha' as const,
    merchantId: 'M',
    providerPaymentId: 'P1',
    changedAt: new Date('2026-01-15T10:00:02.100Z'),
    eventType: 'poll.payment_failed',
    body: Buffer.from('{}'),
    error: 'no',
  };

  it('is not stored again, open or closed', async () => {
    await failedPayments.record(db, [{ ...failure, tenantId }]);
    const [stored] = await db('pending_events');
    const id = EventId.parse(stored.id);
    for (const state of [{}, CLOSED]) {
      await forgetEvents(database.owner);
      await db('webhook_events').delete();
      await formerEvent({ id, ...state });
      await failedPayments.record(db, [{ ...failure, tenantId }]);
      expect(await db('pending_events')).toEqual([]);
    }
  });

  it('is open once when both releases stored it at the same moment', async () => {
    await failedPayments.record(db, [{ ...failure, tenantId }]);
    const [stored] = await db('pending_events');
    await formerEvent({ id: stored.id });
    expect(await adopt(db, 10)).toBe(1);
    expect(await left()).toEqual([]);
    expect(await db('pending_events')).toMatchObject([{ correlationId: 'poll' }]);
  });
});

describe('an event that the release before has closed', () => {
  it('is shown, listed with its payment, and replayed', async () => {
    const paymentId = await aCreditedPayment(db, await aWallet(db, { tenantId }), 3);
    const id = await formerEvent({ ...CLOSED, outcome: 'credited', paymentId });
    expect(await operations.get(db, id)).toMatchObject({ processed: true, body: Buffer.from(id) });
    expect(await operations.listOfPayment(db, paymentId)).toMatchObject([{ id, attempts: 0 }]);
    const listed = await operations.list(db, { kind: 'processed', tenantId, limit: 10 });
    expect(listed.map((event) => event.id)).toEqual([id]);
    const again = await operations.replay(db, id);
    expect(again.how).toBe('delivered');
    expect((await operations.get(db, again.id)).body).toEqual(Buffer.from(id));
  });
});
