import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../../../activities/due-work/worker.ts';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import type { IngestPolicy } from '../../../../activities/ingestion/decide/ingest-policy.ts';
import { revisePayment } from '../../../../activities/ingestion/revise/revise-payment.ts';
import { matchSignup } from '../../../../activities/ingestion/revise/signups.ts';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../../db/redemptions/redemptions.ts';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import type { ExpiredCodes } from '../../../../domain/redemption.ts';
import { createLogger } from '../../../../gateways/telemetry/logger.ts';
import { createMetrics } from '../../../../gateways/telemetry/metrics.ts';
import {
  aDebit,
  aRule,
  aTenant,
  aUser,
  postByHand,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { aSale } from '../../../support/points/a-sale.ts';
import { decisionAbout } from '../../../support/points/payments.ts';
import {
  aRedemption,
  expiresIn,
  type Issued,
  testCodes,
} from '../../../support/points/redemptions.ts';

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
  sale = aSale({ currency: 'EUR', amountMinorUnits: 1001, tipMinorUnits: 50, email });
});

const reportOf = (some: Partial<NormalizedPayment> = {}) => ({
  tenantId,
  isResolved: true,
  payment: { ...sale, ...some },
});
const ingest = (some?: Partial<NormalizedPayment>, policy: IngestPolicy = testPolicy) =>
  ingestListedPayments(db, [reportOf(some)], policy);
