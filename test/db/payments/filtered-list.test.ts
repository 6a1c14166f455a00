import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  listFiltered,
  type PaymentFilter,
  sumFiltered,
} from '../../../db/payments/filtered-list.ts';
import type { PaymentId, TenantId, UserId } from '../../../domain/ids.ts';
import { aRule, aTenant, aUser, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
let userId: UserId;
/** Payments in the order in which they were stored. */
let stored: PaymentId[];
let numbers: string[];

const day = (nth: number) => new Date(Date.UTC(2026, 0, nth));
/** The days on which the sales occurred: not as they were stored, and two at the same moment. */
const DAYS = [3, 1, 5, 2, 2, 4];

beforeEach(async () => {
  tenantId = await aTenant(db);
  const email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
  const pay = await aTill(db, tenantId);
  numbers = DAYS.map((_, nth) => `P${nth} ${tenantId}`);
  stored = [];
  for (const [nth, id] of numbers.entries()) {
    // The first three find no rule, and the third and the last no consumer.
    if (nth === 3) await aRule(db, tenantId);
    stored.push(await pay({ id, ...(nth !== 2 && nth !== 5 && { email }) }));
  }
  for (const [nth, id] of stored.entries()) {
    await db('payments')
      .where({ id })
      .update({ occurredAt: day(required(DAYS[nth])) });
  }
});

/** The positions of what is listed, page by page of two. */
async function listed(filter: PaymentFilter, tenant = tenantId): Promise<number[]> {
  const found: PaymentId[] = [];
  for (let after: PaymentId | undefined; ; after = found.at(-1)) {
    const page = await listFiltered(db, tenant, { ...filter, limit: 2, after });
    found.push(...page.map(({ id }) => id));
    if (page.length < 2) break;
  }
  return found.map((id) => stored.indexOf(id));
}

/** Those of one moment, by their ids. */
const tied = () => [3, 4].sort((one, other) => (at(one) < at(other) ? 1 : -1));
const at = (nth: number) => required(stored[nth]);

describe('listFiltered', () => {
  it('lists by when the sales occurred, newest first, each once', async () => {
    expect(await listed({})).toEqual([2, 5, 0, ...tied(), 1]);
  });

  it.each<{ filter: PaymentFilter; has: number[]; because: string }>([
    { filter: { from: day(3) }, has: [2, 5, 0], because: 'the beginning is part of the span' },
    { filter: { to: day(4), from: day(3) }, has: [0], because: 'the end is not part of it' },
    { filter: { to: day(2) }, has: [1], because: 'a span may have no beginning' },
    { filter: { from: day(6) }, has: [], because: 'nothing is later' },
    { filter: { outcome: 'no_rule_no_credit' }, has: [0, 1], because: 'these came before a rule' },
    { filter: { outcome: 'stored_anonymous' }, has: [2, 5], because: 'these have no consumer' },
    { filter: { outcome: 'duplicate' }, has: [], because: 'a duplicate is not stored' },
    {
      filter: { outcome: 'stored_anonymous', to: day(5) },
      has: [5],
      because: 'all filters count together',
    },
  ])('lists $has for $filter: $because', async ({ filter, has }) => {
    expect(await listed(filter)).toEqual(has);
  });

  it('lists those of one consumer, with outcome and times', async () => {
    expect(await listed({ userId })).toEqual([0, ...tied(), 1]);
    expect(await listed({ userId, outcome: 'no_rule_no_credit' })).toEqual([0, 1]);
    expect(await listed({ userId, outcome: 'credited', from: day(2), to: day(3) })).toEqual(tied());
    expect(await listed({ userId: await aUser(db) })).toEqual([]);
  });

  it('finds a payment by the whole id of its provider, if the other filters agree', async () => {
    const [providerPaymentId = ''] = numbers;
    expect(await listed({ providerPaymentId })).toEqual([0]);
    expect(await listed({ providerPaymentId, userId, from: day(3), to: day(4) })).toEqual([0]);
    expect(await listed({ providerPaymentId, from: day(4) })).toEqual([]);
    expect(await listed({ providerPaymentId, outcome: 'credited' })).toEqual([]);
    expect(await listed({ providerPaymentId, userId: await aUser(db) })).toEqual([]);
    expect(await listed({ providerPaymentId: 'P0' })).toEqual([]);
  });

  it('names the consumer, and says what the unfiltered list says', async () => {
    const [payment] = await listFiltered(db, tenantId, { userId, limit: 1 });
    expect(payment).toMatchObject({
      id: at(0),
      tenantId,
      amountMinorUnits: 1000,
      consumer: { userId, email: expect.stringContaining('@example.com'), phone: null },
    });
  });

  it('lists nothing of another tenant, nor after one of its payments', async () => {
    const other = await aTenant(db);
    const [providerPaymentId = ''] = numbers;
    for (const filter of [{}, { userId }, { providerPaymentId }, { from: day(1) }]) {
      expect(await listed(filter, other)).toEqual([]);
    }
    await (await aTill(db, other))({});
    expect(await listFiltered(db, other, { limit: 5, after: at(2) })).toEqual([]);
  });
});

describe('sumFiltered', () => {
  it('sums up what the list has with the same filter', async () => {
    const count = async (filter: PaymentFilter, tenant = tenantId) =>
      (await sumFiltered(db, tenant, { ...filter, limit: 10 })).map((sums) => sums.count);
    const [providerPaymentId = ''] = numbers;
    for (const filter of [
      {},
      { userId },
      { providerPaymentId },
      { from: day(3), to: day(4) },
      { outcome: 'stored_anonymous', to: day(5) },
    ] satisfies PaymentFilter[]) {
      expect(await count(filter)).toEqual([(await listed(filter)).length]);
      expect(await count(filter, await aTenant(db))).toEqual([]);
    }
    expect(await sumFiltered(db, tenantId, { outcome: 'credited', limit: 10 })).toEqual([
      {
        currency: 'EUR',
        count: 2,
        amountMinorUnits: 2_000,
        refundedMinorUnits: 0,
        points: expect.any(Number),
        pointsReversed: 0,
      },
    ]);
  });

  it('reads no more than the limit, of all outcomes together', async () => {
    expect(await sumFiltered(db, tenantId, { limit: 4 })).toMatchObject([{ count: 4 }]);
    expect(await sumFiltered(db, tenantId, { userId, limit: 3 })).toMatchObject([{ count: 3 }]);
  });
});
