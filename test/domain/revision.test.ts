import { describe, expect, it } from 'vitest';
import { PaymentId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Decision, KnownPayment } from '../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import {
  applyRevision,
  type RevisedWallet,
  type Revision,
  revisionOf,
} from '../../domain/revision.ts';

const ada = UserId.parse('00000000-0000-4000-8000-00000000000a');
const at = Date.parse('2026-01-15T10:00:00Z');

const aWallet = (some: Partial<RevisedWallet> = {}): RevisedWallet => ({
  id: WalletId.parse('00000000-0000-4000-8000-0000000000bb'),
  userId: ada,
  tenantId: TenantId.parse('00000000-0000-4000-8000-0000000000cc'),
  balance: 100,
  owed: 0,
  ...some,
});

const aKnownPayment = (some: Partial<KnownPayment> = {}): KnownPayment => ({
  id: PaymentId.parse('00000000-0000-4000-8000-0000000000aa'),
  outcome: 'credited',
  amountMinorUnits: 100,
  refundedMinorUnits: 0,
  refundedAsOfMs: at,
  points: 100,
  pointsReversed: 0,
  pointsOwed: 0,
  pointsWrittenOff: 0,
  pointsAbsorbed: 0,
  reversals: null,
  walletId: aWallet().id,
  contacts: { email: false, phone: false },
  isBeforeConnection: false,
  ...some,
});
const anonymous = aKnownPayment({ outcome: 'stored_anonymous', points: 0, walletId: null });

/** What a report of the payment changes about it, by a rule of one point for a cent. */
function revision(
  known: KnownPayment,
  refunded: number,
  { isNamed, minSpend = 0 }: { isNamed: boolean; minSpend?: number },
): Revision | null {
  const payment: NormalizedPayment = {
    provider: 'alpha',
    providerPaymentId: 'P1',
    state: 'settled',
    amountMinorUnits: 100,
    tipMinorUnits: 0,
    refundedMinorUnits: refunded,
    currency: 'EUR',
    occurredAt: new Date(at),
    changedAt: new Date(at + 1_000),
    locationId: null,
    providerCustomerId: null,
    email: isNamed ? 'ada@example.com' : null,
    phone: null,
  };
  const rule = {
    version: 1,
    conversionRate: '1',
    minSpendMinorUnits: minSpend,
    maxPointsPerTransaction: null,
    roundingPolicy: 'floor',
  } as const;
  const userByEmail = isNamed ? ada : null;
  return revisionOf(
    payment,
    known,
    { userByEmail, userByPhone: null, rule, currency: null, isSuspended: false },
    'reverse',
  );
}

const debit = (points: number) => ({ entryType: 'debit', reason: 'payment_refunded', points });

describe('applyRevision: a refund', () => {
  it.each([
    { within: {}, reason: null, moves: [debit(40)], left: [60, 0], sums: [40, 0, 0] },
    {
      within: { balance: 10 },
      reason: 'partly_owed',
      moves: [debit(10)],
      left: [0, 30],
      sums: [10, 30, 0],
    },
    {
      within: { balance: 0, owed: 7 },
      reason: 'partly_owed',
      moves: [],
      left: [0, 47],
      sums: [0, 40, 0],
    },
  ])('of a wallet with $within ends $reason', ({ within, reason, moves, left, sums }) => {
    const known = aKnownPayment();
    const refund = revision(known, 40, { isNamed: true });
    const { payment, wallet, ...revised } = applyRevision(refund, known, aWallet(within));
    expect(revised).toMatchObject({ outcome: 'refund_reversed', reason, points: 0, moves });
    expect([wallet?.balance, wallet?.owed]).toEqual(left);
    const { pointsReversed, pointsOwed, pointsWrittenOff, refundedMinorUnits } = payment;
    expect([pointsReversed, pointsOwed, pointsWrittenOff]).toEqual(sums);
    expect(refundedMinorUnits).toBe(40);
  });

  it('that failed after all gives the points back, first those that are owed', () => {
    const known = aKnownPayment({ refundedMinorUnits: 40, pointsReversed: 30, pointsOwed: 10 });
    const failed = revision(known, 0, { isNamed: true });
    const revised = applyRevision(failed, known, aWallet({ balance: 0, owed: 25 }));
    expect(revised).toMatchObject({
      reason: 'refund_failed',
      moves: [{ entryType: 'credit', reason: 'payment_refunded', points: 30 }],
      payment: { pointsReversed: 0, pointsOwed: 0 },
      wallet: { balance: 30, owed: 15 },
    });
  });

  it('needs the wallet', () => {
    const known = aKnownPayment();
    const refund = revision(known, 40, { isNamed: true });
    expect(() => applyRevision(refund, known, null)).toThrow('names no wallet');
  });
});

describe('applyRevision: a late match', () => {
  it('credits what the payment earns, less what is refunded of it', () => {
    const match = revision(anonymous, 25, { isNamed: true });
    expect(applyRevision(match, anonymous, aWallet())).toMatchObject({
      outcome: 'credited',
      reason: null,
      points: 100,
      moves: [{ entryType: 'credit', reason: 'purchase', points: 100 }, debit(25)],
      payment: { walletId: aWallet().id, points: 100, pointsReversed: 25, refundedMinorUnits: 25 },
      wallet: { balance: 175 },
      reversal: null,
    });
  });

  it('moves nothing when the payment earns nothing', () => {
    const match = revision(anonymous, 0, { isNamed: true, minSpend: 101 });
    expect(applyRevision(match, anonymous, null)).toMatchObject({
      outcome: 'credited',
      reason: 'below_minimum',
      points: 0,
      moves: [],
      payment: { outcome: 'credited', walletId: null },
      wallet: null,
    });
  });

  it('needs the wallet when the payment earns points', () => {
    const match = revision(anonymous, 0, { isNamed: true });
    expect(() => applyRevision(match, anonymous, null)).toThrow('names no wallet');
  });

  it('is recorded as late', () => {
    const match = revision(anonymous, 0, { isNamed: true });
    const decision: Decision | undefined =
      match?.kind === 'late_match' ? match.decision : undefined;
    expect(decision?.record.match).toEqual({ by: 'email', conflict: false, late: true });
  });
});

describe('applyRevision: what moves no points', () => {
  it.each([
    { refunded: 25, reason: 'refund_noted', because: 'another sum' },
    { refunded: 0, reason: null, because: 'the same sum at a later time' },
  ])('$because is noted', ({ refunded, reason }) => {
    const note = revision(anonymous, refunded, { isNamed: false });
    expect(applyRevision(note, anonymous, null)).toEqual({
      outcome: 'duplicate',
      reason,
      points: 0,
      payment: { ...anonymous, refundedMinorUnits: refunded, refundedAsOfMs: at + 1_000 },
      wallet: null,
      moves: [],
      reversal: null,
    });
  });

  it('a duplicate leaves everything as it is', () => {
    const known = aKnownPayment();
    const revised = applyRevision(null, known, aWallet());
    expect(revised).toMatchObject({ outcome: 'duplicate', reason: null, moves: [] });
    expect([revised.payment, revised.wallet]).toEqual([known, aWallet()]);
  });
});
