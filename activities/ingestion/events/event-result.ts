import type { EventResult } from '../../../db/payments/batch-write.ts';
import type { EventId, PaymentId, TenantId } from '../../../domain/ids.ts';
import { OUTCOMES } from '../../../domain/outcomes.ts';
import type { Outcome, PaymentReport } from '../decide/payment-report.ts';

/** A webhook event and the payments it reports. */
export type EventReports = {
  id: EventId;
  tenantId: TenantId;
  reports: readonly PaymentReport[];
  /** Whether these are all; an event with missing reports stays open. */
  isComplete: boolean;
};

/**
 * The result with which an event is closed, or null while a report of it is missing or undecided.
 * `newPayments` names the payments that the same statement stores for these reports.
 */
export function resultOfEvent(
  { id: eventId, tenantId, reports, isComplete }: EventReports,
  outcomes: ReadonlyMap<PaymentReport, Outcome>,
  newPayments: ReadonlyMap<PaymentReport, PaymentId> = new Map(),
): EventResult | null {
  const decided = reports.flatMap((report) => {
    const outcome = outcomes.get(report);
    return outcome?.kind === 'decided' ? [outcome] : [];
  });
  if (!isComplete || decided.length < reports.length) return null;
  const [main] = decided.sort(
    (one, other) => OUTCOMES[other.outcome].weight - OUTCOMES[one.outcome].weight,
  );
  if (main === undefined) return null;
  const { outcome, reason, paymentId } = main;
  const awaits = [...new Set(reports.flatMap((report) => newPayments.get(report) ?? []))];
  const providerPaymentId = null;
  return { eventId, tenantId, outcome, reason, paymentId, providerPaymentId, awaits };
}
