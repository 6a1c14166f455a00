export const PROVIDERS = ['alpha', 'beta'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Only a settled payment earns; a pending one may still settle, a failed one never will. */
export type PaymentState = 'settled' | 'pending' | 'failed';

/** A payment in our own words, whichever provider told us and in whichever way. */
export type NormalizedPayment = {
  provider: Provider;
  providerPaymentId: string;
  state: PaymentState;
  /** What was paid, without the tip: the basis of what is earned. */
  amountMinorUnits: number;
  tipMinorUnits: number;
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
