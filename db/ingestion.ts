import type { EventId, PaymentId, TenantId, UserId } from '../domain/ids.ts';
import type { DecisionRecord, Facts } from '../domain/ingestion.ts';
import type { IngestionOutcome, NormalizedPayment, Provider } from '../domain/payment.ts';
import { EFFECTIVE_TOLERANCE_SECONDS, type RoundingPolicy } from '../domain/reward-rule.ts';
import { planned, type Tx } from './connection.ts';
import { POSTING } from './ledger.ts';

// The two statements of ingestion span several tables, so that a batch costs what one event does. A
// table is only ever reached by `lateral … limit 1` or `any(array(…))`: whatever the planner believes
// of its size, it then has to look rows up rather than read the whole of it.

export type PaymentKey = { tenantId: TenantId; provider: Provider; providerPaymentId: string };

/** What to look up for a payment; the contacts are normalised. */
export type Question = PaymentKey & { email: string | null; phone: string | null };

export type KnownFacts = Facts & { ownersWithWallet: UserId[] };

type FactsRow = {
  isKnown: boolean;
  userByEmail: UserId | null;
  userByPhone: UserId | null;
  emailHasWallet: boolean;
  phoneHasWallet: boolean;
  version: number | null;
  conversionRate: string;
  minSpendMinorUnits: number;
  maxPointsPerTransaction: number | null;
  roundingPolicy: RoundingPolicy;
};

/**
 * Reads, for each payment and in the same order, what its decision depends on: whether it is known,
 * the people with its verified contacts (the first to sign up wins), and the rule in effect.
 */
export async function readFacts(tx: Tx, questions: readonly Question[]): Promise<KnownFacts[]> {
  const reading = tx.raw<{ rows: FactsRow[] }>(READ_FACTS, {
    tolerance: EFFECTIVE_TOLERANCE_SECONDS,
    tenantIds: questions.map((question) => question.tenantId),
    providers: questions.map((question) => question.provider),
    paymentIds: questions.map((question) => question.providerPaymentId),
    emails: questions.map((question) => question.email),
    phones: questions.map((question) => question.phone),
  });
  const { rows } = await planned(reading, 'ingestion-facts', questions.length);
  return rows.map(factsOf);
}

/** Whose verified contact it is: of several people the first to sign up. */
const ownerOf = (contact: 'email' | 'phone') => `
    select u.id, exists (
      select from wallets where user_id = u.id and tenant_id = q.tenant_id
    ) as has_wallet
    from users u
    where u.${contact} = q.${contact} and u.${contact}_verified
      and u.role in ('consumer', 'pos_operator')
    order by u.created_at limit 1`;

const READ_FACTS = `
  select known.id is not null as is_known,
    by_email.id as user_by_email, by_phone.id as user_by_phone,
    by_email.has_wallet is true as email_has_wallet,
    by_phone.has_wallet is true as phone_has_wallet,
    rule.version, rule.conversion_rate::text, rule.min_spend_minor_units,
    rule.max_points_per_transaction, rule.rounding_policy
  from unnest(:tenantIds::uuid[], :providers::text[], :paymentIds::text[], :emails::text[],
      :phones::text[])
    with ordinality as q(tenant_id, provider, provider_payment_id, email, phone, nth)
  left join lateral (
    select id from payments
    where tenant_id = q.tenant_id and provider = q.provider
      and provider_payment_id = q.provider_payment_id limit 1
  ) known on true
  left join lateral (${ownerOf('email')}) by_email on true
  left join lateral (${ownerOf('phone')}) by_phone on true
  left join lateral (
    select r.version, r.conversion_rate, r.min_spend_minor_units, r.max_points_per_transaction,
      r.rounding_policy
    from reward_rules r
    where r.tenant_id = q.tenant_id
      and r.effective_from <= now() + make_interval(secs => :tolerance)
    order by r.version desc limit 1
  ) rule on true
  order by q.nth`;

function factsOf(row: FactsRow): KnownFacts {
  const ownersWithWallet: UserId[] = [];
  if (row.userByEmail !== null && row.emailHasWallet) ownersWithWallet.push(row.userByEmail);
  if (row.userByPhone !== null && row.phoneHasWallet) ownersWithWallet.push(row.userByPhone);
  return {
    isKnown: row.isKnown,
    userByEmail: row.userByEmail,
    userByPhone: row.userByPhone,
    ownersWithWallet,
    rule:
      row.version === null
        ? null
        : {
            version: row.version,
            conversionRate: row.conversionRate,
            minSpendMinorUnits: row.minSpendMinorUnits,
            maxPointsPerTransaction: row.maxPointsPerTransaction,
            roundingPolicy: row.roundingPolicy,
          },
  };
}

