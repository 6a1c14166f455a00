import { describe, expect, it } from 'vitest';
import { UserId } from '../../domain/ids.ts';
import { decide, type Facts } from '../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';

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
  isKnown: false,
  userByEmail: ada,
  userByPhone: null,
  rule,
  ...some,
});

const noContacts = { email: null, phone: null };
const nobody = { userByEmail: null };

describe('decide', () => {
  it.each([
    { outcome: 'duplicate', reason: null, knows: { isKnown: true }, because: 'it came before' },
    {
      outcome: 'duplicate',
      reason: null,
      knows: { isKnown: true, rule: null, ...nobody },
      pays: noContacts,
      because: 'that comes before everything else',
    },
    {
      outcome: 'stored_anonymous',
      reason: 'no_match',
      knows: nobody,
      because: 'nobody has these contacts',
    },
    {
      outcome: 'stored_anonymous',
      reason: 'no_match',
      knows: nobody,
      pays: { email: null },
      because: 'nobody has this phone',
    },
    {
      outcome: 'stored_anonymous',
      reason: 'no_match',
      knows: nobody,
      pays: { phone: null },
      because: 'nobody has this e-mail',
    },
    {
      outcome: 'stored_anonymous',
      reason: 'no_contacts',
      knows: nobody,
      pays: noContacts,
      because: 'it names nobody',
    },
    {
      outcome: 'stored_anonymous',
      reason: 'no_match',
      knows: { ...nobody, rule: null },
      because: 'that comes before the rule',
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
      because: 'that comes before the amount',
    },
    {
      outcome: 'credited',
      reason: null,
      user: ada,
      version: 3,
      points: 500,
      because: 'half of 1001, without the tip',
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
      because: 'the e-mail decides',
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
      because: 'the tip does not count towards it',
    },
    {
      outcome: 'credited',
      reason: 'rounded_to_zero',
      pays: { amountMinorUnits: 1 },
      knows: { rule: { ...rule, minSpendMinorUnits: 0 } },
      user: ada,
      version: 3,
      because: 'half a point is none',
    },
    {
      outcome: 'credited',
      reason: 'capped_to_zero',
      knows: { rule: { ...rule, maxPointsPerTransaction: 0 } },
      user: ada,
      version: 3,
      because: 'the cap is nothing',
    },
  ] as const)('$outcome ($reason): $because', (row) => {
    const { outcome, reason, because, ...rest } = row;
    const {
      pays = {},
      knows = {},
      user = null,
      version = null,
      points = 0,
    } = { ...optional, ...rest };
    expect(decide(aPayment(pays), facts(knows))).toMatchObject({
      ...{ outcome, reason, userId: user, ruleVersion: version, points },
    });
  });

  const optional: {
    pays?: Partial<NormalizedPayment>;
    knows?: Partial<Facts>;
    user?: UserId;
    version?: number;
    points?: number;
  } = {};

  it('records what the decision was made of', () => {
    const { record } = decide(aPayment(), facts({ userByPhone: bob }));
    expect(record).toEqual({
      amountMinorUnits: 1001,
      tipMinorUnits: 150,
      currency: 'EUR',
      contacts: { email: true, phone: true },
      match: { by: 'email', conflict: true },
      rule,
      earning: { points: 500, exact: '500.5', rounded: 500, zeroReason: null },
    });
  });

  it('records what was known when nothing was credited', () => {
    const anonymous = decide(aPayment({ email: null }), facts(nobody)).record;
    expect(anonymous).toMatchObject({
      contacts: { email: false, phone: true },
      match: { by: null, conflict: false },
      ...{ rule, earning: null },
    });
    expect(decide(aPayment(), facts({ rule: null })).record).toMatchObject({
      ...{ match: { by: 'email' }, rule: null, earning: null },
    });
  });

  it.each([facts(), facts(nobody), facts({ isKnown: true }), facts({ rule: null })])(
    'never records a contact or a person',
    (known) => {
      const record = JSON.stringify(decide(aPayment(), known).record);
      expect(record).not.toMatch(/ada@example|41446681800|C1/);
      expect(record).not.toContain(ada);
    },
  );
});
