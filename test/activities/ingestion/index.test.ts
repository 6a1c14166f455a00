import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createIngestionActivities,
  type IngestResult,
  prepareSweep,
} from '../../../activities/ingestion/index.ts';
import type { EventId, TenantId, UserId } from '../../../domain/ids.ts';
import { NO_COUNTS } from '../../../domain/ingest-counts.ts';
import type { Alpha } from '../../../gateways/providers/alpha/client.ts';
import { ProviderError } from '../../../gateways/providers/shared/error.ts';
import {
  aConnectedShop,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { decisionAbout } from '../../support/points/payments.ts';
import { eventRows } from '../../support/providers/events.ts';
import { anAlphaGateway } from '../../support/providers/providers.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

let findCustomer: Alpha['findCustomer'];
const alpha: Alpha = { ...anAlphaGateway(), findCustomer: (token, id) => findCustomer(token, id) };
const activities = () => createIngestionActivities(activityDeps(db, { alpha }));

let tenantId: TenantId;
let merchantId: string;
let userId: UserId;
let email: string;
beforeEach(async () => {
  findCustomer = async () => {
    throw new Error('This test expects no customer request.');
  };
  const shop = await aConnectedShop(db, { accessToken: 'secret-token' });
  ({ tenantId, merchantId, userId, email } = shop);
});

const credit = (ids: EventId[]) => activities().ingestEvents(ids);
const ingestWithProvider = (ids: EventId[]): Promise<IngestResult> =>
  new MockActivityEnvironment().run(activities().ingestEventsWithProvider, ids);
const store = (...bodies: Buffer[]) => storedEvents(db, merchantId, bodies);
const event = (id: EventId) => eventRows(db).where({ id }).first();
const balance = async () =>
  (await db('wallets').where({ userId, tenantId }).first())?.balance as number | undefined;

describe('ingestEvents', () => {
  it('credits a settled payment to the wallet of its e-mail, and stores the decision', async () => {
    await aRule(db, tenantId, { conversionRate: 0.5 });
    const [id] = await store(
      anAlphaEvent(merchantId, { email: ` ${email.toUpperCase()} `, amount: 1001 }),
    );

    const { counts } = await credit([required(id)]);

    expect(counts).toEqual({ ...NO_COUNTS, credited: 1, points: 500 });
    expect(await balance()).toBe(500);
    expect(await event(required(id))).toMatchObject({ processed: true, outcome: 'credited' });
    const payment = await db('payments').where({ tenantId }).first();
    expect(payment).toMatchObject({ pointsAwarded: 500, ruleVersion: 1, outcome: 'credited' });
    const decision = await decisionAbout(db, payment.id);
    expect(decision.earning).toEqual({
      points: 500,
      exact: '500.5',
      rounded: 500,
      zeroReason: null,
    });
    expect(JSON.stringify(decision)).not.toContain(email);
  });

  it('changes nothing when it runs again', async () => {
    await aRule(db, tenantId);
    const ids = await store(anAlphaEvent(merchantId, { email }));
    await credit(ids);
    const { counts } = await credit(ids);
    expect(counts).toEqual(NO_COUNTS);
    expect(await balance()).toBe(1000);
  });

  it('credits once when one batch has ten deliveries of a payment', async () => {
    await aRule(db, tenantId);
    const body = anAlphaEvent(merchantId, { email, amount: 70 });
    const ids = await store(...Array.from({ length: 10 }, () => body));
    const { counts } = await credit(ids);
    expect(counts).toEqual({ ...NO_COUNTS, credited: 1, points: 70, duplicate: 9 });
    expect(await balance()).toBe(70);
  });

  it('credits once when concurrent batches have deliveries of one payment', async () => {
    await aRule(db, tenantId);
    const body = anAlphaEvent(merchantId, { email, amount: 70 });
    const ids = await store(...Array.from({ length: 40 }, () => body));
    const results = await Promise.all(ids.map((id) => credit([id])));
    expect(results.reduce((sum, { counts }) => sum + counts.credited, 0)).toBe(1);
    expect(results.reduce((sum, { counts }) => sum + counts.duplicate, 0)).toBe(39);
    expect(await balance()).toBe(70);
  });

  it('ignores an APPROVED payment, and still credits it once it is COMPLETED', async () => {
    await aRule(db, tenantId);
    const approved = anAlphaEvent(merchantId, { id: 'P1', email, status: 'APPROVED' });
    const completed = anAlphaEvent(merchantId, { id: 'P1', email, status: 'COMPLETED' });
    const ids = await store(approved, completed, approved, completed);
    const { counts } = await credit(ids);
    expect(counts).toMatchObject({ credited: 1, duplicate: 1, ignored: 2, points: 1000 });
  });

  it('stores the payment as anonymous when the e-mail is only unverified', async () => {
    await aRule(db, tenantId);
    const unverified = `${randomUUID()}@example.com`;
    await aUser(db, { email: unverified, emailVerified: false });
    const [id] = await store(anAlphaEvent(merchantId, { email: unverified }));
    await credit([required(id)]);
    expect(await event(required(id))).toMatchObject({
      outcome: 'stored_anonymous',
      outcomeReason: 'no_match',
    });
  });

  it('credits nothing when the only rule is not in effect yet', async () => {
    await aRule(db, tenantId, { effectiveFrom: new Date(Date.now() + 3_600_000).toISOString() });
    const { counts } = await credit(await store(anAlphaEvent(merchantId, { email })));
    expect(counts).toEqual({ ...NO_COUNTS, no_rule_no_credit: 1 });
    expect(await balance()).toBeUndefined();
  });

  it('applies the newest of the rules in effect', async () => {
    await aRule(db, tenantId, { conversionRate: 1 });
    await aRule(db, tenantId, { conversionRate: 2 });
    await aRule(db, tenantId, {
      conversionRate: 9,
      effectiveFrom: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await credit(await store(anAlphaEvent(merchantId, { email, amount: 10 })));
    expect(await balance()).toBe(20);
  });

  it('stores the reason for 0 points, and creates no wallet', async () => {
    await aRule(db, tenantId, { minSpendMinorUnits: 500 });
    await credit(await store(anAlphaEvent(merchantId, { email, amount: 499, tip: 100 })));
    expect(await db('payments').where({ tenantId }).first()).toMatchObject({
      outcome: 'credited',
      outcomeReason: 'below_minimum',
      pointsAwarded: 0,
      walletId: null,
    });
  });

  it('fails only a malformed event, and delays its retries by a growing interval', async () => {
    await aRule(db, tenantId);
    const broken = Buffer.from(
      JSON.stringify({ merchant_id: merchantId, type: 'payment.updated', data: { object: {} } }),
    );
    const ids = await store(anAlphaEvent(merchantId, { email }), broken);
    const { counts } = await credit(ids);
    expect(counts).toMatchObject({ credited: 1, failed: 1 });

    const delays: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const row = await event(required(ids[1]));
      expect(row).toMatchObject({ processed: false, attempts: attempt + 1 });
      expect(row.lastError).toBe('InvalidPayload: Invalid alpha payload: data.object.payment.');
      delays.push(Math.round((row.nextAttemptAt.getTime() - Date.now()) / 1000));
      await credit(ids);
    }
    expect(delays[1]).toBeGreaterThan(required(delays[0]) * 1.5);
    expect(delays[2]).toBeGreaterThan(required(delays[1]) * 1.5);
  });

  it('fails only the payment that Postgres refuses', async () => {
    await aRule(db, tenantId);
    const ids = await store(
      anAlphaEvent(merchantId, { email, amount: 5 }),
      anAlphaEvent(merchantId, { id: 'NUL\u0000', email, amount: 5 }),
      anAlphaEvent(merchantId, { email, amount: 5 }),
    );
    const { counts } = await credit(ids);
    expect(counts).toMatchObject({ credited: 2, failed: 1, points: 10 });
    expect(await balance()).toBe(10);
    expect((await event(required(ids[1]))).lastError).toMatch(/^Postgres refused it: 22/);
  });

  it('credits no more points than a payment can earn, and says so', async () => {
    await aRule(db, tenantId, { conversionRate: 1_000_000 });
    const ids = await store(anAlphaEvent(merchantId, { email, amount: Number.MAX_SAFE_INTEGER }));
    expect((await credit(ids)).counts).toMatchObject({ credited: 1, points: 2 ** 31 - 1 });
    expect(await event(required(ids[0]))).toMatchObject({ outcomeReason: 'capped_to_limit' });
  });

  it('ingests an event that arrived before its merchant connected', async () => {
    await aRule(db, tenantId);
    const early = `M-${randomUUID()}`;
    const [id] = await storedEvents(db, early, [anAlphaEvent(early, { email })]);
    expect((await credit([required(id)])).counts).toEqual(NO_COUNTS);
    expect(await event(required(id))).toMatchObject({
      tenantId: null,
      outcomeReason: 'unknown_merchant',
    });

    await anAlphaConnection(db, { tenantId, merchantId: early });
    await prepareSweep(db);
    expect((await credit([required(id)])).counts).toMatchObject({ credited: 1 });
    expect(await event(required(id))).toMatchObject({ tenantId, outcome: 'credited' });
  });

  it('matches by phone in the tenant’s country when the customer has no e-mail', async () => {
    const swiss = await aTenant(db, { country: 'CH' });
    const merchant = `M-${randomUUID()}`;
    await anAlphaConnection(db, { tenantId: swiss, merchantId: merchant });
    await aRule(db, swiss);
    const owner = await aUser(db, { phone: '+41446681800' });
    findCustomer = async () => ({ email: null, phone: '044 668 18 00' });
    const ids = await storedEvents(db, merchant, [anAlphaEvent(merchant, { customerId: 'C1' })]);

    const { needProvider } = await credit(ids);
    const { counts } = await ingestWithProvider(needProvider);

    expect(counts).toMatchObject({ credited: 1 });
    expect(await db('wallets').where({ userId: owner, tenantId: swiss }).first()).toMatchObject({
      balance: 1000,
    });
  });
});

describe('ingestEventsWithProvider', () => {
  it('fetches each customer once with the merchant’s token, and credits the payments', async () => {
    await aRule(db, tenantId);
    const asked: string[] = [];
    findCustomer = async (token, id) => {
      asked.push(`${token} ${id}`);
      return { email, phone: null };
    };
    const ids = await store(
      anAlphaEvent(merchantId, { customerId: 'C1', amount: 10 }),
      anAlphaEvent(merchantId, { customerId: 'C1', amount: 10 }),
    );
    const first = await credit(ids);
    expect(first).toMatchObject({ counts: NO_COUNTS, needProvider: [...ids].sort() });

    const second = await ingestWithProvider(first.needProvider);
    expect(second).toMatchObject({ counts: { credited: 2, points: 20 }, needProvider: [] });
    expect(asked).toEqual(['secret-token C1']);

    const again = await ingestWithProvider(first.needProvider);
    expect(again.counts).toEqual(NO_COUNTS);
    expect(await balance()).toBe(20);
  });

  it('fetches the customer when the payment’s e-mail is invalid', async () => {
    await aRule(db, tenantId);
    findCustomer = async () => ({ email, phone: null });
    const ids = await store(anAlphaEvent(merchantId, { email: 'none', customerId: 'C1' }));
    const { needProvider } = await credit(ids);
    const { counts } = await ingestWithProvider(needProvider);
    expect(counts).toMatchObject({ credited: 1 });
  });

  it('stores the payment as anonymous when the provider has no such customer', async () => {
    findCustomer = async () => null;
    const ids = await store(anAlphaEvent(merchantId, { customerId: 'C1' }));
    const { counts } = await ingestWithProvider(ids);
    expect(counts).toMatchObject({ stored_anonymous: 1 });
  });

  it('returns events to retry when the provider is busy, and credits the others', async () => {
    await aRule(db, tenantId);
    findCustomer = async (_, id) => {
      if (id === 'BUSY')
        throw new ProviderError('alpha answered 429.', 429, { retryAfterMs: 7_000 });
      return { email, phone: null };
    };
    const ids = await store(
      anAlphaEvent(merchantId, { customerId: 'BUSY' }),
      anAlphaEvent(merchantId, { customerId: 'C2' }),
    );
    const result = await ingestWithProvider(ids);
    expect(result).toMatchObject({ counts: { credited: 1 }, needProvider: [ids[0]] });
    expect(result.retryAfterMs).toBeGreaterThan(6_000);

    const row = await event(required(ids[0]));
    expect(row).toMatchObject({
      processed: false,
      attempts: 0,
      lastError: 'ProviderError: alpha answered 429.',
    });
    expect(row.leasedUntil.getTime()).toBeGreaterThan(Date.now() + result.retryAfterMs);
  });

  it('fails the event when a retry would not help', async () => {
    findCustomer = async () => {
      throw new ProviderError('alpha answered 401.', 401);
    };
    const ids = await store(anAlphaEvent(merchantId, { customerId: 'C1' }));
    const result = await ingestWithProvider(ids);
    expect(result).toMatchObject({ counts: { failed: 1 }, needProvider: [] });
  });
});

describe('takePendingEvents', () => {
  const age = (ids: EventId[], interval: string) =>
    db.raw(
      `with unclaimed as (
         update stalled_events set received_at = now() - :age::interval where id = any(:ids)
       )
       update pending_events set received_at = now() - :age::interval,
         next_attempt_at = now() - interval '1 second' where id = any(:ids)`,
      { age: interval, ids },
    );
  const taken = async () =>
    (await activities().takePendingEvents()).flatMap((group) => group.eventIds);

  it('leases pending events once, with their tenants', async () => {
    const ids = await store(anAlphaEvent(merchantId), anAlphaEvent(merchantId));
    await age(ids, '1 minute');
    const [group] = await activities().takePendingEvents();
    expect(group).toMatchObject({ provider: 'alpha', tenantIds: [tenantId] });
    expect(required(group).eventIds.sort()).toEqual([...ids].sort());
    expect(await taken()).toEqual([]);
  });

  it.each([
    ['too young, because its own run may still ingest it', '10 seconds'],
    ['older than 7 days', '7 days 1 minute'],
  ])('leaves an event that is %s', async (_, interval) => {
    const ids = await store(anAlphaEvent(merchantId));
    await age(ids, interval);
    expect(await taken()).toEqual([]);
  });

  it('leaves an event when its next attempt is not due', async () => {
    const broken = JSON.stringify({ merchant_id: merchantId, type: 'payment.updated' });
    const ids = await store(Buffer.from(broken));
    await age(ids, '1 minute');
    await credit(ids);
    expect(await taken()).toEqual([]);
  });

  it('takes early events once their merchant has connected, and no others', async () => {
    const [early, never] = [`M-${randomUUID()}`, `M-${randomUUID()}`];
    const ids = await storedEvents(db, early, [anAlphaEvent(early, { email })]);
    await age([...ids, ...(await storedEvents(db, never, [anAlphaEvent(never)]))], '1 minute');
    expect(await taken()).toEqual([]);

    await anAlphaConnection(db, { tenantId, merchantId: early });
    await prepareSweep(db);
    const [group] = await activities().takePendingEvents();
    expect(group).toMatchObject({ eventIds: ids, tenantIds: [tenantId] });
  });

  it('takes at most 500 events, and others at the next call', async () => {
    const ids = await store(...Array.from({ length: 501 }, () => anAlphaEvent(merchantId)));
    await age(ids, '1 minute');
    const [first, second] = [await taken(), await taken()];
    expect([first.length, second.length]).toEqual([500, 1]);
    expect(new Set([...first, ...second]).size).toBe(501);
  });
});

describe('probeAwayConnections', () => {
  it('makes due what waited for a provider that answers again', async () => {
    const ids = await store(anAlphaEvent(merchantId, { customerId: 'C1' }));
    await db('pending_events')
      .whereIn('id', ids)
      .update({ receivedAt: db.raw(`now() - interval '1 hour'`) });
    findCustomer = async () => {
      throw new ProviderError('alpha answered 429.', 429, { retryAfterMs: 60_000 });
    };
    await ingestWithProvider(ids);
    const listLocations = async () => [];
    const { probeAwayConnections, takePendingEvents } = createIngestionActivities(
      activityDeps(db, { alpha: { ...anAlphaGateway(), listLocations } }),
    );
    const probeAll = () => new MockActivityEnvironment().run(probeAwayConnections);
    expect(await probeAll()).toBe(0);
    expect(await takePendingEvents()).toEqual([]);

    await db('pos_connections').where({ tenantId }).update({ askAgainAt: new Date() });
    expect(await probeAll()).toBe(1);
    expect(await takePendingEvents()).toMatchObject([{ eventIds: ids }]);
  });
});
