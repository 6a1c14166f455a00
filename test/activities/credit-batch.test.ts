import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditBatch, failureText } from '../../activities/credit-batch.ts';
import { createIngestionActivities } from '../../activities/ingestion.ts';
import type { Db } from '../../db/connection.ts';
import * as webhookEvents from '../../db/webhook-events.ts';
import { EventId } from '../../domain/ids.ts';
import { InvalidPayload } from '../../gateways/provider-error.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  testSecrets,
} from '../support/factories.ts';

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

/** A payment event: who paid, how much, in which state, and which of a few payments it is. */
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
    ...{ id: `P${payment}`, amount, status },
    ...(tip === undefined ? {} : { tip }),
    ...(person === '' ? {} : { email: person.includes(' ') ? person : `${person}@example.com` }),
  });
}

/** A tenant with its people, all of it new, in one of the two databases. */
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
  const activities = createIngestionActivities({
    db,
    secrets: testSecrets,
    alpha: { findCustomer: () => Promise.reject(new Error('Nobody is to be asked for here.')) },
  });
  return { db, tenantId, merchantId, credit: activities.creditEvents };
}
type Shop = Awaited<ReturnType<typeof aShop>>;

async function store(shop: Shop, ids: readonly EventId[], events: readonly SomeEvent[]) {
  await webhookEvents.insert(
    shop.db,
    events.map((event, index) => ({
      id: required(ids[index]),
      ...{ provider: 'alpha', merchantId: shop.merchantId, correlationId: 'c' },
      eventType: 'payment.updated',
      body: event.broken
        ? Buffer.from('{"merchant_id":"M1","type":"payment.updated"}')
        : bodyOf(event),
    })),
  );
}

/** All that ingestion left behind, without what is new in every run: ids and times. */
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
  const events = await db('webhook_events').where({ tenantId }).orderBy('id');
  const paymentIds = new Map(payments.map(({ id, providerPaymentId }) => [id, providerPaymentId]));
  const owner = (walletId: string | null) =>
    nameOf(wallets.find(({ id }) => id === walletId)?.userId ?? null);
  return {
    payments: payments.map(({ id, tenantId: _, createdAt, userId, walletId, ...rest }) => ({
      ...{ ...rest, user: nameOf(userId), wallet: owner(walletId) },
    })),
    wallets: wallets
      .map(({ userId, balance, seq }) => ({ user: nameOf(userId), balance, seq }))
      .sort((one, other) => String(one.user).localeCompare(String(other.user))),
    entries: entries
      .map(({ walletId, seq, points, balanceAfter, sourceId }) => ({
        ...{ wallet: owner(walletId), seq, points, balanceAfter },
        payment: paymentIds.get(sourceId),
      }))
      .sort((one, other) =>
        `${one.wallet} ${one.seq}`.localeCompare(`${other.wallet} ${other.seq}`),
      ),
    events: events.map((event) => ({
      ...{ id: event.id, processed: event.processed, outcome: event.outcome },
      ...{ reason: event.outcomeReason, lastError: event.lastError, attempts: event.attempts },
      payment: paymentIds.get(event.paymentId),
    })),
  };
}

describe('a batch', () => {
  it('ends as its events do when each is brought in by itself', async () => {
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
            // A batch goes by the ids of its events, whatever order it is handed over in.
            const ids = events.map(() => EventId.parse(randomUUID())).sort();
            await store(together, ids, events);
            await store(alone, ids, events);

            const { counts } = await together.credit(ids.toReversed());
            for (const id of ids) await alone.credit([id]);

            seen.credits += counts.credited;
            seen.duplicates += counts.duplicate;
            seen.anonymous += counts.storedAnonymous;
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

describe('creditBatch', () => {
  it('takes contacts that a provider gave, and asks for nobody a second time', async () => {
    const shop = await aShop(required(places[0]), { conversionRate: 1 });
    const ids = [EventId.parse(randomUUID()), EventId.parse(randomUUID())];
    await webhookEvents.insert(
      shop.db,
      ids.map((id) => ({
        ...{ id, provider: 'alpha', merchantId: shop.merchantId, correlationId: 'c' },
        ...{ eventType: 'payment.updated', body: anAlphaEvent('M1', { customerId: 'C1' }) },
      })),
    );
    const [known, unknown] = [required(ids[0]), required(ids[1])];

    const first = await creditBatch(shop.db, ids, new Map());
    expect(first).toMatchObject({ verdicts: [], failures: [] });
    expect(first.needCustomer).toEqual([...ids].sort());

    const contacts = new Map([
      [known, { email: 'ADA@example.com', phone: null }],
      [unknown, null],
    ]);
    const { verdicts, needCustomer } = await creditBatch(shop.db, ids, contacts);
    expect(needCustomer).toEqual([]);
    expect(new Map(verdicts.map(({ eventId, outcome }) => [eventId, outcome]))).toEqual(
      new Map([
        [known, 'credited'],
        [unknown, 'stored_anonymous'],
      ]),
    );
  });

  it('records that nothing reads events of a provider that is not there yet', async () => {
    const shop = await aShop(required(places[0]), null);
    const id = EventId.parse(randomUUID());
    const event = { id, provider: 'beta' as const, merchantId: 'B1', correlationId: 'c' };
    await webhookEvents.insert(shop.db, [
      { ...event, eventType: 'P:UPDATE', body: anAlphaEvent('B1') },
    ]);
    await shop.db('webhook_events').where({ id }).update({ tenantId: shop.tenantId });
    const { failures } = await creditBatch(shop.db, [id], new Map());
    expect(failures).toEqual([{ id, error: 'InvalidPayload: Nothing here reads events of beta.' }]);
  });
});

describe('failureText', () => {
  it.each([
    {
      error: new InvalidPayload('Not what alpha sends: x.'),
      text: 'InvalidPayload: Not what alpha sends: x.',
    },
    {
      error: Object.assign(new Error('value "ada@example.com"'), { code: '22P02' }),
      text: 'Postgres refused it: 22P02',
    },
    {
      error: Object.assign(new Error('ada'), { code: '23505', constraint: 'users_pkey' }),
      text: 'Postgres refused it: 23505 users_pkey',
    },
    { error: 'ada@example.com', text: 'Unknown error' },
  ])('$text', ({ error, text }) => {
    expect(failureText(error)).toBe(text);
  });

  it('says of a real error of Postgres only what it is', async () => {
    const error = await required(places[0])
      .db.raw('select ?::integer', ['ada@example.com'])
      .catch((thrown: unknown) => thrown);
    expect(failureText(error)).not.toContain('ada');
  });
});
