import type { RefundPolicy } from './refund.ts';

/** The providers. What each of them is like is in `gateways/providers/`. */
export const PROVIDERS = ['alpha', 'beta'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** The providers whose payments are also listed from time to time. */
export const POLLED_PROVIDERS = ['alpha'] as const satisfies readonly Provider[];
export type PolledProvider = (typeof POLLED_PROVIDERS)[number];

/** Of which providers the truth report brings in what is missing: the polled one, both, or none. */
export const TRUTH_REPAIRS = [...POLLED_PROVIDERS, 'both', 'none'] as const;
export type TruthRepairs = (typeof TRUTH_REPAIRS)[number];

/** The providers that can be told to end our access to an account. */
export const REVOKING_PROVIDERS = ['alpha'] as const satisfies readonly Provider[];

/** Whether the payments of a provider are also listed. */
export function isPolled(provider: Provider): provider is PolledProvider {
  return POLLED_PROVIDERS.some((name) => name === provider);
}

/** The others, of which webhooks alone tell. */
export const UNPOLLED_PROVIDERS = PROVIDERS.filter((provider) => !isPolled(provider));

/** Makes something for each provider. */
export function byProvider<T>(make: (provider: Provider) => T): Record<Provider, T> {
  const made: Partial<Record<Provider, T>> = {};
  for (const provider of PROVIDERS) made[provider] = make(provider);
  if (!isWhole(made)) throw new Error('A provider is missing.');
  return made;
}

function isWhole<T>(made: Partial<Record<Provider, T>>): made is Record<Provider, T> {
  return PROVIDERS.every((provider) => provider in made);
}

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

/**
 * The settled form of a report, or null when there is nothing to ingest. A voided payment was
 * settled and then returned in full, so it counts as refunded where refunds are reversed. Of what
 * was refunded only the amount counts: more than that is of the tip, which is no part of it.
 */
export function settled(
  payment: NormalizedPayment,
  refunds: RefundPolicy,
): NormalizedPayment | null {
  const { state, amountMinorUnits: paid, refundedMinorUnits: refunded } = payment;
  if (state === 'settled') return { ...payment, refundedMinorUnits: Math.min(refunded, paid) };
  if (state !== 'voided' || refunds === 'ignore') return null;
  return { ...payment, state: 'settled', refundedMinorUnits: paid };
}
