import { expect, it } from 'vitest';
import type { NormalizedPayment } from '../../domain/payment.ts';
import { settled } from '../../domain/payment.ts';

const payment = (some: Partial<NormalizedPayment> = {}): NormalizedPayment => ({
  provider: 'alpha',
  providerPaymentId: 'P1',
  state: 'settled',
  amountMinorUnits: 1001,
  tipMinorUnits: 0,
  refundedMinorUnits: 0,
  currency: 'EUR',
  occurredAt: new Date('2026-01-15T10:00:00Z'),
  changedAt: new Date('2026-01-15T10:00:02Z'),
  locationId: null,
  providerCustomerId: null,
  email: null,
  phone: null,
  ...some,
});

it('returns settled payments, voided ones as fully refunded, and null for others', () => {
  const of = (state: NormalizedPayment['state']) => settled(payment({ state }), 'reverse');
  expect(of('settled')).toEqual(payment());
  expect(of('voided')).toEqual(payment({ refundedMinorUnits: 1001 }));
  expect(settled(payment({ state: 'voided' }), 'ignore')).toBeNull();
  expect([of('pending'), of('failed')]).toEqual([null, null]);
});

it('counts of what was refunded no more than the amount: the rest is of the tip', () => {
  const tipped = payment({ tipMinorUnits: 150, refundedMinorUnits: 1151 });
  expect(settled(tipped, 'reverse')?.refundedMinorUnits).toBe(1001);
  expect(settled(tipped, 'ignore')?.refundedMinorUnits).toBe(1001);
});
