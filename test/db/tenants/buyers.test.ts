import { beforeEach, describe, expect, it } from 'vitest';
import { countBuyers, listTopBuyers } from '../../../db/tenants/buyers.ts';
import type { TenantId, UserId } from '../../../domain/ids.ts';
import { aRule, aTenant, aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';

const { db } = await useDatabase();

const day = (nth: number) => new Date(Date.UTC(2026, 0, nth));
const spans = [
  { from: day(10), to: day(20) },
  { from: day(1), to: day(10) },
];

let tenantId: TenantId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
});

/** A consumer who buys something on each of these days. */
async function aBuyer(days: readonly number[], at = tenantId): Promise<UserId> {
  const email = `${crypto.randomUUID()}@example.com`;
  const userId = await aUser(db, { email });
  await aWallet(db, { tenantId: at, userId });
  const pay = await aTill(db, at);
  for (const nth of days) {
    const id = await pay({ email });
    await db('payments')
      .where({ id })
      .update({ occurredAt: day(nth) });
  }
  return userId;
}

describe('countBuyers', () => {
  it('counts each consumer once, and who had bought something before as returning', async () => {
    await aBuyer([10]);
    await aBuyer([11, 12]);
    await aBuyer([2, 15]);
    await aBuyer([3, 9]);
    await aBuyer([25]);
    await aBuyer([]);
    expect(await countBuyers(db, tenantId, spans)).toEqual([
      { count: 3, returning: 2 },
      { count: 2, returning: 1 },
    ]);
  });

  it('counts none of another tenant, and none where there is none', async () => {
    await aBuyer([11], await aTenant(db));
    const none = { count: 0, returning: 0 };
    expect(await countBuyers(db, tenantId, spans)).toEqual([none, none]);
  });

  it('counts nothing of a tenant with very many consumers', async () => {
    await aBuyer([11]);
    await aBuyer([12]);
    expect(await countBuyers(db, tenantId, spans, 2)).toHaveLength(2);
    expect(await countBuyers(db, tenantId, spans, 1)).toBeUndefined();
  });
});

describe('listTopBuyers', () => {
  const [span] = spans as [(typeof spans)[number]];
  const top = async (some: { currency?: string; most?: number } = {}) =>
    await listTopBuyers(db, { id: tenantId, currency: some.currency ?? null }, span, some.most);

  it('lists who came most often in the span, and of equals who came last', async () => {
    const often = await aBuyer([10, 11, 12]);
    const late = await aBuyer([2, 15, 16]);
    const early = await aBuyer([13, 14]);
    await aBuyer([3, 9, 20, 25]);
    await aBuyer([]);
    const listed = await top();
    expect(listed?.map(({ userId, visits }) => [userId, visits])).toEqual([
      [often, 3],
      [late, 2],
      [early, 2],
    ]);
    expect(listed?.[1]).toMatchObject({ lastVisitAt: day(16), amountMinorUnits: 2_000 });
  });

  it('lists five, and none of another tenant', async () => {
    for (let nth = 0; nth < 6; nth++) await aBuyer([11]);
    await aBuyer([11, 12], await aTenant(db));
    expect((await top())?.map(({ visits }) => visits)).toEqual([1, 1, 1, 1, 1]);
  });

  it("leaves out amounts in another currency than the tenant's", async () => {
    await aBuyer([11]);
    expect(await top({ currency: 'JPY' })).toMatchObject([{ visits: 1, amountMinorUnits: 0 }]);
  });

  it('lists nobody of a tenant with very many consumers', async () => {
    await aBuyer([11]);
    expect(await top({ most: 1 })).toHaveLength(1);
    expect(await top({ most: 0 })).toBeUndefined();
  });
});
