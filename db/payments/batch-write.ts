import type { EventId, PaymentId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { EventOutcome, IngestionOutcome } from '../../domain/outcomes.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import { columnArrays } from '../column-arrays.ts';
import type { Tx } from '../connection.ts';
import { CLOSING } from '../events/closing.ts';
import { keptStatement } from '../kept-statement.ts';
import { POSTING } from '../ledger/postings.ts';
import { newIds } from '../new-id.ts';
import { TELL_POINTS_TO_GIVEN } from '../outgoing/events.ts';
import * as debts from './debts.ts';
import { type DecisionColumns, decisionColumns } from './decisions.ts';

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
  /** The reported payment if it had not settled, by which its buyer's erasure finds the event. */
  providerPaymentId: string | null;
  awaits: PaymentId[];
};

/**
 * Stores payments, credits their wallets, reverses points that were refunded before, tells tenants
 * of both, and closes events, in one statement. Wallets to be credited must exist; a payment that
 * credits nothing names no wallet, even if there is one. Credits of one wallet follow the ids of
 * their payments. A wallet that owes points then pays them.
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
    ...PAYMENTS.bind(payments.map(withDecision)),
    ...RESULTS.bind(results),
    entryIds: newIds(entries),
  };
  const tells = toldTenants.length > 0;
  const awards = payments.some(({ decision }) => (decision.awards?.campaigns.length ?? 0) > 0);
  const rows = await WRITES[kindOf({ tells, awards })](tx, {
    ...values,
    ...(tells && { toldTenants: [...new Set(toldTenants)] }),
  });
  const stored = new Set(payments.map(({ id }) => id));
  const closed = new Set(results.map(({ eventId }) => eventId));
  const owing: WalletId[] = [];
  for (const { lostPayment, openEvent, owingWallet } of rows) {
    if (lostPayment !== null) stored.delete(lostPayment);
    if (openEvent !== null) closed.delete(openEvent);
    if (owingWallet !== null) owing.push(owingWallet);
  }
  await debts.pay(tx, owing);
  return { stored, closed };
}

type StoredPayment = { payment: NewPayment; decided: DecisionColumns };

const PAYMENTS = columnArrays<StoredPayment>('payment', {
  id: ['uuid', ({ payment }) => payment.id],
  tenant_id: ['uuid', ({ payment }) => payment.tenantId],
  provider: ['text', ({ payment }) => payment.provider],
  provider_payment_id: ['text', ({ payment }) => payment.providerPaymentId],
  provider_customer_id: ['text', ({ payment }) => payment.providerCustomerId],
  location_id: ['text', ({ payment }) => payment.locationId],
  amount_minor_units: ['bigint', ({ payment }) => payment.amountMinorUnits],
  tip_minor_units: ['bigint', ({ payment }) => payment.tipMinorUnits],
  refunded_minor_units: ['bigint', ({ payment }) => payment.refundedMinorUnits],
  refunded_as_of: ['timestamptz', ({ payment }) => payment.refundedAsOf.toISOString()],
  currency: ['text', ({ payment }) => payment.currency],
  occurred_at: ['timestamptz', ({ payment }) => payment.occurredAt.toISOString()],
  changed_at: ['timestamptz', ({ payment }) => payment.changedAt.toISOString()],
  outcome: ['text', ({ payment }) => payment.outcome],
  outcome_reason: ['text', ({ payment }) => payment.reason],
  points_awarded: ['bigint', ({ payment }) => payment.points],
  points_reversed: ['bigint', ({ payment }) => payment.pointsReversed],
  user_id: ['uuid', ({ payment }) => payment.userId],
  wallet_id: ['uuid', ({ payment }) => (payment.points > 0 ? payment.walletId : null)],
  rule_version: ['integer', ({ payment }) => payment.ruleVersion],
  decision: ['jsonb', ({ decided }) => JSON.stringify(decided.decision)],
  decision_facts: ['smallint', ({ decided }) => decided.decisionFacts],
  rule_in_effect: ['integer', ({ decided }) => decided.ruleInEffect],
  email_fingerprint: ['bytea', ({ payment }) => payment.emailFingerprint],
  phone_fingerprint: ['bytea', ({ payment }) => payment.phoneFingerprint],
});

function withDecision(payment: NewPayment): StoredPayment {
  return { payment, decided: decisionColumns(payment.decision, payment.ruleVersion) };
}

const RESULTS = columnArrays<EventResult>('result', {
  event_id: ['uuid', (result) => result.eventId],
  tenant_id: ['uuid', (result) => result.tenantId],
  outcome: ['text', (result) => result.outcome],
  reason: ['text', (result) => result.reason],
  payment_id: ['uuid', (result) => result.paymentId],
  provider_payment_id: ['text', (result) => result.providerPaymentId],
  // Lists of different lengths make no array of arrays.
  awaits: ['text', (result) => `{${result.awaits.join()}}`],
});

/** One of the three. */
type Left = {
  lostPayment: PaymentId | null;
  openEvent: EventId | null;
  owingWallet: WalletId | null;
};

