import type { NewPayment } from '../../../db/payments/batch-write.ts';
import type { PaymentKey } from '../../../db/payments/facts.ts';
import type { PaymentId, TenantId, UserId } from '../../../domain/ids.ts';
import type { KnownPayment } from '../../../domain/ingestion.ts';
import { normaliseEmail } from '../../../domain/matching.ts';
import type { EventOutcome } from '../../../domain/outcomes.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import type { IngestedPayment } from '../../../gateways/telemetry/metrics-work.ts';

/** What a provider says of one settled payment, in a webhook event or in a list. */
export type PaymentReport = {
  /** The tenant that had the account when the sale was made, or else the one that reports it. */
  tenantId: TenantId;
  payment: NormalizedPayment;
  /** Whether the customer was fetched already: if contacts are missing then, they stay missing. */
  isResolved: boolean;
  /** The id that its payment gets if it is stored by this report; by default a new one. */
  newPaymentId?: PaymentId | undefined;
  /** The sale was made before its tenant had the account. */
  isBeforeConnection?: boolean;
  /** The tenant whose account reports it, where that is not sure to be the sale's own. */
  reportedBy?: TenantId;
};

export type Decided = {
  kind: 'decided';
  outcome: EventOutcome;
  reason: string | null;
  paymentId: PaymentId;
  points: number;
  /** Whose balance it has changed; absent when it has changed none. */
  changed?: UserId;
};

/** An outcome that needs no further step in this batch. */
export type FinalOutcome =
  | Decided
  /** It names a customer but no contact: the provider has to be asked. */
  | { kind: 'ask' }
  /** Its event was closed by another transaction, which counts it. */
  | { kind: 'closed_elsewhere' }
  | { kind: 'failed'; error: string }
  /** Another transaction holds its wallet or its payment: it is left for the next attempt. */
  | { kind: 'held' };

/** The outcome of a report, or the step that is still to be taken. */
export type Outcome =
  | FinalOutcome
  /** It changes a stored payment, in a transaction after this one. */
  | { kind: 'revise' };

/** Whose balances a transaction with these outcomes has changed. */
export function changedBy(outcomes: Iterable<Outcome>): { userIds: UserId[] } {
  const userIds = [...outcomes].flatMap((outcome) =>
    outcome.kind === 'decided' ? (outcome.changed ?? []) : [],
  );
  return { userIds };
}

/** The outcome of a report that changes nothing. */
export function duplicateOf(paymentId: PaymentId): Decided {
  return { kind: 'decided', outcome: 'duplicate', reason: null, paymentId, points: 0 };
}

/** By what the payment of a report is found. */
export function keyOf({ tenantId, payment }: PaymentReport): PaymentKey {
  return {
    tenantId,
    provider: payment.provider,
    providerPaymentId: payment.providerPaymentId,
  };
}

/** A payment as it will be known once it is stored. */
export function knownAs(payment: NewPayment): KnownPayment {
  const { id, outcome, amountMinorUnits, refundedMinorUnits, points, pointsReversed } = payment;
  return {
    id,
    outcome,
    amountMinorUnits,
    refundedMinorUnits,
    refundedAsOfMs: payment.refundedAsOf.getTime(),
    points,
    pointsReversed,
    pointsOwed: 0,
    pointsWrittenOff: 0,
    pointsAbsorbed: 0,
    reversals: null,
    walletId: null,
    contacts: {
      email: payment.emailFingerprint !== null,
      phone: payment.phoneFingerprint !== null,
    },
    hasCustomer: payment.providerCustomerId !== null,
    isBeforeConnection: payment.decision.isBeforeConnection ?? false,
  };
}

/** Whether the payment carries nothing that its customer could be recognised by. */
export function hasNoContact(payment: NormalizedPayment): boolean {
  return normaliseEmail(payment.email) === null && payment.phone === null;
}

/** A decided report as the metrics count it; without a delivery time. */
export function ingestedPayment(
  { payment: { provider, occurredAt } }: Pick<PaymentReport, 'payment'>,
  { outcome, points }: Pick<IngestedPayment, 'outcome' | 'points'>,
): IngestedPayment {
  return { provider, outcome, points, occurredAt, receivedAt: null };
}
