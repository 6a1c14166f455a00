import { expect, it } from 'vitest';
import * as history from '../../../db/ledger/history.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import { aCredit, aDebit, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
import { aRedemption } from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

it('lists the entries of the wallet only, newest first and older than a number', async () => {
  const [walletId, other] = [await aWallet(db, { balance: 10 }), await aWallet(db)];
  await db.transaction((tx) =>
    postByHand(tx, [aDebit(walletId, 3), aCredit(walletId, 5), aCredit(other, 1)]),
  );
  const seqsOf = async (page: { limit: number; before?: number }) =>
    (await history.listOfWallet(db, walletId, page)).map(({ seq }) => seq);
  expect(await seqsOf({ limit: 10 })).toEqual([3, 2, 1]);
  expect(await seqsOf({ limit: 2 })).toEqual([3, 2]);
  expect(await seqsOf({ limit: 2, before: 3 })).toEqual([2, 1]);
});

it('tells the sale or the discount of each entry, and lists those of one cause', async () => {
  const walletId = await aWallet(db, { balance: 100 });
  const paymentId = await aCreditedPayment(db, walletId, 9);
  const issued = await aRedemption(db, { walletId, points: 40 });
  await db.transaction((tx) => lifecycle.cancel(tx, issued));

  const all = await history.listOfWallet(db, walletId, { limit: 10 });
  const { amountMinorUnits, currency, occurredAt } = await db('payments')
    .where({ id: paymentId })
    .first();
  expect(all.map(({ reason, sale, discount }) => ({ reason, sale, discount }))).toEqual([
    { reason: 'redemption_expired', sale: null, discount: expect.any(Object) },
    {
      reason: 'redemption',
      sale: null,
      discount: expect.objectContaining({ discountValueMinorUnits: 40 }),
    },
    {
      reason: 'purchase',
      sale: expect.objectContaining({ amountMinorUnits, currency, occurredAt }),
      discount: null,
    },
    { reason: 'admin_adjustment', sale: null, discount: null },
  ]);

  const of = async (sourceType: 'payment' | 'redemption' | 'adjustment') =>
    (await history.listOfWallet(db, walletId, { limit: 10, sourceType })).map(({ seq }) => seq);
  expect([await of('payment'), await of('redemption'), await of('adjustment')]).toEqual([
    [2],
    [4, 3],
    [1],
  ]);
});
