import { randomUUID } from 'node:crypto';
import type { NormalizedPayment } from '../../../domain/payment.ts';

/** When sales are made, of which a test says no other time. */
export const SOLD_AT = new Date('2026-01-15T10:00:00Z');

/** A settled sale of a dollar, at alpha, as its provider reports it; it names no customer. */
export function aSale(some: Partial<NormalizedPayment> = {}): NormalizedPayment {
  return {
    provider: 'alpha',
    providerPaymentId: randomUUID(),
    state: 'settled',
    currency: 'USD',
    amountMinorUnits: 100,
    tipMinorUnits: 0,
    refundedMinorUnits: 0,
    occurredAt: SOLD_AT,
    changedAt: SOLD_AT,
    locationId: null,
    providerCustomerId: null,
    email: null,
    phone: null,
    ...some,
  };
}
