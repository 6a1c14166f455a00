import { describe, expect, it } from 'vitest';
import { CampaignId, PaymentId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Decision, Facts, KnownPayment } from '../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import {
  applyRevision,
  type RevisedWallet,
  type Revision,
  refunding,
  revisionOf,
  type WalletExpiry,
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
  hasCustomer: false,
  isBeforeConnection: false,
  ...some,
});
const anonymous = aKnownPayment({ outcome: 'stored_anonymous', points: 0, walletId: null });

/** What a report of the payment changes about it, by a rule of one point for a cent. */
function revision(
  known: KnownPayment,
  refunded: number,
  {
    isNamed,
    minSpend = 0,
    open = null,
  }: { isNamed: boolean; minSpend?: number; open?: Facts['open'] },
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
    { userByEmail, userByPhone: null, rule, currency: null, isSuspended: false, open },
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

const DUE = 24_315;
const expiry = (expired: number, some: Partial<WalletExpiry> = {}): WalletExpiry => ({
  expired: [{ month: DUE, points: expired }],
  absorbed: [],
  dueOf: new Map([[aKnownPayment().id, DUE]]),
  ...some,
});

describe('refunding', () => {
  it.each([
    { has: { expiry: undefined }, absorbable: 0, because: 'nothing expires there' },
    { has: { expiry: expiry(30) }, absorbable: 30, because: 'so much of it has expired' },
    { has: { expiry: expiry(0) }, absorbable: 0, because: 'nothing has expired' },
    {
      has: { expiry: expiry(30, { dueOf: new Map() }) },
      absorbable: 0,
      because: 'when its points were due is not known',
    },
  ])('finds $absorbable points expired because $because', ({ has, absorbable }) => {
    for (const isClosed of [false, true]) {
      const found = refunding(aKnownPayment().id, aWallet({ ...has, isClosed }));
      expect(found).toEqual({ balance: 100, absorbable, isClosed });
    }
  });
});

describe('applyRevision: a refund of points that have expired', () => {
  const refunded = (known: KnownPayment, sum: number, wallet: RevisedWallet) =>
    applyRevision(revision(known, sum, { isNamed: true }), known, wallet);
  const cause = 'refund' as const;
  const change = { outcome: 'refund_reversed' as const, cause, owed: 0, writtenOff: 0 };
  const first = { ...change, refundedMinorUnits: 40, target: 40, points: 10, absorbed: 30 };
  const earlier = { ...first, points: 0, absorbed: 0 };
  const absorbedOnce = aKnownPayment({
    refundedMinorUnits: 40,
    pointsReversed: 10,
    pointsAbsorbed: 30,
    reversals: [earlier, first],
  });
  const onceAbsorbed = { month: DUE, points: 30 };

  it('absorbs them, and takes the rest of the balance', () => {
    const known = aKnownPayment();
    expect(refunded(known, 40, aWallet({ expiry: expiry(30) }))).toEqual({
      outcome: 'refund_reversed',
      reason: null,
      points: 0,
      payment: { ...absorbedOnce, refundedAsOfMs: at + 1_000 },
      wallet: aWallet({ balance: 90, expiry: expiry(30, { absorbed: [onceAbsorbed] }) }),
      moves: [debit(10)],
      reversal: first,
    });
  });

  it('adds to what was absorbed, and gives all back when the refunds failed after all', () => {
    const wallet = aWallet({ expiry: expiry(50, { absorbed: [onceAbsorbed] }) });
    const second = { ...change, refundedMinorUnits: 65, target: 65, points: 5, absorbed: 20 };
    const twice = refunded(absorbedOnce, 65, wallet);
    expect(twice.payment).toMatchObject({
      pointsReversed: 15,
      pointsAbsorbed: 50,
      reversals: [earlier, first, second],
    });
    expect(twice.wallet?.expiry?.absorbed).toEqual([onceAbsorbed, { month: DUE, points: 20 }]);
    const failed = refunded(absorbedOnce, 0, wallet);
    expect(failed.payment).toMatchObject({ pointsReversed: 0, pointsAbsorbed: 0, reversals: null });
    expect(failed.wallet?.balance).toBe(110);
    expect(failed.wallet?.expiry?.absorbed).toEqual([onceAbsorbed, { month: DUE, points: -30 }]);
  });

  it.each([
    { has: { expiry: expiry(0) }, because: 'nothing has expired' },
    { has: {}, because: 'nothing expires there' },
  ])('absorbs nothing where $because', ({ has }) => {
    const known = aKnownPayment();
    const { payment, wallet } = refunded(known, 40, aWallet(has));
    expect(payment).toMatchObject({ pointsReversed: 40, pointsAbsorbed: 0, reversals: null });
    expect(wallet).toEqual(aWallet({ ...has, balance: 60 }));
  });

  it.each([{ has: {} }, { has: { expiry: expiry(30, { dueOf: new Map() }) } }])(
    'gives the points back also where it is not known when they were due: $has',
    ({ has }) => {
      const { payment, wallet } = refunded(absorbedOnce, 0, aWallet(has));
      expect(payment).toMatchObject({ pointsReversed: 0, pointsAbsorbed: 0 });
      expect(wallet).toEqual(aWallet({ ...has, balance: 110 }));
    },
  );
});

describe('applyRevision: a refund of a wallet whose owner was erased', () => {
  const closed = aWallet({ balance: 0, isClosed: true });

  it('writes off what it asks for', () => {
    const known = aKnownPayment({ refundedMinorUnits: 5, pointsWrittenOff: 5 });
    const revised = applyRevision(revision(known, 40, { isNamed: true }), known, closed);
    expect(revised).toMatchObject({ outcome: 'refund_reversed', reason: null, moves: [] });
    expect(revised.payment).toMatchObject({ pointsReversed: 0, pointsWrittenOff: 40 });
    expect(revised.wallet).toEqual(closed);
  });

  it.each([
    { was: 40, reason: 'refund_noted', because: 'it says another sum' },
    { was: 0, reason: null, because: 'that was said before' },
  ])('gives nothing back when it failed after all, and $because', ({ was, reason }) => {
    const known = aKnownPayment({ refundedMinorUnits: was, pointsReversed: 40 });
    expect(applyRevision(revision(known, 0, { isNamed: true }), known, closed)).toEqual({
      outcome: 'duplicate',
      reason,
      points: 0,
      payment: { ...known, refundedMinorUnits: 0, refundedAsOfMs: at + 1_000 },
      wallet: closed,
      moves: [],
      reversal: null,
    });
  });

  it('is an error of ours where nothing is due of an open wallet', () => {
    const known = aKnownPayment({ refundedMinorUnits: 40, pointsReversed: 40 });
    const settled = { earned: 100, paid: 100, refunded: 40, reversed: 40 };
    const refunded = { ...settled, owed: 0, writtenOff: 0, absorbed: 0 };
    const refund: Revision = { kind: 'refund', refunded, sum: { minorUnits: 40, asOfMs: at } };
    expect(() => applyRevision(refund, known, aWallet())).toThrow(
      'A refund that was due is no longer due.',
    );
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

  it('only credits while nothing is refunded', () => {
    const match = revision(anonymous, 0, { isNamed: true });
    const { moves } = applyRevision(match, anonymous, aWallet());
    expect(moves).toEqual([{ entryType: 'credit', reason: 'purchase', points: 100 }]);
  });

  it.each([
    {
      startsAt: at,
      storedAtMs: at + 500,
      points: 200,
      because: 'the campaign began then',
    },
    { startsAt: at, storedAtMs: at - 1, points: 100, because: 'it had arrived before that' },
    { startsAt: at + 1, storedAtMs: at + 500, points: 100, because: 'it was made before that' },
    { startsAt: at, storedAtMs: undefined, points: 200, because: 'it is being stored' },
    { startsAt: at + 1, storedAtMs: undefined, points: 100, because: 'it is, from before that' },
  ])('gives $points points because $because', ({ startsAt, storedAtMs, points }) => {
    const happyHour = {
      id: CampaignId.parse('00000000-0000-4000-8000-0000000000dd'),
      multiplier: 2,
      points: null,
      startsAt: new Date(startsAt),
      endsAt: null,
      endedAt: null,
      days: null,
      hours: null,
      minSpendMinorUnits: 0,
      audience: 'all' as const,
      isExhausted: false,
    };
    const clocks = { timeZone: 'UTC', now: new Date(at + 3_600_000) };
    const open = { campaigns: [happyHour], buyers: new Set<UserId>(), tiers: new Map(), ...clocks };
    const known = { ...anonymous, ...(storedAtMs !== undefined && { storedAtMs }) };
    const match = revision(known, 0, { isNamed: true, open });
    expect(match).toMatchObject({ kind: 'late_match', decision: { points } });
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
