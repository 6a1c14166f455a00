import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestEventBatch } from '../../../../activities/ingestion/events/ingest-events.ts';
import { createIngestionActivities } from '../../../../activities/ingestion/index.ts';
import type { Db } from '../../../../db/connection.ts';
import * as webhookEvents from '../../../../db/events/webhook-events.ts';
import { EventId } from '../../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database/test-database.ts';
import {
  type AlphaPaymentOptions,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
  testPolicy,
} from '../../../support/factories.ts';
import { eventRows } from '../../../support/providers/events.ts';
import { anAlphaGateway } from '../../../support/providers/providers.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

type Place = { database: TestDatabase; db: Db };
const places: Place[] = [];
beforeAll(async () => {
  for (let count = 0; count < 2; count++) {
    const database = await createTestDatabase();
    places.push({ database, db: database.db });
  }
});
afterAll(() => Promise.all(places.map(({ database }) => database.close())));

const PEOPLE = ['ada', 'bob', 'eve'];

/** A payment event: one of a few payments, its payer, amount and state. */
const someEvent = fc.record({
  payment: fc.integer({ min: 1, max: 6 }),
  person: fc.constantFrom(...PEOPLE, 'nobody', 'no e-mail', ''),
  amount: fc.oneof(fc.constantFrom(0, 1, 9, 10), fc.integer({ min: 0, max: 100_000 })),
  tip: fc.option(fc.nat(500), { nil: undefined }),
  status: fc.constantFrom('COMPLETED', 'COMPLETED', 'COMPLETED', 'APPROVED', 'FAILED', ''),
  broken: fc.constantFrom(false, false, false, false, false, false, true),
});
const someRule = fc.option(
  fc.record({
    conversionRate: fc.constantFrom(0.07, 0.29, 1, 1.15),
    minSpendMinorUnits: fc.constantFrom(0, 10),
    roundingPolicy: fc.constantFrom('floor' as const, 'ceil' as const, 'round' as const),
    maxPointsPerTransaction: fc.constantFrom(null, 0, 500),
  }),
);
const someBatch = fc.array(someEvent, { minLength: 1, maxLength: 12 });
type SomeEvent = Parameters<typeof bodyOf>[0] & { broken: boolean };

function bodyOf(event: {
  payment: number;
  person: string;
  amount: number;
  tip: number | undefined;
  status: string;
}): Buffer {
  const { payment, person, amount, tip, status } = event;
  return anAlphaEvent('M1', {
    id: `P${payment}`,
    amount,
    status,
    ...(tip === undefined ? {} : { tip }),
    ...(person === '' ? {} : { email: person.includes(' ') ? person : `${person}@example.com` }),
  });
}

/** Creates a tenant and new consumers in one of the two databases. */
async function aShop({ db }: Place, rule: Parameters<typeof aRule>[2] | null) {
  const run = randomUUID();
  const merchantId = `M-${run}`;
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId });
  if (rule) await aRule(db, tenantId, rule);
  await db('users')
    .whereIn(
      'email',
      PEOPLE.map((name) => `${name}@example.com`),
    )
    .update({
      email: null,
    });
  for (const name of PEOPLE) await aUser(db, { email: `${name}@example.com` });
  const activities = createIngestionActivities(activityDeps(db, { alpha: anAlphaGateway() }));
  return { db, tenantId, merchantId, credit: activities.ingestEvents };
}
type Shop = Awaited<ReturnType<typeof aShop>>;

async function store(shop: Shop, ids: readonly EventId[], events: readonly SomeEvent[]) {
  await webhookEvents.insert(
    shop.db,
    events.map((event, index) => ({
      id: required(ids[index]),
      provider: 'alpha',
      merchantId: shop.merchantId,
      correlationId: 'c',
      eventType: 'payment.updated',
      body: event.broken
        ? Buffer.from('{"merchant_id":"M1","type":"payment.updated"}')
        : bodyOf(event),
    })),
  );
}

