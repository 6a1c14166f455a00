import { describe, expect, it } from 'vitest';
import { PaymentId, UserId, WalletId } from '../../domain/ids.ts';
import { decide, type Facts, type KnownPayment } from '../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import { revisionOf } from '../../domain/revision.ts';

const ada = UserId.parse('00000000-0000-4000-8000-00000000000a');
const bob = UserId.parse('00000000-0000-4000-8000-00000000000b');

const rule = {
  version: 3,
  conversionRate: '0.5',
  minSpendMinorUnits: 100,
  maxPointsPerTransaction: null,
  roundingPolicy: 'floor',
} as const;

function aPayment(some: Partial<NormalizedPayment> = {}): NormalizedPayment {
  return {
    provider: 'alpha',
    providerPaymentId: 'P1',
    state: 'settled',
    amountMinorUnits: 1001,
    tipMinorUnits: 150,
    refundedMinorUnits: 0,
    currency: 'EUR',
    occurredAt: new Date('2026-01-15T10:00:00Z'),
    changedAt: new Date('2026-01-15T10:00:02Z'),
    locationId: 'L1',
    providerCustomerId: 'C1',
    email: 'ada@example.com',
    phone: '+41446681800',
    ...some,
  };
}

const facts = (some: Partial<Facts> = {}): Facts => ({
  known: null,
  userByEmail: ada,
  userByPhone: null,
  rule,
  currency: null,
  isSuspended: false,
  ...some,
});

const noContacts = { email: null, phone: null };
const nobody = { userByEmail: null };