/** What is to be written for one event. Without a payment only the event is closed. */
export type Verdict = {
  eventId: EventId;
  outcome: IngestionOutcome | 'ignored';
  reason: string | null;
  payment: NewPayment | null;
};

export type NewPayment = NormalizedPayment & {
  id: PaymentId;
  tenantId: TenantId;
  userId: UserId | null;
  ruleVersion: number | null;
  points: number;
  decision: DecisionRecord;
};

/**
 * Stores payments, credits their wallets and closes their events, in one statement. Wallets to be
 * credited must exist; a payment that credits nothing names none, whether or not there is one.
 *
 * Returns the events that were closed. One that is missing lost a race: its payment was stored by
 * somebody else meanwhile, so its decision no longer holds and must be made anew.
 */
export async function write(tx: Tx, verdicts: readonly Verdict[]): Promise<EventId[]> {
  const writing = tx.raw<{ rows: { id: EventId }[] }>(WRITE, {
    verdicts: JSON.stringify(verdicts.map(asColumns)),
  });
  const { rows } = await planned(writing, 'ingestion-write', verdicts.length);
  return rows.map((row) => row.id);
}

const WRITE = `
  with recursive verdict as (
    select * from rows from (jsonb_to_recordset(:verdicts) as (
      event_id uuid, outcome text, reason text, payment_id uuid, tenant_id uuid, provider text,
      provider_payment_id text, provider_customer_id text, location_id text,
      amount_minor_units bigint, tip_minor_units bigint, refunded_minor_units bigint,
      currency text, occurred_at timestamptz, changed_at timestamptz, points bigint, user_id uuid,
      rule_version integer, decision jsonb
    )) with ordinality
    as v(event_id, outcome, reason, payment_id, tenant_id, provider, provider_payment_id,
      provider_customer_id, location_id, amount_minor_units, tip_minor_units,
      refunded_minor_units, currency, occurred_at, changed_at, points, user_id, rule_version,
      decision, nth)
  ),
  stored as (
    insert into payments (id, tenant_id, provider, provider_payment_id, provider_customer_id,
      location_id, amount_minor_units, tip_minor_units, refunded_minor_units, currency,
      occurred_at, changed_at, outcome, outcome_reason, points_awarded, user_id, wallet_id,
      rule_version, decision)
    select v.payment_id, v.tenant_id, v.provider, v.provider_payment_id, v.provider_customer_id,
      v.location_id, v.amount_minor_units, v.tip_minor_units, v.refunded_minor_units, v.currency,
      v.occurred_at, v.changed_at, v.outcome, v.reason, v.points, v.user_id, w.id,
      v.rule_version, v.decision
    from verdict v
    left join lateral (
      select id from wallets
      where v.points > 0 and user_id = v.user_id and tenant_id = v.tenant_id limit 1
    ) w on true
    where v.payment_id is not null
    order by v.tenant_id, v.provider, v.provider_payment_id
    on conflict on constraint payments_once_per_provider do nothing
    returning id, wallet_id, points_awarded
  ),
  entry as (
    select s.wallet_id, 'credit' as entry_type, s.points_awarded as points, 'purchase' as reason,
      'payment' as source_type, s.id as source_id, v.nth
    from stored s join verdict v on v.payment_id = s.id
    where s.points_awarded > 0
  ), ${POSTING}
  update webhook_events e
  set processed = true, processed_at = now(), outcome = v.outcome, outcome_reason = v.reason,
    tenant_id = coalesce(e.tenant_id, v.tenant_id), payment_id = s.id, last_error = null,
    leased_until = null
  from verdict v left join stored s on s.id = v.payment_id
  where e.id = any(array(select event_id from verdict))
    and e.id = v.event_id and (v.payment_id is null or s.id is not null)
  returning e.id`;

function asColumns({ eventId, outcome, reason, payment }: Verdict) {
  const event = { event_id: eventId, outcome, reason };
  if (payment === null) return event;
  return {
    ...event,
    payment_id: payment.id,
    tenant_id: payment.tenantId,
    provider: payment.provider,
    provider_payment_id: payment.providerPaymentId,
    provider_customer_id: payment.providerCustomerId,
    location_id: payment.locationId,
    amount_minor_units: payment.amountMinorUnits,
    tip_minor_units: payment.tipMinorUnits,
    refunded_minor_units: payment.refundedMinorUnits,
    currency: payment.currency,
    occurred_at: payment.occurredAt,
    changed_at: payment.changedAt,
    points: payment.points,
    user_id: payment.userId,
    rule_version: payment.ruleVersion,
    decision: payment.decision,
  };
}