/** Everything that ingestion stored, except ids and times, which differ in every run. */
async function outcomeOf({ db, tenantId }: Shop) {
  const people = await db('users').select('id', 'email');
  const nameOf = (id: string | null) => people.find((user) => user.id === id)?.email ?? null;
  const payments = await db('payments').where({ tenantId }).orderBy('providerPaymentId');
  const wallets = await db('wallets').where({ tenantId });
  const entries = await db('ledger_entries')
    .whereIn(
      'walletId',
      wallets.map(({ id }) => id),
    )
    .orderBy(['walletId', 'seq']);
  const events = await eventRows(db).where({ tenantId }).orderBy('id');
  const paymentIds = new Map(payments.map(({ id, providerPaymentId }) => [id, providerPaymentId]));
  const owner = (walletId: string | null) =>
    nameOf(wallets.find(({ id }) => id === walletId)?.userId ?? null);
  return {
    payments: payments.map(({ id, tenantId: _, createdAt, userId, walletId, ...rest }) => ({
      ...rest,
      user: nameOf(userId),
      wallet: owner(walletId),
    })),
    wallets: wallets
      .map(({ userId, balance, seq }) => ({ user: nameOf(userId), balance, seq }))
      .sort((one, other) => String(one.user).localeCompare(String(other.user))),
    // Changes of stored payments follow the other payments of a batch, so the order may differ.
    entries: entries
      .map(({ walletId, entryType, points, sourceId }) => ({
        wallet: owner(walletId),
        entryType,
        points,
        payment: paymentIds.get(sourceId),
      }))
      .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
    events: events.map((event) => ({
      id: event.id,
      processed: event.processed,
      outcome: event.outcome,
      reason: event.outcomeReason,
      lastError: event.lastError,
      attempts: event.attempts,
      payment: paymentIds.get(event.paymentId),
    })),
  };
}

describe('ingestEvents', () => {
  it('stores the same for a batch as for its events one by one', async () => {
    const seen = { credits: 0, duplicates: 0, anonymous: 0, failures: 0 };
    await fc.assert(
      fc.asyncProperty(
        someRule,
        fc.array(someBatch, { minLength: 1, maxLength: 3 }),
        async (rule, batches) => {
          const [together, alone] = [
            await aShop(required(places[0]), rule),
            await aShop(required(places[1]), rule),
          ];
          for (const events of batches) {
            // A batch is ingested in the order of its ids, not in the order of the argument.
            const ids = events.map(() => EventId.parse(randomUUID())).sort();
            await store(together, ids, events);
            await store(alone, ids, events);

            const { counts } = await together.credit(ids.toReversed());
            for (const id of ids) await alone.credit([id]);

            seen.credits += counts.credited;
            seen.duplicates += counts.duplicate;
            seen.anonymous += counts.stored_anonymous;
            seen.failures += counts.failed;
          }
          expect(await outcomeOf(together)).toEqual(await outcomeOf(alone));
        },
      ),
      { numRuns: 50 },
    );
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  }, 120_000);
});