describe('decide', () => {
  it('waits with a consumer’s sale while the tenant is suspended, also without a rule', () => {
    const suspended = { isSuspended: true, currency: 'CHF' };
    for (const rule of [facts().rule, null]) {
      expect(decide(aPayment(), facts({ ...suspended, rule }), 'reverse')).toMatchObject({
        outcome: 'no_rule_no_credit',
        reason: 'tenant_suspended',
        userId: ada,
        ruleVersion: null,
        points: 0,
        record: { rule: null, earning: null },
      });
    }
    const anonymous = facts({ ...suspended, ...nobody });
    expect(decide(aPayment(), anonymous, 'reverse').outcome).toBe('stored_anonymous');
  });

  it('earns in the currency of the tenant, and says when that is capped', () => {
    const earned = decide(aPayment({ currency: 'EUR' }), facts({ currency: 'EUR' }), 'reverse');
    expect(earned).toMatchObject({ outcome: 'credited', reason: null, points: 500 });
    const much = aPayment({ amountMinorUnits: 2 ** 40 });
    expect(decide(much, facts(), 'reverse').reason).toBe('capped_to_limit');
  });

  it.each([
    {
      outcome: 'stored_anonymous',
      reason: 'no_match',
      knows: nobody,
      because: 'no consumer has these contacts',
    },
    {
      outcome: 'stored_anonymous',
      reason: 'no_match',
      knows: nobody,
      pays: { email: null },
      because: 'no consumer has this phone',
    },
    {
      outcome: 'stored_anonymous',
      reason: 'no_match',
      knows: nobody,
      pays: { phone: null },
      because: 'no consumer has this e-mail',
    },
    {
      outcome: 'stored_anonymous',
      reason: 'no_contacts',
      knows: nobody,
      pays: noContacts,
      because: 'it has no contacts',
    },
    {
      outcome: 'stored_anonymous',
      reason: 'no_match',
      knows: { ...nobody, rule: null },
      because: 'the consumer is checked before the rule',
    },
    {
      outcome: 'no_rule_no_credit',
      reason: 'no_rule',
      knows: { rule: null },
      user: ada,
      because: 'there is no rule',
    },
    {
      outcome: 'no_rule_no_credit',
      reason: 'no_rule',
      knows: { rule: null },
      pays: { amountMinorUnits: 0 },
      user: ada,
      because: 'the rule is checked before the amount',
    },
    {
      outcome: 'credited',
      reason: null,
      user: ada,
      version: 3,
      points: 500,
      because: 'it earns half of 1001, without the tip',
    },
    {
      outcome: 'credited',
      reason: null,
      knows: { userByPhone: ada, ...nobody },
      user: ada,
      version: 3,
      points: 500,
      because: 'the phone is known',
    },
    {
      outcome: 'credited',
      reason: null,
      knows: { userByPhone: bob },
      user: ada,
      version: 3,
      points: 500,
      because: 'the e-mail takes precedence',
    },
    {
      outcome: 'credited',
      reason: 'currency_mismatch',
      pays: { amountMinorUnits: 0, refundedMinorUnits: 0 },
      knows: { currency: 'JPY' },
      user: ada,
      version: 3,
      because: 'the tenant has another currency, which is said first',
    },
    {
      outcome: 'no_rule_no_credit',
      reason: 'no_rule',
      knows: { currency: 'JPY', rule: null },
      user: ada,
      because: 'without a rule no currency counts',
    },
    {
      outcome: 'credited',
      reason: 'zero_amount',
      pays: { amountMinorUnits: 0 },
      user: ada,
      version: 3,
      because: 'nothing was paid',
    },
    {
      outcome: 'credited',
      reason: 'below_minimum',
      pays: { amountMinorUnits: 99 },
      user: ada,
      version: 3,
      because: 'the minimum excludes the tip',
    },
    {
      outcome: 'credited',
      reason: 'rounded_to_zero',
      pays: { amountMinorUnits: 1 },
      knows: { rule: { ...rule, minSpendMinorUnits: 0 } },
      user: ada,
      version: 3,
      because: 'half a point is rounded down',
    },
    {
      outcome: 'credited',
      reason: 'capped_to_zero',
      knows: { rule: { ...rule, maxPointsPerTransaction: 0 } },
      user: ada,
      version: 3,
      because: 'the cap is zero',
    },
  ] as const)('returns $outcome ($reason) because $because', (row) => {
    const { outcome, reason, because, ...rest } = row;
    const {
      pays = {},
      knows = {},
      user = null,
      version = null,
      points = 0,
    } = { ...optional, ...rest };
    expect(decide(aPayment(pays), facts(knows), 'reverse')).toMatchObject({
      outcome,
      reason,
      userId: user,
      ruleVersion: version,
      points,
    });
  });

  const optional: {
    pays?: Partial<NormalizedPayment>;
    knows?: Partial<Facts>;
    user?: UserId;
    version?: number;
    points?: number;
  } = {};

  it('records the facts of the decision', () => {
    const { record } = decide(aPayment(), facts({ userByPhone: bob }), 'reverse');
    expect(record).toEqual({
      amountMinorUnits: 1001,
      tipMinorUnits: 150,
      currency: 'EUR',
      contacts: { email: true, phone: true },
      match: { by: 'email', conflict: true, late: false },
      rule,
      earning: { points: 500, exact: '500.5', rounded: 500, zeroReason: null },
      reversals: [],
    });
  });

  it('records the facts when nothing is credited', () => {
    const anonymous = decide(aPayment({ email: null }), facts(nobody), 'reverse').record;
    expect(anonymous).toMatchObject({
      contacts: { email: false, phone: true },
      match: { by: null, conflict: false },
      rule,
      earning: null,
    });
    expect(decide(aPayment(), facts({ rule: null }), 'reverse').record).toMatchObject({
      match: { by: 'email' },
      rule: null,
      earning: null,
    });
  });

  it.each([facts(), facts(nobody), facts({ rule: null })])(
    'never records a contact or a person',
    (known) => {
      const record = JSON.stringify(
        decide(aPayment({ refundedMinorUnits: 300 }), known, 'reverse').record,
      );
      expect(record).not.toMatch(/ada@example|41446681800|C1/);
      expect(record).not.toContain(ada);
    },
  );
});

describe('decide, for a refunded payment', () => {
  const target = (refundedMinorUnits: number) =>
    decide(aPayment({ refundedMinorUnits }), facts(), 'reverse').reversal;

  it.each([
    { refunded: 0, reversal: null },
    { refunded: 1, reversal: null },
    { refunded: 3, reversal: { target: 1, points: 1, writtenOff: 0 } },
    { refunded: 500, reversal: { target: 249, points: 249, writtenOff: 0 } },
    { refunded: 1001, reversal: { target: 500, points: 500, writtenOff: 0 } },
    { refunded: 1151, reversal: { target: 500, points: 500, writtenOff: 0 } },
  ])('returns $reversal when $refunded of 1001 are refunded', ({ refunded, reversal }) => {
    if (reversal === null) expect(target(refunded)).toBeNull();
    else expect(target(refunded)).toMatchObject({ ...reversal, refundedMinorUnits: refunded });
  });

  it('reverses nothing when refunds are ignored or nothing was earned', () => {
    const refunded = aPayment({ refundedMinorUnits: 1001 });
    expect(decide(refunded, facts(), 'ignore')).toMatchObject({ points: 500, reversal: null });
    expect(decide(refunded, facts({ rule: null }), 'reverse').reversal).toBeNull();
    expect(decide(refunded, facts(nobody), 'reverse').reversal).toBeNull();
  });
});

