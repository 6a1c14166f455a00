import type { EventId, PaymentId, TenantId, UserId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { EventOutcome, IngestionOutcome, NormalizedPayment } from '../../domain/payment.ts';
import { type Tx, withKeptPlan } from '../connection.ts';
import { CLOSING } from '../events/closing.ts';
import { POSTING } from '../ledger/postings.ts';

export type NewPayment = NormalizedPayment & {
  id: PaymentId;
  tenantId: TenantId;
  outcome: IngestionOutcome;
  reason: string | null;
  userId: UserId | null;
  ruleVersion: number | null;
  points: number;
  pointsReversed: number;
  /** The provider's time of the newest report that confirms the refunded sum. */
  refundedAsOf: Date;
  decision: DecisionRecord;
  /** Identifies an anonymous payment when its consumer signs up. */
  emailFingerprint: Buffer | null;
  phoneFingerprint: Buffer | null;
};

/** How an event ends, once all of the payments it `awaits` are stored. */
export type EventResult = {
  eventId: EventId;
  tenantId: TenantId;
  outcome: EventOutcome;
  reason: string | null;
  paymentId: PaymentId | null;
  awaits: PaymentId[];
};

/**
 * Stores payments, credits their wallets, reverses points that were refunded before, and closes
 * events, in one statement. Wallets to be credited must exist; a payment that credits nothing names
 * no wallet, even if there is one.
 *
 * Returns what was stored and closed. A payment that is missing lost a race: another transaction
 * stored it first, so its decision no longer holds and must be made again, and the events that
 * await it stay open.
 */
export async function storeBatch(
  tx: Tx,
  payments: readonly NewPayment[],
  results: readonly EventResult[],
): Promise<{ stored: Set<PaymentId>; closed: Set<EventId> }> {
  const writing = tx.raw<{ rows: { paymentId: PaymentId | null; eventId: EventId | null }[] }>(
    WRITE,
    {
      payments: JSON.stringify(payments.map(paymentColumns)),
      results: JSON.stringify(results.map(resultColumns)),
    },
  );
  const { rows } = await withKeptPlan(writing, 'ingestion-write');
  const stored = new Set(rows.flatMap((row) => row.paymentId ?? []));
  const closed = new Set(rows.flatMap((row) => row.eventId ?? []));
  return { stored, closed };
}

const WRITE = `
  with recursive payment as (
    select * from rows from (jsonb_to_recordset(:payments) as (
      payment_id uuid, tenant_id uuid, provider text, provider_payment_id text,
      provider_customer_id text, location_id text, amount_minor_units bigint,
      tip_minor_units bigint, refunded_minor_units bigint, refunded_as_of timestamptz,
      currency text, occurred_at timestamptz, changed_at timestamptz, outcome text, reason text,
      points bigint, points_reversed bigint, user_id uuid, rule_version integer, decision jsonb,
      email_fingerprint bytea, phone_fingerprint bytea
    )) with ordinality
    as p(payment_id, tenant_id, provider, provider_payment_id, provider_customer_id, location_id,
      amount_minor_units, tip_minor_units, refunded_minor_units, refunded_as_of, currency,
      occurred_at, changed_at, outcome, reason, points, points_reversed, user_id, rule_version,
      decision, email_fingerprint, phone_fingerprint, nth)
  ),
  result as (
    select * from jsonb_to_recordset(:results) as c(event_id uuid, tenant_id uuid, outcome text,
      reason text, payment_id uuid, awaits uuid[])
  ),
  stored as (
    insert into payments (id, tenant_id, provider, provider_payment_id, provider_customer_id,
      location_id, amount_minor_units, tip_minor_units, refunded_minor_units, refunded_as_of,
      currency, occurred_at, changed_at, outcome, outcome_reason, points_awarded, points_reversed,
      user_id, wallet_id, rule_version, decision, email_fingerprint, phone_fingerprint)
    select p.payment_id, p.tenant_id, p.provider, p.provider_payment_id, p.provider_customer_id,
      p.location_id, p.amount_minor_units, p.tip_minor_units, p.refunded_minor_units,
      p.refunded_as_of, p.currency, p.occurred_at, p.changed_at, p.outcome, p.reason, p.points,
      p.points_reversed, p.user_id, w.id, p.rule_version, p.decision, p.email_fingerprint,
      p.phone_fingerprint
    from payment p
    left join lateral (
      select id from wallets
      where p.points > 0 and user_id = p.user_id and tenant_id = p.tenant_id limit 1
    ) w on true
    order by p.tenant_id, p.provider, p.provider_payment_id
    on conflict on constraint payments_once_per_provider do nothing
    returning id, wallet_id, points_awarded, points_reversed
  ),
  entry as (
    select s.wallet_id, m.entry_type, m.points, m.reason, 'payment' as source_type,
      s.id as source_id, 2 * p.nth + m.step as nth
    from stored s join payment p on p.payment_id = s.id
    cross join lateral (values (0, 'credit', s.points_awarded, 'purchase'),
      (1, 'debit', s.points_reversed, 'payment_refunded')) as m(step, entry_type, points, reason)
    where m.points > 0
  ), ${POSTING},
  ${CLOSING}
  select id as payment_id, null::uuid as event_id from stored
  union all select null, id from closed`;

function paymentColumns(payment: NewPayment) {
  return {
    payment_id: payment.id,
    tenant_id: payment.tenantId,
    provider: payment.provider,
    provider_payment_id: payment.providerPaymentId,
    provider_customer_id: payment.providerCustomerId,
    location_id: payment.locationId,
    amount_minor_units: payment.amountMinorUnits,
    tip_minor_units: payment.tipMinorUnits,
    refunded_minor_units: payment.refundedMinorUnits,
    refunded_as_of: payment.refundedAsOf,
    currency: payment.currency,
    occurred_at: payment.occurredAt,
    changed_at: payment.changedAt,
    outcome: payment.outcome,
    reason: payment.reason,
    points: payment.points,
    points_reversed: payment.pointsReversed,
    user_id: payment.userId,
    rule_version: payment.ruleVersion,
    decision: payment.decision,
    email_fingerprint: hex(payment.emailFingerprint),
    phone_fingerprint: hex(payment.phoneFingerprint),
  };
}

function resultColumns({ eventId, tenantId, paymentId, ...rest }: EventResult) {
  return { ...rest, event_id: eventId, tenant_id: tenantId, payment_id: paymentId };
}

function hex(bytes: Buffer | null): string | null {
  return bytes === null ? null : `\\x${bytes.toString('hex')}`;
}
