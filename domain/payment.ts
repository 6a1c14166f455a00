export const PROVIDERS = ['alpha', 'beta'] as const;
export type Provider = (typeof PROVIDERS)[number];

/**
 * Only a settled payment earns. A pending one may still settle, a failed one never will, and a
 * voided one was settled before it was cancelled in full.
 */
export type PaymentState = 'settled' | 'pending' | 'failed' | 'voided';

/** A payment in the service's terms, whichever provider reported it and in whichever way. */
export type NormalizedPayment = {
  provider: Provider;
  providerPaymentId: string;
  state: PaymentState;
  /** The amount paid without the tip: the basis of the points. */
  amountMinorUnits: number;
  tipMinorUnits: number;
  /** The sum of all refunds so far, which may include the tip. */
  refundedMinorUnits: number;
  /** ISO 4217. */
  currency: string;
  occurredAt: Date;
  /** When the provider last changed it; orders two reports of one payment. */
  changedAt: Date;
  locationId: string | null;
  providerCustomerId: string | null;
  /** As the provider sent them; normalised before they are compared. */
  email: string | null;
  phone: string | null;
};
