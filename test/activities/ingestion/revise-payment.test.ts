import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../activities/ingestion/ingest-payments.ts';
import type { IngestPolicy } from '../../../activities/ingestion/ingest-policy.ts';
import { revisePayment } from '../../../activities/ingestion/revise-payment.ts';
import type { Db } from '../../../db/connection.ts';
import * as ledger from '../../../db/ledger/postings.ts';
import type { TenantId, UserId } from '../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { aDebit, aRule, aTenant, aUser, testPolicy } from '../../support/factories.ts';

let database: TestDatabase;
let db: Db;
let tenantId: TenantId;
let userId: UserId;
let email: string;
let sale: NormalizedPayment;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
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
const bringIn = (some?: Partial<NormalizedPayment>, policy: IngestPolicy = testPolicy) =>
  ingestListedPayments(db, [reportOf(some)], policy);
const revise = (some?: Partial<NormalizedPayment>) => revisePayment(db, reportOf(some), testPolicy);
const wallet = () => db('wallets').where({ userId, tenantId }).first();
const balance = async () => (await wallet())?.balance;
const payment = () => db('payments').where({ tenantId }).first();
const spend = async (points: number) => {
  const { id } = await wallet();
  await db.transaction((tx) => ledger.post(tx, [aDebit(id, points)]));
};

describe('revisePayment, of a refund', () => {
  it('takes the share back that was refunded, step by step, and each step once', async () => {
    await bringIn();
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

  it('takes no more than the balance, and never later what it wrote off', async () => {
    await bringIn();
    await spend(400);
    expect(await revise({ refundedMinorUnits: 1001 })).toMatchObject({
      outcome: 'refund_reversed',
      reason: 'partly_written_off',
    });
    expect(await balance()).toBe(0);
    expect(await payment()).toMatchObject({ pointsReversed: 100, pointsWrittenOff: 400 });

    await bringIn({ providerPaymentId: randomUUID() });
    expect(await revise({ refundedMinorUnits: 1001 })).toMatchObject({ outcome: 'duplicate' });
    expect(await balance()).toBe(500);
  });

  it('takes back of a payment whose record an older release has kept', async () => {
    await bringIn();
    await db('payments')
      .where({ tenantId })
      .update({ decision: db.raw(`decision - 'reversals'`) });
    expect(await revise({ refundedMinorUnits: 500 })).toMatchObject({ outcome: 'refund_reversed' });
    expect((await payment())?.decision.reversals).toHaveLength(1);
  });

  it('goes by the rule of the sale, whatever the rule is now', async () => {
    await bringIn();
    await aRule(db, tenantId, { conversionRate: 9 });
    await revise({ refundedMinorUnits: 1001 });
    expect(await balance()).toBe(0);
  });

  it('debits a frozen wallet too', async () => {
    await bringIn();
    await db('wallets').where({ userId }).update({ status: 'frozen' });
    await revise({ refundedMinorUnits: 1001 });
    expect(await balance()).toBe(0);
  });

  it('twenty reports of it at once take it back once', async () => {
    await bringIn();
    const reports = Array.from({ length: 20 }, (_, n) => ({ refundedMinorUnits: 50 * (n + 1) }));
    await Promise.all(reports.map((report) => revise(report)));
    expect(await balance()).toBe(1);
  });

  it('ends the same when the refund is heard of before the sale', async () => {
    await bringIn({ refundedMinorUnits: 500 });
    expect(await balance()).toBe(251);
    await bringIn();
    expect(await balance()).toBe(251);
    const entries = await db('ledger_entries').where('walletId', (await wallet()).id);
    expect(entries.map(({ reason }) => reason).sort()).toEqual(['payment_refunded', 'purchase']);
  });

  it('leaves the points where refunds are ignored', async () => {
    const ignoring = { ...testPolicy, refunds: 'ignore' } as const;
    await bringIn({ refundedMinorUnits: 1001 }, ignoring);
    await bringIn({ refundedMinorUnits: 1001 }, ignoring);
    expect(await balance()).toBe(500);
    expect((await bringIn({ providerPaymentId: 'V', state: 'voided' }, ignoring)).ignored).toBe(1);
    expect(await balance()).toBe(500);
  });

  it('takes back all of a voided sale, before or after it was credited', async () => {
    await bringIn({ state: 'voided' });
    expect(await balance()).toBe(0);
    const other = { providerPaymentId: randomUUID() };
    await bringIn(other);
    await bringIn({ ...other, state: 'voided' });
    expect(await balance()).toBe(0);
  });
});

describe('revisePayment, of a late customer', () => {
  it('credits an anonymous payment once, under the rule of then', async () => {
    await bringIn({ email: null });
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

  it('credits it and takes back what was refunded meanwhile', async () => {
    await bringIn({ email: null });
    await revise({ refundedMinorUnits: 1001 });
    expect(await balance()).toBe(0);
    expect(await payment()).toMatchObject({ pointsAwarded: 500, pointsReversed: 500 });
  });

  it('names the consumer of one that earned nothing, without a wallet', async () => {
    await bringIn({ email: null, amountMinorUnits: 1 });
    await revise({ amountMinorUnits: 1 });
    expect(await payment()).toMatchObject({ outcomeReason: 'rounded_to_zero', userId });
    expect(await wallet()).toBeUndefined();
  });
});
