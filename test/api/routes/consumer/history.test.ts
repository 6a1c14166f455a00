import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listOfWallet } from '../../../../db/ledger/history.ts';
import type * as ledger from '../../../../db/ledger/postings.ts';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../../db/redemptions/redemptions.ts';
import type { EntryId, WalletId } from '../../../../domain/ids.ts';
import {
  aCredit,
  aDebit,
  aRule,
  aTenant,
  aUser,
  aWallet,
  postByHand,
  required,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aCreditedPayment, aTill, decisionAbout } from '../../../support/points/payments.ts';
import { aRedemption, expiresIn, testCodes } from '../../../support/points/redemptions.ts';

const app = await useApp();
const { db } = app;
const ann = await app.signIn({ role: 'consumer', email: 'ann@example.com' });

const explain = (walletId: string, entryId: string, token = ann.token) =>
  app.call({ path: `/api/v1/consumer/wallets/${walletId}/history/${entryId}/explain`, token });

async function posted(entry: ledger.Entry): Promise<EntryId> {
  const [made] = await db.transaction((tx) => postByHand(tx, [entry]));
  return required(made).id;
}

describe('GET …/history/:entryId/explain', () => {
  it('200 with the payment of a purchase, in words and as its decision', async () => {
    const tenantId = await aTenant(db);
    await aRule(db, tenantId, { conversionRate: 0.1, maxPointsPerTransaction: 100 });
    const paymentId = await (await aTill(db, tenantId))({ amount: 1255, email: 'ann@example.com' });
    const decision = await decisionAbout(db, paymentId);
    const entry = await db('ledger_entries').where({ sourceId: paymentId }).first();

    const { status, body } = await explain(entry.walletId, entry.id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        entryId: entry.id,
        entry_type: 'credit',
        points: 100,
        reason: 'purchase',
        createdAt: entry.createdAt.toISOString(),
        summary: 'You earned 100 points.',
        steps: [
          'You paid 12.55 EUR (1255 minor units).',
          'You were recognised by your e-mail.',
          'Version 1 of the reward rule was in effect: 0.1 points for each 0.01 EUR, ' +
            'rounded down, at most 100 points for a payment.',
          '1255 × 0.1 = 125.5, rounded down: 125.',
          'That is more than the rule gives: 100.',
        ],
        coded: {
          summary: { code: 'earned', params: { points: 100, takenBack: 0 } },
          steps: ['paid', 'recognised', 'rule', 'calculated', 'capped_by_rule'].map((code) => ({
            code,
            params: expect.any(Object),
          })),
        },
        decision,
      },
    });
  });

  it('200 with the cause of every other entry', async () => {
    const walletId = await aWallet(db, { userId: ann.userId, balance: 100 });
    const { id } = await aRedemption(db, { walletId, points: 40 });
    await expiresIn(db, [id], -60);
    await lifecycle.expireOne(db, id, 'refund');
    const paymentId = await aCreditedPayment(db, walletId, 9);
    await db('payments')
      .where({ id: paymentId })
      .update({ pointsReversed: 5, refundedMinorUnits: 5 });
    const refund = { sourceType: 'payment', reason: 'payment_refunded' } as const;
    await posted({ ...aDebit(walletId, 5), ...refund, sourceId: paymentId });
    await posted(aCredit(walletId, 7));
    await posted(aDebit(walletId, 7));

    const entries = await listOfWallet(db, walletId, { limit: 6 });
    const summaries: unknown[] = [];
    const others = entries.filter(({ reason }) => reason !== 'purchase');
    for (const { id: entryId, entryType: entry_type, points, reason } of others) {
      const { status, body } = await explain(walletId, entryId);
      expect(status).toBe(200);
      expect(body).toMatchObject({ entry_type, points, reason });
      summaries.push(Object(body).summary);
    }
    expect(summaries).toEqual([
      '7 points were taken off by hand.',
      '7 points were added by hand.',
      '5 points were taken back.',
      'You got 40 points back.',
      'You redeemed 40 points for a code.',
    ]);
  });

  it.each([
    ['can still be used', ['The code can still be used.']],
    ['was used', ['The code was used at the till.']],
    ['expired', ['The code was never used, and has expired.']],
    ['was cancelled', ['The code was cancelled before it was used.']],
  ])('200 with what became of a code that %s', async (end, [step]) => {
    const walletId = await aWallet(db, { userId: ann.userId, balance: 100 });
    const issued = await aRedemption(db, { walletId, points: 40 });
    if (end === 'expired') await expiresIn(db, [issued.id], -60);
    await db.transaction(async (tx) => {
      const burning = { ...issued, hmacs: testCodes.hmacsOf(issued.code) };
      if (end === 'was cancelled') await lifecycle.cancel(tx, issued);
      if (end === 'was used')
        await redemptions.burn(tx, { ...burning, operatorId: await aUser(tx) });
    });
    const [last, before] = await listOfWallet(db, walletId, { limit: 2 });
    const entry = required(last?.reason === 'redemption' ? last : before);
    expect((await explain(walletId, entry.id)).body).toMatchObject({
      summary: 'You redeemed 40 points for a code.',
      steps: ['They were taken when you confirmed it.', step],
    });
    if (end !== 'was cancelled') return;
    expect((await explain(walletId, required(last).id)).body).toMatchObject({
      summary: 'You got 40 points back.',
      steps: ['The code you had redeemed them for was cancelled.'],
    });
  });

  it("200 without the administrator's reason", async () => {
    const walletId = await aWallet(db, { userId: ann.userId });
    const admin = await app.signIn({ role: 'admin' });
    const { body } = await app.call({
      method: 'POST',
      path: `/api/v1/admin/wallets/${walletId}/adjust`,
      token: admin.token,
      body: { points: 5, reason: 'Suspected of fraud.' },
    });
    const explained = await explain(walletId, Object(body).ledgerEntryId);
    expect(explained).toMatchObject({ status: 200, body: { reason: 'admin_adjustment' } });
    expect(JSON.stringify(explained.body)).not.toContain('fraud');
  });

  it('404 NOT_FOUND for an unknown entry, and for one of another wallet or person', async () => {
    const own = await aWallet(db, { userId: ann.userId, balance: 5 });
    const second = await aWallet(db, { userId: ann.userId, balance: 5 });
    const foreign = await aWallet(db, { balance: 5 });
    const entryOf = async (walletId: WalletId) =>
      (await db('ledger_entries').where({ walletId }).first('id')).id;
    for (const [walletId, entryId] of [
      [own, randomUUID()],
      [own, 'not-an-id'],
      [own, await entryOf(second)],
      [own, await entryOf(foreign)],
      [foreign, await entryOf(foreign)],
      [randomUUID(), await entryOf(own)],
    ]) {
      expect(await explain(required(walletId), entryId)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
    }
  });

  it.each(['client', 'admin'] as const)('403 INSUFFICIENT_ROLE for a %s', async (role) => {
    const walletId = await aWallet(db, { balance: 5 });
    const { token } = await app.signIn({ role });
    expect(await explain(walletId, randomUUID(), token)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_ROLE' },
    });
  });
});