const aKnownPayment = (some: Partial<KnownPayment> = {}): KnownPayment => ({
  id: PaymentId.parse('00000000-0000-4000-8000-0000000000aa'),
  outcome: 'credited',
  amountMinorUnits: 1001,
  refundedMinorUnits: 0,
  refundedAsOfMs: Date.parse('2026-01-15T10:00:02Z'),
  points: 500,
  pointsReversed: 0,
  pointsOwed: 0,
  pointsWrittenOff: 0,
  pointsAbsorbed: 0,
  reversals: null,
  walletId: WalletId.parse('00000000-0000-4000-8000-0000000000bb'),
  contacts: { email: false, phone: false },
  hasCustomer: false,
  isBeforeConnection: false,
  ...some,
});
const before = new Date('2026-01-15T10:00:01Z');
const after = new Date('2026-01-15T10:00:03Z');

describe('revisionOf', () => {
  it.each([
    { says: {}, knows: {}, revision: null, because: 'it is a duplicate' },
    {
      says: { refundedMinorUnits: 500 },
      knows: {},
      revision: 'refund',
      because: 'more is refunded than reversed',
    },
    {
      says: { refundedMinorUnits: 500 },
      knows: { refundedMinorUnits: 500, pointsReversed: 200, pointsWrittenOff: 49 },
      revision: null,
      because: 'the refund is reversed or written off',
    },
    {
      says: { refundedMinorUnits: 100 },
      knows: { refundedMinorUnits: 500, pointsReversed: 249 },
      revision: null,
      because: 'the report is older',
    },
    {
      says: { refundedMinorUnits: 1 },
      knows: {},
      revision: 'note',
      because: 'the refund is worth less than a point',
    },
    {
      says: { changedAt: before, refundedMinorUnits: 500 },
      knows: {},
      revision: null,
      because: 'a newer report has said that nothing is refunded',
    },
    {
      says: { changedAt: after, refundedMinorUnits: 500 },
      knows: { refundedMinorUnits: 1001, pointsReversed: 400, pointsOwed: 100 },
      revision: 'refund',
      because: 'a part of the refund failed after all',
    },
    {
      says: { changedAt: after },
      knows: {},
      revision: 'note',
      because: 'it confirms that nothing is refunded',
    },
    {
      says: {},
      knows: { outcome: 'stored_anonymous', points: 0, walletId: null },
      revision: 'late_match',
      because: 'the consumer has become known',
    },
    {
      says: { refundedMinorUnits: 1001 },
      knows: { outcome: 'no_rule_no_credit', points: 0, walletId: null },
      revision: 'note',
      because: 'it earned nothing',
    },
    {
      says: { refundedMinorUnits: 1001 },
      knows: { refundedMinorUnits: 1001, outcome: 'no_rule_no_credit', points: 0, walletId: null },
      revision: null,
      because: 'it earned nothing, and is known to be refunded',
    },
  ] as const)('returns $revision because $because', ({ says, knows, revision }) => {
    const found = revisionOf(aPayment(says), aKnownPayment(knows), facts(), 'reverse');
    expect(found?.kind ?? null).toBe(revision);
  });

  it('returns what is refunded when there is still no consumer or refunds are ignored', () => {
    const anonymous = aKnownPayment({ outcome: 'stored_anonymous', points: 0, walletId: null });
    expect(revisionOf(aPayment(), anonymous, facts(nobody), 'reverse')).toBeNull();
    const refunded = aPayment({ refundedMinorUnits: 1001 });
    const noted = { kind: 'note', isSameSum: false, sum: { minorUnits: 1001 } };
    expect(revisionOf(refunded, anonymous, facts(nobody), 'reverse')).toMatchObject(noted);
    expect(revisionOf(refunded, aKnownPayment(), facts(), 'ignore')).toMatchObject(noted);
  });

  it('returns what is left to credit when the consumer becomes known after a refund', () => {
    const anonymous = aKnownPayment({ outcome: 'stored_anonymous', points: 0, walletId: null });
    const refunded = { refundedMinorUnits: 500, refundedAsOfMs: after.getTime() };
    const known = { ...anonymous, ...refunded };
    expect(revisionOf(aPayment(), known, facts(), 'reverse')).toMatchObject({
      kind: 'late_match',
      decision: { points: 500, reversal: { points: 249 } },
      sum: { minorUnits: 500, asOfMs: after.getTime() },
    });
  });
});