describe('ingestEventBatch', () => {
  it('uses the contacts from the provider, and requests no customer again', async () => {
    const shop = await aShop(required(places[0]), { conversionRate: 1 });
    const ids = [EventId.parse(randomUUID()), EventId.parse(randomUUID())];
    await webhookEvents.insert(
      shop.db,
      ids.map((id) => ({
        id,
        provider: 'alpha',
        merchantId: shop.merchantId,
        correlationId: 'c',
        eventType: 'payment.updated',
        body: anAlphaEvent('M1', { customerId: 'C1' }),
      })),
    );
    const [known, unknown] = [required(ids[0]), required(ids[1])];

    const first = await ingestEventBatch(shop.db, ids, new Map(), testPolicy);
    expect(first).toMatchObject({ decided: [], failures: [] });
    expect(first.ask).toEqual([...ids].sort());

    const payment = { ...aPayment, providerCustomerId: 'C1' };
    const resolved = new Map([
      [known, resolvedAs({ ...payment, providerPaymentId: 'P1', email: 'ADA@example.com' })],
      [unknown, resolvedAs({ ...payment, providerPaymentId: 'P2' })],
    ]);
    const { decided, ask } = await ingestEventBatch(shop.db, ids, resolved, testPolicy);
    expect(ask).toEqual([]);
    expect(decided.map(({ outcome }) => outcome).sort()).toEqual(['credited', 'stored_anonymous']);
    const events = await eventRows(shop.db).whereIn('id', ids).select('id', 'outcome');
    expect(new Map(events.map(({ id, outcome }) => [id, outcome]))).toEqual(
      new Map([
        [known, 'credited'],
        [unknown, 'stored_anonymous'],
      ]),
    );
  });

  it('writes once, payments together with the events that report none', async () => {
    const shop = await aShop(required(places[0]), { conversionRate: 1 });
    const bodies = [{ status: 'APPROVED' }, {}, { status: 'FAILED' }];
    const ingest = async (some: typeof bodies) => {
      const events = some.map((each) => anAlphaEvent('M1', each));
      const ids = await storedEvents(shop.db, shop.merchantId, events);
      let writes = 0;
      const note = ({ sql }: { sql: string }) => {
        if (sql.includes('insert into payments')) writes++;
      };
      shop.db.on('query', note);
      await ingestEventBatch(shop.db, ids, new Map(), testPolicy);
      shop.db.removeListener('query', note);
      const open = await shop.db('pending_events').whereIn('id', ids);
      return { writes, open: open.length };
    };
    expect(await ingest(bodies)).toEqual({ writes: 1, open: 0 });
    expect(await ingest([{ status: 'FAILED' }])).toEqual({ writes: 1, open: 0 });
  });

  it('ingests several payments of an event, whose outcome is the most important one', async () => {
    const shop = await aShop(required(places[0]), { conversionRate: 1 });
    const [id] = await storedEvents(shop.db, shop.merchantId, [anAlphaEvent('M1')]);
    const eventId = required(id);
    const payments = [
      { ...aPayment, providerPaymentId: 'P1' },
      { ...aPayment, providerPaymentId: 'P2', email: 'bob@example.com' },
      { ...aPayment, providerPaymentId: 'P3', state: 'pending' as const },
    ];
    const stored = () => shop.db('payments').where({ tenantId: shop.tenantId }).pluck('outcome');
    const event = () => eventRows(shop.db).where({ id: eventId }).first();

    const partly = new Map([[eventId, { payments: payments.slice(0, 1), isComplete: false }]]);
    await ingestEventBatch(shop.db, [eventId], partly, testPolicy);
    expect(await stored()).toEqual(['stored_anonymous']);
    expect(await event()).toMatchObject({ processed: false });

    const whole = new Map([[eventId, { payments, isComplete: true }]]);
    await ingestEventBatch(shop.db, [eventId], whole, testPolicy);
    expect((await stored()).sort()).toEqual(['credited', 'stored_anonymous']);
    expect(await event()).toMatchObject({ processed: true, outcome: 'credited' });
  });

  it('matches late and reverses refunds after the batch, once', async () => {
    const shop = await aShop(required(places[0]), { conversionRate: 1 });
    const deliver = async (payment: AlphaPaymentOptions) => {
      const ids = await storedEvents(shop.db, shop.merchantId, [anAlphaEvent('M1', payment)]);
      const { decided } = await ingestEventBatch(shop.db, ids, new Map(), testPolicy);
      return decided.map(({ outcome }) => outcome);
    };
    const sale = { id: 'P1', amount: 100 };
    expect(await deliver(sale)).toEqual(['stored_anonymous']);
    const known = { ...sale, email: 'ada@example.com' };
    expect(await deliver(known)).toEqual(['credited']);
    expect(await deliver(known)).toEqual(['duplicate']);
    expect(await deliver({ ...known, refunded: 30 })).toEqual(['refund_reversed']);
    expect(await deliver({ ...known, refunded: 30 })).toEqual(['duplicate']);
    expect(await deliver(known)).toEqual(['duplicate']);
    const open = await eventRows(shop.db).where({ processed: false });
    expect(open.filter(({ merchantId }) => merchantId === shop.merchantId)).toEqual([]);
    expect(await shop.db('wallets').where({ tenantId: shop.tenantId }).pluck('balance')).toEqual([
      70,
    ]);
  });
});

const aPayment: NormalizedPayment = {
  provider: 'alpha',
  providerPaymentId: 'P1',
  state: 'settled',
  currency: 'EUR',
  amountMinorUnits: 100,
  tipMinorUnits: 0,
  refundedMinorUnits: 0,
  occurredAt: new Date('2026-01-15T10:00:00Z'),
  changedAt: new Date('2026-01-15T10:00:00Z'),
  locationId: null,
  providerCustomerId: null,
  email: null,
  phone: null,
};
const resolvedAs = (payment: NormalizedPayment) => ({ payments: [payment], isComplete: true });
