import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { ingestEvents } from '../../../activities/ingestion/ingest-events.ts';
import { migrateToOldSchema } from '../../../bench/large/old-schema.ts';
import type { Db } from '../../../db/connection.ts';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as dueEvents from '../../../db/events/due-events.ts';
import * as eventOperations from '../../../db/events/operations.ts';
import { verifyLedger } from '../../../db/ledger/verification.ts';
import * as payments from '../../../db/payments/payments.ts';
import { migrate } from '../../../db/schema/migrate.ts';
import { explainPayment } from '../../../domain/explanation.ts';
import { type EventId, PaymentId, RedemptionId } from '../../../domain/ids.ts';
import { SERVICE } from '../../../sandbox/postgres/roles.ts';
import { activityDeps } from '../../support/activity-deps.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  aUser,
  required,
  storedEvents,
  testPolicy,
} from '../../support/factories.ts';
import {
  anOldShop,
  type OldSale,
  type OldShop,
  oldAnonymous,
  oldCode,
  oldCredit,
  oldEvents,
  oldFailure,
  oldHold,
  oldSweep,
} from '../../support/old-release.ts';

// What the release of commit d586070 has written is served by this one, and while both run, each
// takes over what the other has stored.

const CREDITED = 1_000;
const PENDING = 300;
const ABANDONED_DAYS = 8;

let database: TestDatabase;
let db: Db;
let shop: OldShop;
let credited: OldSale[];
let refunded: OldSale;
let pending: OldSale[];
let failing: OldSale[];
let givenUp: OldSale[];
let stranger: { merchantId: string; sale: OldSale };
let newcomer: { email: string; sale: OldSale };
const code = { id: RedemptionId.parse(randomUUID()), points: 30, lifetimeMs: 1 };

beforeAll(async () => {
  database = await createEmptyDatabase();
  db = database.db;
  await migrateToOldSchema(database.ownerUrl);
  const { owner } = database;
  shop = await anOldShop(owner);
  credited = await oldEvents(owner, shop, amounts(CREDITED));
  await oldCredit(owner, shop, credited);
  refunded = required((await oldEvents(owner, shop, [700]))[0]);
  await oldCredit(owner, shop, [refunded], 200);
  pending = await oldEvents(owner, shop, amounts(PENDING));
  failing = await oldEvents(owner, shop, amounts(5));
  await oldFailure(owner, idsOf(failing), 'The provider was away.');
  givenUp = await oldEvents(owner, shop, amounts(5));
  await owner.raw(
    `update webhook_events set received_at = now() - make_interval(days => :days)
     where id = any(:ids)`,
    { ids: idsOf(givenUp), days: ABANDONED_DAYS },
  );
  const unknown = { merchantId: `NOBODY-${randomUUID()}`, buyer: shop.buyer };
  stranger = { ...unknown, sale: required((await oldEvents(owner, unknown, [400]))[0]) };
  const email = `${randomUUID()}@new.example`;
  newcomer = { email, sale: required((await oldEvents(owner, shop, [900], email))[0]) };
  await oldAnonymous(owner, shop, [newcomer.sale], testPolicy.fingerprints(email)[0]);
  await oldCode(owner, shop, code);
  await migrate(owner, { serviceRole: SERVICE });
}, 120_000);
afterAll(() => database.close());

const amounts = (count: number) => Array.from({ length: count }, (_, nth) => 100 + nth);
const idsOf = (sales: readonly OldSale[]) => sales.map(({ eventId }) => eventId);
const activities = () => createActivities(activityDeps(db));

/** How often each sale was credited. */
async function creditsOf(sales: readonly OldSale[]): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { credits: number }[] }>(
    `select count(e.id) as credits from unnest(:ids::text[]) as n(id)
     left join payments p on p.provider_payment_id = n.id
     left join ledger_entries e on e.source_id = p.id and e.reason = 'purchase'
     group by n.id`,
    { ids: sales.map(({ paymentId }) => paymentId) },
  );
  return rows.map(({ credits }) => credits);
}

/** Prepares a sweep, as long after the old release's last events as their own runs would take. */
async function prepareSweep(): Promise<void> {
  await db('webhook_events').update({ receivedAt: db.raw(`received_at - interval '1 minute'`) });
  await activities().prepareSweep();
}

/** Ingests what a sweep would take, however young it is, until nothing is due. */
async function sweep(): Promise<EventId[]> {
  await prepareSweep();
  const taken: EventId[] = [];
  for (;;) {
    const due = await dueEvents.takePending(db, { limit: 200, quietSeconds: 0 });
    const ids = due.map(({ id }) => id);
    if (ids.length === 0) return taken;
    taken.push(...ids);
    await ingestEvents(db, ids, new Map(), testPolicy);
  }
}

