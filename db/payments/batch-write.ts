import type { EventId, PaymentId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { EventOutcome, IngestionOutcome } from '../../domain/outcomes.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { Tx } from '../connection.ts';
import { CLOSING } from '../events/closing.ts';
import { keptStatement } from '../kept-statement.ts';
import { POSTING } from '../ledger/postings.ts';
import { newIds } from '../new-id.ts';
import { TELL_POINTS_TO_GIVEN } from '../outgoing/events.ts';
import { decisionColumns } from './decisions.ts';

export type NewPayment = NormalizedPayment & {
  id: PaymentId;
  tenantId: TenantId;
  outcome: IngestionOutcome;
  reason: string | null;
  userId: UserId | null;
  /** The consumer's wallet, if the transaction has read it; else it is looked up. */
  walletId: WalletId | null;
  /** Whether the tenant's own systems are told of its points. */
  isTold: boolean;
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
 * Stores payments, credits their wallets, reverses points that were refunded before, tells tenants
 * of both, and closes events, in one statement. Wallets to be credited must exist; a payment that
 * credits nothing names no wallet, even if there is one. Credits of one wallet follow the ids of
 * their payments.
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
  const entries = payments.reduce((sum, each) => sum + (each.pointsReversed > 0 ? 2 : 1), 0);
  const toldTenants = payments.flatMap((each) =>
    each.isTold && each.points > 0 ? each.tenantId : [],
  );
  const values = {
    ...paymentColumns(payments),
    ...resultColumns(results),
    entryIds: newIds(entries),
  };
  const rows =
    toldTenants.length === 0
      ? await write(tx, values)
      : await writeAndTell(tx, { ...values, toldTenants: [...new Set(toldTenants)] });
  const stored = new Set(payments.map(({ id }) => id));
  const closed = new Set(results.map(({ eventId }) => eventId));
  for (const { lostPayment, openEvent } of rows) {
    if (lostPayment !== null) stored.delete(lostPayment);
    if (openEvent !== null) closed.delete(openEvent);
  }
  return { stored, closed };
}

type Missing = { lostPayment: PaymentId | null; openEvent: EventId | null };

// It returns what is missing, since mostly nothing is.
const writing = (further: string) => `
  with recursive payment as (
    select * from unnest(:ids::uuid[], :tenantIds::uuid[], :providers::text[],
      :providerPaymentIds::text[], :providerCustomerIds::text[], :locationIds::text[],
      :amounts::bigint[], :tips::bigint[], :refunds::bigint[], :refundedAsOfs::timestamptz[],
      :currencies::text[], :occurredAts::timestamptz[], :changedAts::timestamptz[],
      :outcomes::text[], :reasons::text[], :points::bigint[], :pointsReversed::bigint[],
      :userIds::uuid[], :walletIds::uuid[], :ruleVersions::integer[], :decisions::jsonb[],
      :decisionFacts::smallint[], :rulesInEffect::integer[], :emailFingerprints::bytea[],
      :phoneFingerprints::bytea[])
    as p(payment_id, tenant_id, provider, provider_payment_id, provider_customer_id, location_id,
      amount_minor_units, tip_minor_units, refunded_minor_units, refunded_as_of, currency,
      occurred_at, changed_at, outcome, reason, points, points_reversed, user_id, wallet_id,
      rule_version, decision, decision_facts, rule_in_effect, email_fingerprint, phone_fingerprint)
  ),
  result as (
    select event_id, tenant_id, outcome, reason, payment_id, awaits::uuid[] as awaits
    from unnest(:eventIds::uuid[], :eventTenantIds::uuid[], :eventOutcomes::text[],
      :eventReasons::text[], :eventPaymentIds::uuid[], :awaits::text[])
    as r(event_id, tenant_id, outcome, reason, payment_id, awaits)
  ),
  stored as (
    insert into payments (id, tenant_id, provider, provider_payment_id, provider_customer_id,
      location_id, amount_minor_units, tip_minor_units, refunded_minor_units, refunded_as_of,
      currency, occurred_at, changed_at, outcome, outcome_reason, points_awarded, points_reversed,
      user_id, wallet_id, rule_version, decision, decision_facts, rule_in_effect,
      email_fingerprint, phone_fingerprint)
    select p.payment_id, p.tenant_id, p.provider, p.provider_payment_id, p.provider_customer_id,
      p.location_id, p.amount_minor_units, p.tip_minor_units, p.refunded_minor_units,
      p.refunded_as_of, p.currency, p.occurred_at, p.changed_at, p.outcome, p.reason, p.points,
      p.points_reversed, p.user_id, coalesce(p.wallet_id, w.id), p.rule_version, p.decision,
      p.decision_facts, p.rule_in_effect, p.email_fingerprint, p.phone_fingerprint
    from payment p
    left join lateral (
      select id from wallets
      where p.points > 0 and p.wallet_id is null
        and user_id = p.user_id and tenant_id = p.tenant_id limit 1
    ) w on true
    order by p.tenant_id, p.provider, p.provider_payment_id
    on conflict on constraint payments_once_per_provider do nothing
    returning id, wallet_id, points_awarded, points_reversed
  ),
  lost as (
    select id from unnest(:ids::uuid[]) id where id not in (select id from stored)
  ),
  entry as (
    select s.wallet_id, m.entry_type, m.points, m.reason, 'payment' as source_type,
      s.id as source_id, row_number() over (order by s.id, m.step) as nth
    from stored s
    cross join lateral (values (0, 'credit', s.points_awarded, 'purchase'),
      (1, 'debit', s.points_reversed, 'payment_refunded')) as m(step, entry_type, points, reason)
    where m.points > 0
  ), ${POSTING},
  ${further}${CLOSING}
  select id as "lostPayment", null::uuid as "openEvent" from lost
  union all
  select null, id from unnest(:eventIds::uuid[]) id where id not in (select id from closed)`;

const write = keptStatement<Missing>('ingestion-write', writing(''));

/** A statement of its own, so that tenants without endpoints have no cost from it. */
const writeAndTell = keptStatement<Missing>(
  'ingestion-write-told',
  writing(`${TELL_POINTS_TO_GIVEN},
  `),
);

function paymentColumns(payments: readonly NewPayment[]) {
  const decided = payments.map((each) => decisionColumns(each.decision, each.ruleVersion));
  return {
    ids: payments.map((each) => each.id),
    tenantIds: payments.map((each) => each.tenantId),
    providers: payments.map((each) => each.provider),
    providerPaymentIds: payments.map((each) => each.providerPaymentId),
    providerCustomerIds: payments.map((each) => each.providerCustomerId),
    locationIds: payments.map((each) => each.locationId),
    amounts: payments.map((each) => each.amountMinorUnits),
    tips: payments.map((each) => each.tipMinorUnits),
    refunds: payments.map((each) => each.refundedMinorUnits),
    refundedAsOfs: payments.map((each) => each.refundedAsOf.toISOString()),
    currencies: payments.map((each) => each.currency),
    occurredAts: payments.map((each) => each.occurredAt.toISOString()),
    changedAts: payments.map((each) => each.changedAt.toISOString()),
    outcomes: payments.map((each) => each.outcome),
    reasons: payments.map((each) => each.reason),
    points: payments.map((each) => each.points),
    pointsReversed: payments.map((each) => each.pointsReversed),
    userIds: payments.map((each) => each.userId),
    walletIds: payments.map((each) => (each.points > 0 ? each.walletId : null)),
    ruleVersions: payments.map((each) => each.ruleVersion),
    decisions: decided.map((each) => JSON.stringify(each.decision)),
    decisionFacts: decided.map((each) => each.decisionFacts),
    rulesInEffect: decided.map((each) => each.ruleInEffect),
    emailFingerprints: payments.map((each) => each.emailFingerprint),
    phoneFingerprints: payments.map((each) => each.phoneFingerprint),
  };
}

function resultColumns(results: readonly EventResult[]) {
  return {
    eventIds: results.map((each) => each.eventId),
    eventTenantIds: results.map((each) => each.tenantId),
    eventOutcomes: results.map((each) => each.outcome),
    eventReasons: results.map((each) => each.reason),
    eventPaymentIds: results.map((each) => each.paymentId),
    // Lists of different lengths make no array of arrays.
    awaits: results.map((each) => `{${each.awaits.join()}}`),
  };
}