// It returns what is left to be done, since mostly nothing is.
const writing = (further: readonly string[]) => `
  with recursive payment as (
    select * from ${PAYMENTS.source}
  ),
  result as (
    select event_id, tenant_id, outcome, reason, payment_id, provider_payment_id,
      awaits::uuid[] as awaits
    from ${RESULTS.source}
  ),
  stored as (
    insert into payments (${PAYMENTS.names.join(', ')})
    select ${PAYMENTS.names.map(storedValue).join(', ')}
    from payment p
    left join lateral (
      select id from wallets
      where p.points_awarded > 0 and p.wallet_id is null
        and user_id = p.user_id and tenant_id = p.tenant_id limit 1
    ) w on true
    order by p.tenant_id, p.provider, p.provider_payment_id
    on conflict on constraint payments_once_per_provider do nothing
    returning id, wallet_id, points_awarded, points_reversed
  ),
  lost as (
    select id from unnest(:payment_id::uuid[]) id where id not in (select id from stored)
  ),
  entry as (
    select s.wallet_id, m.entry_type, m.points, m.reason, 'payment' as source_type,
      s.id as source_id, row_number() over (order by s.id, m.step) as nth
    from stored s
    cross join lateral (values (0, 'credit', s.points_awarded, 'purchase'),
      (1, 'debit', s.points_reversed, 'payment_refunded')) as m(step, entry_type, points, reason)
    where m.points > 0
  ), ${POSTING},
  ${[...further, CLOSING].join(', ')}
  select id as "lostPayment", null::uuid as "openEvent", null::uuid as "owingWallet" from lost
  union all
  select null, id, null from unnest(:result_event_id::uuid[]) id
  where id not in (select id from closed)
  union all
  select null, null, id from locked where owed > 0`;

/** The wallet is looked up for a payment that names none. */
function storedValue(column: string): string {
  return column === 'wallet_id' ? 'coalesce(p.wallet_id, w.id)' : `p.${column}`;
}

/**
 * What campaigns gave for the payments, and what refunds of before took of it. The wallets are
 * locked first, as by everybody who writes a first purchase, so that two never wait for each other.
 */
const AWARDS = `awarded as (
    insert into campaign_awards
      (campaign_id, payment_id, wallet_id, user_id, cause, first_purchase, points)
    select c.id, s.id, s.wallet_id, p.user_id, m.cause, c.audience = 'first_purchase', m.points
    from stored s
    join payment p on p.id = s.id
    cross join lateral jsonb_to_recordset(p.decision #> '{awards,campaigns}')
      as given(id uuid, points bigint)
    join campaigns c on c.id = given.id
    cross join lateral (values ('award', given.points), ('refund',
      case when p.points_reversed > 0 then -div(
        given.points::numeric * least(p.refunded_minor_units, p.amount_minor_units),
        p.amount_minor_units
      )::bigint end)) as m(cause, points)
    where m.points <> 0 and (select count(*) from locked) >= 0
  )`;

type Kind = 'plain' | 'told' | 'awarded' | 'told-awarded';

function kindOf({ tells, awards }: { tells: boolean; awards: boolean }): Kind {
  if (tells) return awards ? 'told-awarded' : 'told';
  return awards ? 'awarded' : 'plain';
}

/** Statements of their own: tenants without endpoints or campaigns have no cost of these. */
const WRITES = {
  plain: keptStatement<Left>('ingestion-write', writing([])),
  told: keptStatement<Left>('ingestion-write-told', writing([TELL_POINTS_TO_GIVEN])),
  awarded: keptStatement<Left>('ingestion-write-awarded', writing([AWARDS])),
  'told-awarded': keptStatement<Left>(
    'ingestion-write-told-awarded',
    writing([TELL_POINTS_TO_GIVEN, AWARDS]),
  ),
} as const satisfies Record<Kind, unknown>;