const revise = (some?: Partial<NormalizedPayment>) => revisePayment(db, reportOf(some), testPolicy);
const wallet = () => db('wallets').where({ userId, tenantId }).first();
const balance = async () => (await wallet())?.balance;
const payment = async () => {
  const row = await db('payments').where({ tenantId }).orderBy('createdAt').first();
  return { ...row, decision: await decisionAbout(db, row.id) };
};
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

  it('reverses at most the balance, and once what it is owed', async () => {
    await ingest();
    await spend(400);
    expect(await revise({ refundedMinorUnits: 1001 })).toMatchObject({
      outcome: 'refund_reversed',
      reason: 'partly_owed',
    });
    expect(await balance()).toBe(0);
    expect(await payment()).toMatchObject({ pointsReversed: 100, pointsOwed: 400 });

    await ingest({ providerPaymentId: randomUUID() });
    expect(await revise({ refundedMinorUnits: 1001 })).toMatchObject({ outcome: 'duplicate' });
    expect(await balance()).toBe(100);
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

const signUp = async () => {
  await db('users').where({ id: userId }).update({ emailVerified: true });
  const log = createLogger({ level: 'silent', service: 'test' });
  const metrics = createMetrics('worker');
  await doWork({ db, log }, matchSignup({ db, ingestPolicy: testPolicy, metrics }));
};

describe('revisePayment, of a refund before anybody is credited', () => {
  beforeEach(() => db('users').where({ id: userId }).update({ emailVerified: false }));

  const whole = { refundedMinorUnits: 1001 };
  const half = { refundedMinorUnits: 500 };
  const gone = { state: 'voided' } as const;
  const provided = (['alpha', 'beta'] as const).flatMap((provider) => [
    { provider, steps: [{}, whole, 'sign up'] as const, left: 0 },
    { provider, steps: [{}, gone, 'sign up'] as const, left: 0 },
    { provider, steps: [gone, {}, 'sign up'] as const, left: 0 },
    { provider, steps: [{}, 'sign up', gone] as const, left: 0 },
    { provider, steps: [{}, half, 'sign up'] as const, left: 251 },
    { provider, steps: [half, {}, 'sign up'] as const, left: 251 },
    { provider, steps: [{}, half, 'sign up', whole] as const, left: 0 },
    { provider, steps: [{}, 'sign up', half, whole] as const, left: 0 },
  ]);

  it.each(provided)('leaves $left points at $provider after $steps', async (row) => {
    for (const step of row.steps) {
      if (step === 'sign up') await signUp();
      else await ingest({ ...step, provider: row.provider });
    }
    expect(await balance()).toBe(row.left);
  });

  it('notes the refund of a payment that earned nothing for want of a rule', async () => {
    await db('users').where({ id: userId }).update({ emailVerified: true });
    tenantId = await aTenant(db);
    await ingest();
    expect(await revise(half)).toMatchObject({ outcome: 'duplicate', reason: 'refund_noted' });
    expect(await payment()).toMatchObject({ outcome: 'no_rule_no_credit', ...half });
  });
});

describe('revisePayment, of a refund that failed after all', () => {
  const at = (seconds: number, refundedMinorUnits: number) => ({
    changedAt: new Date(sale.changedAt.getTime() + seconds * 1_000),
    refundedMinorUnits,
  });

  it('gives back what the refund had taken', async () => {
    await ingest();
    await ingest(at(1, 1001));
    expect(await balance()).toBe(0);
    expect(await revise(at(2, 500))).toMatchObject({ reason: 'refund_failed' });
    expect(await balance()).toBe(251);
    await ingest(at(3, 0));
    expect(await balance()).toBe(500);
    expect(await payment()).toMatchObject({ pointsReversed: 0, refundedMinorUnits: 0 });
  });

  it('does not count older reports, in any order', async () => {
    const reports = [at(0, 0), at(1, 1001), at(2, 500), at(3, 0), at(4, 500)];
    for (const order of [
      [4, 3, 2, 1, 0],
      [0, 4, 1, 2, 3],
      [1, 3, 0, 2, 4],
      [3, 1, 4, 0, 2],
    ]) {
      const providerPaymentId = randomUUID();
      for (const nth of order) await ingest({ ...reports[nth], providerPaymentId });
      const stored = await db('payments').where({ tenantId, providerPaymentId }).first();
      expect(stored).toMatchObject({ refundedMinorUnits: 500, pointsReversed: 249 });
    }
    expect(await balance()).toBe(4 * 251);
  });

  it('releases what is owed before it gives points back', async () => {
    await ingest();
    await spend(400);
    await ingest(at(1, 1001));
    await ingest(at(2, 500));
    expect(await payment()).toMatchObject({ pointsReversed: 100, pointsOwed: 149 });
    expect(await wallet()).toMatchObject({ balance: 0, owed: 149 });
    await ingest(at(3, 100));
    expect(await payment()).toMatchObject({ pointsReversed: 49, pointsOwed: 0 });
    expect(await wallet()).toMatchObject({ balance: 51, owed: 0 });
  });

  it('pays with what a failed refund gives back what others owe', async () => {
    await ingest();
    const other = { providerPaymentId: randomUUID() };
    await ingest(other);
    await ingest(at(1, 1001));
    await spend(500);
    await ingest({ ...other, ...at(1, 600) });
    expect(await wallet()).toMatchObject({ balance: 0, owed: 299 });
    await ingest(at(2, 0));
    expect(await payment()).toMatchObject({ pointsReversed: 0, pointsOwed: 0 });
    expect(await wallet()).toMatchObject({ balance: 201, owed: 0 });
  });
});

describe('revisePayment, of a refund while points are in a code', () => {
  const issue = async (points: number) =>
    aRedemption(db, { walletId: (await wallet()).id, points });
  const expire = async ({ id }: Issued, policy: ExpiredCodes = 'refund') => {
    await expiresIn(db, [id], -1);
    await lifecycle.expireOne(db, id, policy);
  };
  const use = async ({ code, tenantId: shop }: Issued) => {
    const burning = { tenantId: shop, hmacs: testCodes.hmacsOf(code) };
    const operatorId = await aUser(db, { role: 'pos_operator' });
    await db.transaction((tx) => redemptions.burn(tx, { ...burning, operatorId }));
  };

  it('takes them when the code returns unused', async () => {
    await ingest();
    const code = await issue(400);
    expect(await revise({ refundedMinorUnits: 1001 })).toMatchObject({ reason: 'partly_owed' });
    expect(await payment()).toMatchObject({ pointsReversed: 100, pointsOwed: 400 });
    expect(await revise({ refundedMinorUnits: 1001 })).toMatchObject({ outcome: 'duplicate' });
    await expire(code);
    expect(await balance()).toBe(0);
    const after = await payment();
    expect(after).toMatchObject({ pointsReversed: 500, pointsOwed: 0, pointsWrittenOff: 0 });
    expect(after.decision.reversals).toMatchObject([
      { cause: 'refund', points: 100, owed: 400, writtenOff: 0 },
      { cause: 'debt_paid', points: 400, owed: -400, writtenOff: 0 },
    ]);
  });

  it.each(['used', 'forfeited'])('goes on waiting for them when the code is %s', async (end) => {
    await ingest();
    const code = await issue(500);
    await revise({ refundedMinorUnits: 1001 });
    await (end === 'used' ? use(code) : expire(code, 'forfeit'));
    expect(await wallet()).toMatchObject({ balance: 0, owed: 500 });
    const owing = { pointsReversed: 0, pointsOwed: 500, pointsWrittenOff: 0 };
    expect(await payment()).toMatchObject(owing);
  });

  it('pays the oldest refund first', async () => {
    await ingest();
    const other = { providerPaymentId: randomUUID() };
    await ingest(other);
    const [one, two] = [await issue(300), await issue(400)];
    await spend(300);
    await revise({ ...other, refundedMinorUnits: 1001 });
    await revise({ refundedMinorUnits: 1001 });
    const owed = async () => {
      const rows = await db('payments').where({ tenantId }).orderBy('createdAt');
      return rows.map((row) => [row.pointsReversed, row.pointsOwed]);
    };
    const inTurn = [
      [0, 500],
      [0, 500],
    ];
    expect(await owed()).toEqual(inTurn);
    await use(one);
    expect(await owed()).toEqual(inTurn);
    await expire(two);
    expect(await owed()).toEqual([
      [0, 500],
      [400, 100],
    ]);
    expect(await wallet()).toMatchObject({ balance: 0, owed: 600 });
  });

  it('is paid by what comes next, and releases the debt when the refund failed', async () => {
    await ingest();
    const code = await issue(500);
    const later = (seconds: number) => new Date(sale.changedAt.getTime() + seconds * 1_000);
    await ingest({ refundedMinorUnits: 1001, changedAt: later(1) });
    await ingest({ providerPaymentId: randomUUID(), amountMinorUnits: 400 });
    expect(await wallet()).toMatchObject({ balance: 0, owed: 300 });
    await ingest({ refundedMinorUnits: 500, changedAt: later(2) });
    expect(await payment()).toMatchObject({ pointsReversed: 200, pointsOwed: 49 });
    await expire(code);
    expect(await wallet()).toMatchObject({ balance: 451, owed: 0 });
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
