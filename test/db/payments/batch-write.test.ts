import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as batchWrite from '../../../db/payments/batch-write.ts';
import type { EventId, PaymentId, TenantId, UserId } from '../../../domain/ids.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  aWallet,
  required,
  storedEvents,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aNewPayment } from '../../support/points/payments.ts';
import { eventRows } from '../../support/providers/events.ts';

let tenantId: TenantId;
let userId: UserId;
let event: EventId;
const database = await useDatabase();
const { db } = database;
beforeEach(async () => {
  tenantId = await aTenant(db);
  userId = await aUser(db);
  await aWallet(db, { userId, tenantId });
  await aRule(db, tenantId);
  const merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  event = required((await storedEvents(db, merchantId, [anAlphaEvent(merchantId)]))[0]);
});

const write = (payments: batchWrite.NewPayment[], results: batchWrite.EventResult[] = []) =>
  db.transaction((tx) => batchWrite.storeBatch(tx, payments, results));

const aPayment = (some: Partial<batchWrite.NewPayment> = {}) =>
  aNewPayment({ tenantId, userId, ...some });

function aResult(awaits: PaymentId[]): batchWrite.EventResult {
  const paymentId = awaits[0] ?? null;
  const about = { paymentId, providerPaymentId: null };
  return { eventId: event, tenantId, outcome: 'credited', reason: null, ...about, awaits };
}

const entries = () =>
  db('ledger_entries as e')
    .join('wallets as w', 'w.id', 'e.walletId')
    .where({ 'w.userId': userId })
    .orderBy('e.seq')
    .select('e.entryType', 'e.points', 'e.reason', 'e.balanceAfter');
const stored = () => eventRows(db).where({ id: event }).first();

describe('storeBatch', () => {
  it('stores payments, credits them, and closes the events that await them', async () => {
    const [one, other] = [aPayment(), aPayment({ points: 7 })];
    const written = await write([one, other], [aResult([one.id, other.id])]);
    expect(written).toEqual({ stored: new Set([one.id, other.id]), closed: new Set([event]) });
    expect((await entries()).map(({ points }) => points)).toEqual([100, 7]);
    expect(await stored()).toMatchObject({ processed: true, paymentId: one.id });
  });

  it('credits before it reverses what was refunded already', async () => {
    await write([aPayment({ pointsReversed: 40, refundedMinorUnits: 40 })]);
    expect(await entries()).toEqual([
      { entryType: 'credit', points: 100, reason: 'purchase', balanceAfter: 100 },
      { entryType: 'debit', points: 40, reason: 'payment_refunded', balanceAfter: 60 },
    ]);
  });

  it('writes nothing of a payment that exists, and leaves events open that await it', async () => {
    const first = aPayment();
    await write([first]);
    const again = aPayment({ providerPaymentId: first.providerPaymentId });
    const other = aPayment();
    const written = await write([again, other], [aResult([again.id, other.id])]);
    expect(written).toEqual({ stored: new Set([other.id]), closed: new Set() });
    expect(await stored()).toMatchObject({ processed: false });
    expect(await entries()).toHaveLength(2);
  });

  it('names no wallet of a payment that earned nothing, even if there is one', async () => {
    const wallet = await db('wallets').where({ userId }).first();
    const walletId = required(wallet).id;
    const [none, some] = [aPayment({ walletId, points: 0 }), aPayment({ walletId })];
    await write([none, some]);
    const rows = await db('payments').whereIn('id', [none.id, some.id]).orderBy('pointsAwarded');
    expect(rows.map((row) => row.walletId)).toEqual([null, walletId]);
  });

  it('closes an event that awaits nothing', async () => {
    const ignored = { ...aResult([]), outcome: 'ignored' as const, reason: 'not_settled' };
    expect(await write([], [ignored])).toEqual({ stored: new Set(), closed: new Set([event]) });
    expect(await stored()).toMatchObject({ outcome: 'ignored', outcomeReason: 'not_settled' });
  });

  it('refuses to reverse more than was earned', async () => {
    await expect(write([aPayment({ pointsReversed: 101 })])).rejects.toMatchObject({
      constraint: 'payments_owed_at_most_awarded',
    });
    expect(await entries()).toEqual([]);
  });

  it('stores fingerprints as bytes', async () => {
    const emailFingerprint = Buffer.from('00ff7f', 'hex');
    const payment = aPayment({
      outcome: 'stored_anonymous',
      userId: null,
      ruleVersion: null,
      points: 0,
      emailFingerprint,
    });
    await write([payment]);
    const row = await db('payments').where({ id: payment.id }).first();
    expect(row).toMatchObject({ emailFingerprint, phoneFingerprint: null });
  });
});
