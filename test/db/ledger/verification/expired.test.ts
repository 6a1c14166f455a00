import { beforeEach, describe, expect, it } from 'vitest';
import * as expiring from '../../../../db/ledger/expiring.ts';
import * as ledger from '../../../../db/ledger/postings.ts';
import { verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import * as wallets from '../../../../db/ledger/wallets.ts';
import { newId } from '../../../../db/new-id.ts';
import * as progress from '../../../../db/tenants/expiry-progress.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { monthOf, startOfMonth } from '../../../../domain/intervals.ts';
import { asEarnedAt } from '../../../support/database/rewritten-ledger.ts';
import { aProgramme, aTenant, aWallet, required } from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';
import { aCreditedPayment } from '../../../support/points/payments.ts';

// What the verification finds wrong with points that have expired.

const { db, owner } = await useUnverifiedDatabase();
const now = monthOf(new Date(), 'UTC');
const [last, next] = [now - 1, now + 1];

let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aProgramme(db, tenantId, {
    validityMonths: 1,
    publishedAt: startOfMonth(now - 3, 'UTC'),
  });
  walletId = await aWallet(db, { tenantId });
});

const problems = async () =>
  (await verifyLedger(db)).violations
    .filter((violation) => violation.walletId === walletId)
    .map(({ problem }) => problem.replaceAll(/[0-9a-f-]{36}/g, 'ID'));
/** Takes what is due by a month of the wallet. */
async function take(month: number): Promise<void> {
  const calendar = required(await expiring.readCalendar(db, tenantId));
  await db.transaction(async (tx) => {
    await wallets.lock(tx, walletId);
    const held = await expiring.readLots(tx, [walletId], calendar, now);
    await expiring.take(tx, { tenantId, calendar, month, now }, held);
  });
  await finish(month);
}
/** Ends a month without taking anything. */
async function finish(month: number): Promise<void> {
  await progress.begin(db, { tenantId, month }, null);
  await db.transaction((tx) => progress.finish(tx, { tenantId, month }, null));
}
const debit = (sourceId: string, points: number) =>
  db.transaction((tx) =>
    ledger.post(tx, [
      {
        walletId,
        entryType: 'debit',
        points,
        reason: 'points_expired',
        sourceType: 'expiry',
        sourceId,
      },
    ]),
  );
const anExpiry = async (some: { walletId?: WalletId; points?: number } = {}): Promise<string> => {
  const id = newId();
  const month = expiring.dateOf(last);
  await db('point_expiries').insert({
    id,
    tenantId,
    walletId,
    month,
    earnedBy: month,
    points: 5,
    ...some,
  });
  return id;
};

describe('the verification', () => {
  it('finds an entry without its expiry, or with another one', async () => {
    await aCreditedPayment(db, walletId, 100);
    await debit(newId(), 5);
    await debit(await anExpiry({ walletId: await aWallet(db) }), 5);
    await debit(await anExpiry({ points: 6 }), 5);
    expect(await problems()).toEqual([
      'expiry ID does not exist',
      'expiry ID belongs to another wallet',
      'expiry ID took 6 points and 5 were debited',
    ]);
  });

  it('finds an expiry without an entry', async () => {
    await anExpiry();
    expect(await problems()).toEqual(['expiry ID has no entry']);
  });

  it('finds what a refund has absorbed of points that never expired', async () => {
    const id = await aCreditedPayment(db, walletId, 100);
    await take(next);
    await db('payments').where({ id }).update({ refundedMinorUnits: 100, pointsAbsorbed: 100 });
    expect(await problems()).toEqual([]);
    const more = await aCreditedPayment(db, walletId, 50);
    await db('payments').where({ id: more }).update({ refundedMinorUnits: 50, pointsAbsorbed: 10 });
    expect(await problems()).toEqual([
      expect.stringMatching(/^has absorbed more than has expired/),
    ]);
  });

  it('finds what is more than its refunds are worth', async () => {
    const id = await aCreditedPayment(db, walletId, 100);
    await take(next);
    await db('payments').where({ id }).update({ refundedMinorUnits: 50, pointsAbsorbed: 60 });
    expect(await problems()).toEqual([
      'payment ID has more points reversed than its refunds are worth',
    ]);
  });

  it('finds what the newest month should have taken', async () => {
    await aCreditedPayment(db, walletId, 100);
    // As if it had been earned three months ago.
    await asEarnedAt(owner, { walletId, seq: 1 }, startOfMonth(now - 2, 'UTC'));
    await finish(last);
    expect(await problems()).toContainEqual(
      expect.stringMatching(/^holds 100 points that were due by the end of/),
    );
  });
});
