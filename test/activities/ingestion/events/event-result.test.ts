import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type {
  Outcome,
  PaymentReport,
} from '../../../../activities/ingestion/decide/payment-report.ts';
import {
  type EventReports,
  resultOfEvent,
} from '../../../../activities/ingestion/events/event-result.ts';
import { EventId, PaymentId, TenantId } from '../../../../domain/ids.ts';
import { EVENT_OUTCOMES, type EventOutcome } from '../../../../domain/outcomes.ts';

const tenantId = TenantId.parse(randomUUID());

function aReport(): PaymentReport {
  const payment = {
    provider: 'beta',
    providerPaymentId: randomUUID(),
    state: 'settled',
    amountMinorUnits: 100,
    tipMinorUnits: 0,
    refundedMinorUnits: 0,
    currency: 'EUR',
    occurredAt: new Date(0),
    changedAt: new Date(0),
    locationId: null,
    providerCustomerId: null,
    email: null,
    phone: null,
  } as const;
  return { tenantId, payment, isResolved: true };
}

function decided(outcome: EventOutcome): Outcome {
  const paymentId = PaymentId.parse(randomUUID());
  return { kind: 'decided', outcome, reason: null, paymentId, points: 0 };
}

/** An event with one report per outcome; a report is undecided if its outcome is undefined. */
function anEvent(outcomes: readonly (Outcome | undefined)[], isComplete = true) {
  const reports = outcomes.map(aReport);
  const event: EventReports = { id: EventId.parse(randomUUID()), tenantId, reports, isComplete };
  const known = new Map<PaymentReport, Outcome>();
  reports.forEach((report, index) => {
    const outcome = outcomes[index];
    if (outcome !== undefined) known.set(report, outcome);
  });
  return { event, known };
}

describe('resultOfEvent', () => {
  it.each([
    { outcomes: ['duplicate', 'credited'], stands: 'credited' },
    { outcomes: ['stored_anonymous', 'refund_reversed'], stands: 'refund_reversed' },
    { outcomes: ['duplicate', 'stored_anonymous'], stands: 'stored_anonymous' },
    { outcomes: ['no_rule_no_credit', 'duplicate'], stands: 'no_rule_no_credit' },
  ] as const)('returns $stands when the outcomes are $outcomes', ({ outcomes, stands }) => {
    const { event, known } = anEvent(outcomes.map(decided));
    expect(resultOfEvent(event, known)).toMatchObject({ eventId: event.id, outcome: stands });
  });

  it.each(EVENT_OUTCOMES)('closes an event whose only payment has the outcome %s', (outcome) => {
    const { event, known } = anEvent([decided(outcome)]);
    expect(resultOfEvent(event, known)).toMatchObject({ eventId: event.id, outcome });
  });

  it.each([
    { rest: undefined, because: 'a report is undecided' },
    { rest: { kind: 'ask' }, because: 'a customer has to be fetched' },
    { rest: { kind: 'revise' }, because: 'a stored payment has to be revised' },
    { rest: { kind: 'failed', error: 'x' }, because: 'a report failed' },
  ] as const)('returns null when $because', ({ rest }) => {
    const { event, known } = anEvent([decided('credited'), rest]);
    expect(resultOfEvent(event, known)).toBeNull();
  });

  it('returns null when reports of the event are missing', () => {
    const { event, known } = anEvent([decided('credited')], false);
    expect(resultOfEvent(event, known)).toBeNull();
  });

  it('awaits each new payment once', () => {
    const { event, known } = anEvent([decided('credited'), decided('duplicate')]);
    const id = PaymentId.parse(randomUUID());
    const newPayments = new Map(event.reports.map((report) => [report, id]));
    expect(resultOfEvent(event, known, newPayments)?.awaits).toEqual([id]);
  });
});
