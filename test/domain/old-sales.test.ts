import { expect, it } from 'vitest';
import { UserId } from '../../domain/ids.ts';
import { decide, type Facts } from '../../domain/ingestion.ts';
import { explainPayment } from '../../domain/texts/explanation.ts';

const ada = UserId.parse('00000000-0000-4000-8000-00000000000a');
const at = new Date('2026-01-15T10:00:00Z');
const sale = {
  provider: 'alpha',
  providerPaymentId: 'P1',
  state: 'settled',
  amountMinorUnits: 1000,
  tipMinorUnits: 0,
  refundedMinorUnits: 1000,
  currency: 'EUR',
  occurredAt: at,
  changedAt: at,
  locationId: null,
  providerCustomerId: null,
  email: 'ada@example.com',
  phone: null,
} as const;
const rule = {
  version: 3,
  conversionRate: '1',
  minSpendMinorUnits: 0,
  maxPointsPerTransaction: null,
  roundingPolicy: 'floor',
} as const;
const facts: Omit<Facts, 'known'> = {
  userByEmail: ada,
  userByPhone: null,
  rule,
  currency: 'JPY',
  isSuspended: false,
  isBeforeConnection: true,
};

it.each([
  { some: {}, outcome: 'credited', reason: 'before_connection', userId: null },
  { some: { rule: null }, outcome: 'no_rule_no_credit', reason: 'no_rule', userId: ada },
  { some: { isSuspended: true }, reason: 'tenant_suspended', userId: ada },
  { some: { userByEmail: null }, outcome: 'stored_anonymous', reason: 'no_match', userId: null },
])('a sale from before the connection is $reason with $some', ({ some, ...expected }) => {
  const decision = decide(sale, { ...facts, ...some }, 'reverse');
  expect(decision).toMatchObject({ ...expected, points: 0, reversal: null });
  expect(decision.record).toMatchObject({ isBeforeConnection: true, earning: null });
});

it('says in words why it earned nothing', () => {
  const { points, record } = decide(sale, facts, 'reverse');
  const decided = { outcome: 'credited', reason: 'before_connection', points, record } as const;
  expect(explainPayment(decided, 'merchant').summary).toBe(
    'Nothing was credited: this sale was made before the shop collected points here.',
  );
});
