import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../activities/ingestion/ingest-payments.ts';
import type { IngestPolicy } from '../../../activities/ingestion/ingest-policy.ts';
import { revisePayment } from '../../../activities/ingestion/revise-payment.ts';
import type { TenantId, UserId } from '../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import { aDebit, aRule, aTenant, aUser, postByHand, testPolicy } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

let tenantId: TenantId;
let userId: UserId;
let email: string;
let sale: NormalizedPayment;
const database = await useDatabase();
const { db } = database;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aRule(db, tenantId, { conversionRate: 0.5 });
  email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
  sale = {
    provider: 'alpha',
    providerPaymentId: randomUUID(),
    state: 'settled',
    currency: 'EUR',
    amountMinorUnits: 1001,
    tipMinorUnits: 50,
    refundedMinorUnits: 0,
    occurredAt: new Date('2026-01-15T10:00:00Z'),
    changedAt: new Date('2026-01-15T10:00:00Z'),
    locationId: null,
    providerCustomerId: null,
    email,
    phone: null,
  };
});

const reportOf = (some: Partial<NormalizedPayment> = {}) => ({
  tenantId,
  tenantCountry: null,
  isResolved: true,
  payment: { ...sale, ...some },
});
const ingest = (some?: Partial<NormalizedPayment>, policy: IngestPolicy = testPolicy) =>
  ingestListedPayments(db, [reportOf(some)], policy);
const revise = (some?: Partial<NormalizedPayment>) => revisePayment(db, reportOf(some), testPolicy);
const wallet = () => db('wallets').where({ userId, tenantId }).first();
const balance = async () => (await wallet())?.balance;
const payment = () => db('payments').where({ tenantId }).first();
const spend = async (points: number) => {
  const { id } = await wallet();
  await db.transaction((tx) => postByHand(tx, [aDebit(id, points)]));
};

describe('revisePayment, of a refund', () => {
  it('reverses the refunded share for each new refund, once', async () => {
    await ingest();
    expect(await balance()).toBe(500);
    for (const [refundedMinorUnits, left] of [
      [500, 251],
      [500, 251],
      [300, 251],
      [1001, 0],
      [1051, 0],
    ] as const) {
      await revise({ refundedMinorUnits });
      expect(await balance()).toBe(left);
    }
    const { pointsAwarded, pointsReversed, decision } = await payment();
    expect({ pointsAwarded, pointsReversed }).toEqual({ pointsAwarded: 500, pointsReversed: 500 });
    expect(decision.reversals).toMatchObject([
      { outcome: 'refund_reversed', refundedMinorUnits: 500, target: 249, points: 249 },
      { outcome: 'refund_reversed', refundedMinorUnits: 1001, target: 500, points: 251 },
    ]);
  });

  it('reverses at most the balance, and never what it wrote off', async () => {
    await ingest();
    await spend(400);
    expect(await revise({ refundedMinorUnits: 1001 })).toMatchObject({
      outcome: 'refund_reversed',
      reason: 'partly_written_off',
    });
    expect(await balance()).toBe(0);
    expect(await payment()).toMatchObject({ pointsReversed: 100, pointsWrittenOff: 400 });

    await ingest({ providerPaymentId: randomUUID() });
    expect(await revise({ refundedMinorUnits: 1001 })).toMatchObject({ outcome: 'duplicate' });
    expect(await balance()).toBe(500);
  });

  it('reverses points when the record is of an older release', async () => {
    await ingest();
    await db('payments')
      .where({ tenantId })
      .update({ decision: db.raw(`decision - 'reversals'`) });
    expect(await revise({ refundedMinorUnits: 500 })).toMatchObject({ outcome: 'refund_reversed' });
    expect((await payment())?.decision.reversals).toHaveLength(1);
  });

  it('applies the rule of the sale when the rule has changed since', async () => {
    await ingest();
    await aRule(db, tenantId, { conversionRate: 9 });
    await revise({ refundedMinorUnits: 1001 });
    expect(await balance()).toBe(0);
  });

  it('debits the wallet when it is frozen', async () => {
    await ingest();
    await db('wallets').where({ userId }).update({ status: 'frozen' });
    await revise({ refundedMinorUnits: 1001 });
    expect(await balance()).toBe(0);
  });

  it('reverses the refund once when twenty reports are concurrent', async () => {
    await ingest();
    const reports = Array.from({ length: 20 }, (_, n) => ({ refundedMinorUnits: 50 * (n + 1) }));
    await Promise.all(reports.map((report) => revise(report)));
    expect(await balance()).toBe(1);
  });

  it('reverses the same points when the refund is reported before the sale', async () => {
    await ingest({ refundedMinorUnits: 500 });
    expect(await balance()).toBe(251);
    await ingest();
    expect(await balance()).toBe(251);
    const entries = await db('ledger_entries').where('walletId', (await wallet()).id);
    expect(entries.map(({ reason }) => reason).sort()).toEqual(['payment_refunded', 'purchase']);
  });

  it('leaves the points when refunds are ignored', async () => {
    const ignoring = { ...testPolicy, refunds: 'ignore' } as const;
    await ingest({ refundedMinorUnits: 1001 }, ignoring);
    await ingest({ refundedMinorUnits: 1001 }, ignoring);
    expect(await balance()).toBe(500);
    expect((await ingest({ providerPaymentId: 'V', state: 'voided' }, ignoring)).ignored).toBe(1);
    expect(await balance()).toBe(500);
  });

  it('reverses all points when the sale is voided, before or after the credit', async () => {
    await ingest({ state: 'voided' });
    expect(await balance()).toBe(0);
    const other = { providerPaymentId: randomUUID() };
    await ingest(other);
    await ingest({ ...other, state: 'voided' });
    expect(await balance()).toBe(0);
  });
});

describe('revisePayment, of a late customer', () => {
  it('credits an anonymous payment once, under the rule of its time', async () => {
    await ingest({ email: null });
    expect(await payment()).toMatchObject({ outcome: 'stored_anonymous', userId: null });
    await Promise.all([revise(), revise(), revise()]);
    expect(await balance()).toBe(500);
    const { outcome, outcomeReason, decision } = await payment();
    expect({ outcome, outcomeReason }).toEqual({ outcome: 'credited', outcomeReason: null });
    expect(decision).toMatchObject({
      match: { by: 'email', late: true },
      contacts: { email: true, phone: false },
      earning: { points: 500 },
    });
  });

  it('credits the payment and reverses what was refunded meanwhile', async () => {
    await ingest({ email: null });
    await revise({ refundedMinorUnits: 1001 });
    expect(await balance()).toBe(0);
    expect(await payment()).toMatchObject({ pointsAwarded: 500, pointsReversed: 500 });
  });

  it('stores the consumer without a wallet when the payment earned nothing', async () => {
    await ingest({ email: null, amountMinorUnits: 1 });
    await revise({ amountMinorUnits: 1 });
    expect(await payment()).toMatchObject({ outcomeReason: 'rounded_to_zero', userId });
    expect(await wallet()).toBeUndefined();
  });
});
