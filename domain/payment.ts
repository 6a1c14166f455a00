export const PROVIDERS = ['alpha', 'beta'] as const;
export type Provider = (typeof PROVIDERS)[number];

/**
 * Only a settled payment earns; a pending one may still settle, a failed one never will, and a
 * voided one was settled until it was taken back as a whole.
 */
export type PaymentState = 'settled' | 'pending' | 'failed' | 'voided';

/** A payment in our own words, whichever provider told us and in whichever way. */
export type NormalizedPayment = {
  provider: Provider;
  providerPaymentId: string;
  state: PaymentState;
  /** What was paid, without the tip: the basis of what is earned. */
  amountMinorUnits: number;
  tipMinorUnits: number;
  /** All that was given back so far, which may include the tip. */
  refundedMinorUnits: number;
  /** ISO 4217. */
  currency: string;
  occurredAt: Date;
  /** When the provider last changed it; orders two reports of one payment. */
  changedAt: Date;
  locationId: string | null;
  providerCustomerId: string | null;
  /** As the provider wrote them; normalised before they are compared. */
  email: string | null;
  phone: string | null;
};

export const INGESTION_OUTCOMES = [
  'credited',
  'stored_anonymous',
  'duplicate',
  'no_rule_no_credit',
] as const;
export type IngestionOutcome = (typeof INGESTION_OUTCOMES)[number];

/** What may become of a delivered event: what became of its payment, or a change to an older one. */
export const EVENT_OUTCOMES = [...INGESTION_OUTCOMES, 'refund_reversed', 'ignored'] as const;
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];