it('shows the events of the old release by their kind', async () => {
  await prepareSweep();
  const list = async (kind: eventOperations.EventKind) =>
    (await eventOperations.list(db, { kind, limit: 5_000 })).map(({ id }) => id).sort();
  // A sweep gives up what is too old on its way. This one takes nothing of the last day.
  while ((await list('given-up')).length < givenUp.length) {
    await dueEvents.takePending(db, { limit: 1_000, quietSeconds: 24 * 3_600 });
  }
  expect(await list('pending')).toEqual([...idsOf(pending), ...idsOf(failing)].sort());
  expect(await list('failing')).toEqual(idsOf(failing).sort());
  expect(await list('given-up')).toEqual(idsOf(givenUp).sort());
  expect(await list('unknown')).toEqual([stranger.sale.eventId]);
  expect(await list('processed')).toHaveLength(CREDITED + 2);
});

it('explains the payments of the old release', async () => {
  const explain = async ({ paymentId }: OldSale) => {
    const row = await db('payments')
      .where({ tenantId: shop.tenantId, providerPaymentId: paymentId })
      .first<{ id: string }>('id');
    const payment = await payments.find(db, shop.tenantId, PaymentId.parse(required(row).id));
    const { outcome, outcomeReason: reason, pointsAwarded: points, decision } = required(payment);
    return explainPayment({ outcome, reason, points, record: decision }, 'merchant').summary;
  };
  expect(await explain(required(credited[0]))).toContain('100 points');
  expect(await explain(refunded)).toContain('700 points');
  expect(await explain(newcomer.sale)).toContain('nobody is known');
});

it('sweeps what the old release has left open, once', async () => {
  const taken = await sweep();
  expect(taken.sort()).toEqual(idsOf(pending).sort());
  expect(new Set(await creditsOf(pending))).toEqual(new Set([1]));
  expect(new Set(await creditsOf(failing))).toEqual(new Set([0]));
});

it('replays an event that the old release failed to ingest', async () => {
  const [first] = failing;
  await eventOperations.replay(db, required(first).eventId);
  expect(await sweep()).toEqual([required(first).eventId]);
  expect(await creditsOf([required(first)])).toEqual([1]);
});

it('gives the events of an unknown merchant to the tenant that connects it', async () => {
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: stranger.merchantId });
  expect(await sweep()).toEqual([stranger.sale.eventId]);
  expect(await eventOperations.list(db, { kind: 'unknown', limit: 10 })).toEqual([]);
});

it('matches a sale of the old release with a person who signs up', async () => {
  await aUser(db, { email: newcomer.email });
  expect(await activities().matchNewcomers()).toBe(1);
  expect(await creditsOf([newcomer.sale])).toEqual([1]);
});

it('returns the points of a code that the old release issued', async () => {
  expect(await activities().expireOverdueRedemptions()).toBe(1);
  const row = await db('redemptions').where({ id: code.id }).first('status', 'pointsReturned');
  expect(row).toEqual({ status: 'expired', pointsReturned: true });
});

it('polls a connection from where the old release stopped', async () => {
  const holder = randomUUID();
  expect(await pollPositions.list(db, shop.connectionId)).toMatchObject([
    { locationId: 'LOC_1', paymentId: 'PAY_OLD', isAtEnd: true },
  ]);
  const leased = await pollLeases.takeLease(db, { connectionId: shop.connectionId, holder }, 'run');
  expect(leased).toMatchObject({ watermark: new Date('2026-01-15T10:00:00Z') });
});

it('ingests what the old release stores meanwhile, not what that has ingested', async () => {
  const [closed, open] = [await oldEvents(db, shop, [50]), await oldEvents(db, shop, [60])];
  await oldCredit(db, shop, closed);
  expect(await sweep()).toEqual(idsOf(open));
  await ingestEvents(db, idsOf([...closed, ...open]), new Map(), testPolicy);
  expect(await creditsOf([...closed, ...open])).toEqual([1, 1]);
});

it('ingests what the new API stores, also when an old worker is given it', async () => {
  const reported = { id: `PAY_${randomUUID()}`, amount: 80, email: shop.buyer.email };
  const ids = await storedEvents(db, shop.merchantId, [anAlphaEvent(shop.merchantId, reported)]);
  const eventId = required(ids[0]);
  const sale = { eventId, paymentId: reported.id, amount: 80, email: reported.email };
  expect(await oldHold(db, ids)).toEqual([]);
  expect(await oldSweep(db, 1_000)).not.toContain(eventId);
  expect(await sweep()).toContain(eventId);
  expect(await creditsOf([sale])).toEqual([1]);
});

it('ends with a whole ledger', async () => {
  expect((await verifyLedger(db)).violations).toEqual([]);
});
