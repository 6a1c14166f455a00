import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../domain/ids.ts';
import { MOST_SUMMED } from '../../../../domain/list-totals.ts';
import { aRule, aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { aTill } from '../../../support/points/payments.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

const app = await useApp();
const { db } = app;

let tenantId: TenantId;
let merchant: SignedIn;
let sell: Awaited<ReturnType<typeof aTill>>;
const email = () => `${randomUUID()}@example.com`;
beforeEach(async () => {
  const id = await aTenant(db);
  await db('tenants').where({ id }).update({ currency: 'EUR' });
  tenantId = id;
  merchant = await app.signIn({ role: 'client', member: id });
  await aRule(db, id);
  sell = await aTill(db, id);
});

async function totalsOf(list: string, query = '') {
  const path = `/api/v1/client/tenants/${tenantId}/totals/${list}${query}`;
  const { status, body } = await app.call({ path, token: merchant.token });
  expect(status).toBe(200);
  return body;
}
const shown = (totals: object) => ({ mostSummed: MOST_SUMMED, totals });
const NOTHING = { count: 0, points: 0, pointsReversed: 0, amounts: [] };

describe('GET …/totals/transactions', () => {
  it('200 with the sums of exactly the filtered list, by currency', async () => {
    const ann = email();
    await aUser(db, { email: ann });
    await sell({ email: ann, amount: 1_250 });
    const refunded = await sell({ email: ann, amount: 300 });
    await db('payments').where({ id: refunded }).update({ refundedMinorUnits: 100 });
    await sell({ amount: 40 });
    const foreign = await sell({ amount: 7 });
    await db('payments').where({ id: foreign }).update({ currency: 'USD' });
    const [{ points } = { points: 0 }] = await db('payments')
      .where({ tenantId })
      .sum({ points: 'pointsAwarded' });
    expect(await totalsOf('transactions')).toEqual(
      shown({
        count: 4,
        points: Number(points),
        pointsReversed: 0,
        amounts: [
          { currency: 'EUR', amountMinorUnits: 1_590, refundedMinorUnits: 100 },
          { currency: 'USD', amountMinorUnits: 7, refundedMinorUnits: 0 },
        ],
      }),
    );
    expect(await totalsOf('transactions', '?outcome=credited')).toMatchObject({
      totals: { count: 2, amounts: [{ currency: 'EUR', amountMinorUnits: 1_550 }] },
    });
    const none = '?outcome=credited&to=2001-01-01T00:00:00Z';
    expect(await totalsOf('transactions', none)).toEqual(shown(NOTHING));
  });
});

describe('GET …/totals/redemptions', () => {
  it('200 with the points and the worth of the filtered codes', async () => {
    const walletId = await aWallet(db, { balance: 100, tenantId });
    await aRedemption(db, { walletId, points: 10, currency: 'EUR' });
    await aRedemption(db, { walletId, points: 30 });
    const amount = { currency: 'EUR', amountMinorUnits: 40, refundedMinorUnits: 0 };
    expect(await totalsOf('redemptions', '?status=issued')).toEqual(
      shown({ count: 2, points: 40, pointsReversed: 0, amounts: [amount] }),
    );
    expect(await totalsOf('redemptions', '?status=used')).toEqual(shown(NOTHING));
  });
});

describe('GET …/totals/consumers', () => {
  it('200 with what the customers hold, or those of them who owe', async () => {
    await aWallet(db, { balance: 100, tenantId });
    const owing = await aWallet(db, { balance: 20, tenantId });
    await db('wallets').where({ id: owing }).update({ owed: 5 });
    await aWallet(db, { balance: 7 });
    const worth = (amountMinorUnits: number) => [
      { currency: 'EUR', amountMinorUnits, refundedMinorUnits: 0 },
    ];
    expect(await totalsOf('consumers')).toEqual(
      shown({ count: 2, points: 120, pointsReversed: 0, amounts: worth(120) }),
    );
    expect(await totalsOf('consumers', '?owes=true')).toMatchObject({
      totals: { count: 1, points: 20, amounts: worth(20) },
    });
    expect(await totalsOf('consumers', '?unusual=true')).toEqual(shown(NOTHING));
    // No payment says what is owed, which the ledger would be found broken for.
    await db('wallets').where({ id: owing }).update({ owed: 0 });
  });
});
