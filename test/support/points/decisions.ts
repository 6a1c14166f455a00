import fc from 'fast-check';
import { UserId } from '../../../domain/ids.ts';
import { type DecisionRecord, decide, type Facts } from '../../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import { REVERSAL_CAUSES, type Reversal } from '../../../domain/refund.ts';
import { ROUNDING_POLICIES } from '../../../domain/reward-rule.ts';

const ada = UserId.parse('00000000-0000-4000-8000-00000000000a');
const bob = UserId.parse('00000000-0000-4000-8000-00000000000b');

/** A payment's amounts: ordinary ones, the edges, and more than a number can multiply exactly. */
const amounts = fc.oneof(fc.nat(3000), fc.constantFrom(0, 1, 99, 100, 2 ** 31, 2 ** 53 - 1));
const currencies = fc.constantFrom('EUR', 'JPY');

export type Sale = Pick<
  NormalizedPayment,
  'amountMinorUnits' | 'tipMinorUnits' | 'refundedMinorUnits' | 'currency' | 'email' | 'phone'
>;
/** Whom a sale may belong to, and what its tenant is. */
export type People = Pick<
  Facts,
  'userByEmail' | 'userByPhone' | 'currency' | 'isSuspended' | 'isBeforeConnection'
>;

export const sales: fc.Arbitrary<Sale> = fc.record({
  amountMinorUnits: amounts,
  tipMinorUnits: fc.constantFrom(0, 150),
  refundedMinorUnits: fc.oneof(fc.constant(0), fc.nat(4000)),
  currency: currencies,
  email: fc.constantFrom(null, 'ada@example.com'),
  phone: fc.constantFrom(null, '+4915112345678'),
});

export const people: fc.Arbitrary<People> = fc.record({
  userByEmail: fc.constantFrom(null, ada),
  userByPhone: fc.constantFrom(null, ada, bob),
  currency: fc.option(currencies),
  isSuspended: fc.constantFrom(false, false, false, false, true),
  isBeforeConnection: fc.nat(9).map((nth) => nth === 0),
});

/** Terms that let a payment earn nothing for every reason there is, and more than any may earn. */
export const rules = fc.record({
  conversionRate: fc.constantFrom(1, 0.1, 0.000001, 2.345678, 1_000_000),
  minSpendMinorUnits: fc.constantFrom(0, 100, 2000),
  maxPointsPerTransaction: fc.constantFrom(null, 0, 50, 2 ** 31 - 1),
  roundingPolicy: fc.constantFrom(...ROUNDING_POLICIES),
});

const signed = fc.integer({ min: -500, max: 500 });
export const reversals: fc.Arbitrary<Reversal[]> = fc.array(
  fc.record({
    outcome: fc.constant('refund_reversed' as const),
    cause: fc.constantFrom(...REVERSAL_CAUSES),
    refundedMinorUnits: fc.nat(5000),
    target: fc.nat(500),
    points: signed,
    owed: signed,
    writtenOff: signed,
  }),
  { maxLength: 4 },
);

const at = new Date('2026-01-15T10:00:00Z');

const aSale = (sale: Sale): NormalizedPayment => ({
  provider: 'alpha',
  providerPaymentId: 'P1',
  state: 'settled',
  occurredAt: at,
  changedAt: at,
  locationId: null,
  providerCustomerId: null,
  ...sale,
});

/** Decides as the service does: whoever is recognised has a contact that the payment named. */
export function decideSale(
  sale: Sale,
  { userByEmail, userByPhone, ...known }: People,
  { rule, isLate }: { rule: Facts['rule']; isLate: boolean },
) {
  const payment = aSale(sale);
  const facts = {
    userByEmail: sale.email === null ? null : userByEmail,
    userByPhone: sale.phone === null ? null : userByPhone,
    rule,
    ...known,
  };
  const decision = decide(payment, facts, 'reverse');
  const match = { ...decision.record.match, late: isLate && decision.record.match.by !== null };
  const record: DecisionRecord = { ...decision.record, match };
  return { payment, decision: { ...decision, record } };
}
