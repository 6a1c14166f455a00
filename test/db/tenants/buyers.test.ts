import { beforeEach, describe, expect, it } from 'vitest';
import { countBuyers } from '../../../db/tenants/buyers.ts';
import type { TenantId } from '../../../domain/ids.ts';
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
async function aBuyer(days: readonly number[], at = tenantId): Promise<void> {
  const email = `${crypto.randomUUID()}@example.com`;
  await aWallet(db, { tenantId: at, userId: await aUser(db, { email }) });
  const pay = await aTill(db, at);
  for (const nth of days) {
    const id = await pay({ email });
    await db('payments')
      .where({ id })
      .update({ occurredAt: day(nth) });
  }
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
