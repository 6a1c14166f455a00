import type { PaymentId, TenantId, WalletId } from '../../domain/ids.ts';
import type { Decision, KnownPayment } from '../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { RefundedSum } from '../../domain/revision.ts';
import { columnArrays } from '../column-arrays.ts';
import type { Db, Tx } from '../connection.ts';
import { phoneRegion } from '../tenants/phone-regions.ts';
import { type DecisionColumns, decisionColumns } from './decisions.ts';
import { KNOWN_PAYMENT, type PaymentKey } from './facts.ts';

/**
 * Locks stored payments until the transaction ends, so that their changes are made one by one, and
 * returns them. The wallets whose points they change are locked before.
 */
export async function lock(
  tx: Tx,
  ids: readonly PaymentId[],
): Promise<Map<PaymentId, KnownPayment>> {
  const { rows } = await tx.raw<{ rows: { known: KnownPayment }[] }>(
    `select ${KNOWN_PAYMENT} as known from payments
     where id = any(:ids::uuid[]) order by id for no key update`,
    { ids: [...new Set(ids)] },
  );
  return new Map(rows.map(({ known }) => [known.id, known]));
}

const FOUND = `
  select p.id, p.wallet_id, q.nth
  from unnest(:tenantIds::uuid[], :providers::text[], :paymentIds::text[]) with ordinality
    as q(tenant_id, provider, provider_payment_id, nth)
  cross join lateral (
    select id, wallet_id from payments
    where tenant_id = q.tenant_id and provider = q.provider
      and provider_payment_id between q.provider_payment_id and q.provider_payment_id
    order by provider_payment_id limit 1
  ) p`;

function bound(keys: readonly PaymentKey[]) {
  return {
    tenantIds: keys.map((key) => key.tenantId),
    providers: keys.map((key) => key.provider),
    paymentIds: keys.map((key) => key.providerPaymentId),
  };
}

/** Says which of the payments, by their places, another transaction holds, or their wallets. */
export async function listHeld(db: Db, keys: readonly PaymentKey[]): Promise<Set<number>> {
  const { rows } = await db.raw<{ rows: { nth: number }[] }>(
    `with found as (${FOUND}),
     payment as (
       select id from payments where id = any(array(select id from found))
       order by id for no key update skip locked
     ),
     wallet as (
       select id from wallets where id = any(array(select wallet_id from found))
       order by id for no key update skip locked
     )
     select nth from found
     where id not in (select id from payment) or wallet_id not in (select id from wallet)`,
    bound(keys),
  );
  return new Set(rows.map(({ nth }) => nth - 1));
}

/** An anonymous payment that gets its consumer and its points. */
export type LateMatch = Decision & {
  id: PaymentId;
  walletId: WalletId | null;
  /** The payment as it was decided: its record is rebuilt from the amounts. */
  payment: NormalizedPayment;
  sum: RefundedSum;
};

type DecidedMatch = { match: LateMatch; decided: DecisionColumns };

const MATCHES = columnArrays<DecidedMatch>('m', {
  id: ['uuid', ({ match }) => match.id],
  decision: ['jsonb', ({ decided }) => JSON.stringify(decided.decision)],
  decision_facts: ['smallint', ({ decided }) => decided.decisionFacts],
  rule_in_effect: ['integer', ({ decided }) => decided.ruleInEffect],
  outcome: ['text', ({ match }) => match.outcome],
  outcome_reason: ['text', ({ match }) => match.reason],
  points_awarded: ['bigint', ({ match }) => match.points],
  points_reversed: ['bigint', ({ match }) => match.reversal?.points ?? 0],
  amount_minor_units: ['bigint', ({ match }) => match.payment.amountMinorUnits],
  tip_minor_units: ['bigint', ({ match }) => match.payment.tipMinorUnits],
  currency: ['text', ({ match }) => match.payment.currency],
  refunded_minor_units: ['bigint', ({ match }) => match.sum.minorUnits],
  refunded_as_of: ['timestamptz', ({ match }) => new Date(match.sum.asOfMs)],
  changed_at: ['timestamptz', ({ match }) => match.payment.changedAt],
  user_id: ['uuid', ({ match }) => match.userId],
  wallet_id: ['uuid', ({ match }) => match.walletId],
  rule_version: ['integer', ({ match }) => match.ruleVersion],
  provider_customer_id: ['text', ({ match }) => match.payment.providerCustomerId],
});
const REPLACED = MATCHES.names.filter((name) => name !== 'id' && name !== 'provider_customer_id');

const RECORD_MATCHES = `
  update payments p
  set ${REPLACED.map((name) => `${name} = m.${name}`).join(', ')},
    provider_customer_id = case when m.outcome_reason is distinct from 'before_connection'
      then coalesce(m.provider_customer_id, p.provider_customer_id) end,
    email_fingerprint = null, phone_fingerprint = null
  from ${MATCHES.source}
  where p.id = any(:m_id::uuid[]) and p.id = m.id`;

/** Gives locked payments their consumers and points, and deletes their fingerprints. */
export async function recordMatches(tx: Tx, matches: readonly LateMatch[]): Promise<void> {
  if (matches.length === 0) return;
  const decided = matches.map((match) => ({
    match,
    decided: decisionColumns(match.record, match.ruleVersion),
  }));
  await tx.raw(RECORD_MATCHES, MATCHES.bind(decided));
}

/** Records what is refunded of locked payments. */
export async function recordRefunded(
  tx: Tx,
  sums: ReadonlyMap<PaymentId, RefundedSum>,
): Promise<void> {
  if (sums.size === 0) return;
  const refunded = [...sums.values()];
  await tx.raw(
    `update payments p set refunded_minor_units = s.sum, refunded_as_of = s.as_of
     from unnest(:ids::uuid[], :sums::bigint[], :times::timestamptz[]) as s(id, sum, as_of)
     where p.id = any(:ids::uuid[]) and p.id = s.id`,
    {
      ids: [...sums.keys()],
      sums: refunded.map(({ minorUnits }) => minorUnits),
      times: refunded.map(({ asOfMs }) => new Date(asOfMs)),
    },
  );
}

/** A payment whose stored refunded sum a newer report repeats. */
export type ConfirmedRefund = Pick<KnownPayment, 'id' | 'refundedMinorUnits'> & { asOf: Date };

/**
 * Records that the refunded sums of payments are still so, so that an older report that comes later
 * does not count. Returns the payments whose sum has changed meanwhile, or that somebody else
 * holds: their reports have to be decided again.
 */
export async function confirmRefunded(
  tx: Tx,
  confirmed: readonly ConfirmedRefund[],
): Promise<Set<PaymentId>> {
  if (confirmed.length === 0) return new Set();
  const { rows } = await tx.raw<{ rows: { id: PaymentId }[] }>(
    `with report as (
       select distinct on (id) * from unnest(:ids::uuid[], :sums::bigint[], :times::timestamptz[])
         as r(id, sum, as_of)
       order by id, as_of desc
     ),
     held as (
       select id, refunded_minor_units as sum, refunded_as_of as as_of from payments
       where id = any(:ids::uuid[]) order by id for no key update skip locked
     ),
     newer as (
       select r.id, r.as_of, r.sum = h.sum as is_same from report r join held h on h.id = r.id
       where h.as_of is null or h.as_of < r.as_of
     ),
     confirmed as (
       update payments p set refunded_as_of = n.as_of from newer n
       where p.id = any(:ids::uuid[]) and p.id = n.id and n.is_same
     )
     select id from newer where not is_same
     union all
     select id from report where id not in (select id from held)`,
    {
      ids: confirmed.map(({ id }) => id),
      sums: confirmed.map(({ refundedMinorUnits }) => refundedMinorUnits),
      times: confirmed.map(({ asOf }) => asOf),
    },
  );
  return new Set(rows.map(({ id }) => id));
}

/** How long an anonymous payment waits for its consumer to sign up. */
const SIGN_UP_DAYS = 30;

/** An anonymous payment and the contacts by which it is found. */
export type AnonymousPayment = {
  id: PaymentId;
  tenantId: TenantId;
  payment: Omit<NormalizedPayment, 'email' | 'phone' | 'state'>;
  /** The fingerprints of its contacts, in hex. */
  emailHex: string | null;
  phoneHex: string | null;
  /** By which a phone without a code is read. */
  country: string | null;
};

type AnonymousRow = AnonymousPayment['payment'] & Omit<AnonymousPayment, 'payment'>;

/**
 * Lists anonymous payments of the last 30 days with one of these fingerprints, oldest first,
 * starting after `after`.
 */
export async function listAnonymous(
  db: Db,
  { emails, phones }: { emails: readonly Buffer[]; phones: readonly Buffer[] },
  page: { limit: number; after: PaymentId | null },
): Promise<AnonymousPayment[]> {
  const { rows } = await db.raw<{ rows: AnonymousRow[] }>(
    `select p.id, p.provider, p.provider_payment_id, p.provider_customer_id, p.location_id,
       p.amount_minor_units, p.tip_minor_units, p.refunded_minor_units, p.currency, p.occurred_at,
       p.changed_at, p.tenant_id, encode(p.email_fingerprint, 'hex') as email_hex,
       encode(p.phone_fingerprint, 'hex') as phone_hex, ${phoneRegion('p')} as country
     from payments p
     where p.id in (
       select id from payments
       where outcome = 'stored_anonymous' and email_fingerprint = any(:emails::bytea[])
       union
       select id from payments
       where outcome = 'stored_anonymous' and phone_fingerprint = any(:phones::bytea[])
     ) and p.created_at > now() - make_interval(days => :days)
       and (:after::uuid is null
         or (p.created_at, p.id) > (select created_at, id from payments where id = :after))
     order by p.created_at, p.id limit :limit`,
    { emails: [...emails], phones: [...phones], days: SIGN_UP_DAYS, ...page },
  );
  return rows.map(({ id, tenantId, emailHex, phoneHex, country, ...payment }) => {
    return { id, tenantId, emailHex, phoneHex, country, payment };
  });
}

/**
 * Deletes the fingerprints of up to `limit` payments whose consumers did not sign up in time, and
 * returns the number of payments.
 */
export async function purgeFingerprints(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update payments set email_fingerprint = null, phone_fingerprint = null
     where id = any(array(
       select id from payments
       where (email_fingerprint is not null or phone_fingerprint is not null)
         and created_at < now() - make_interval(days => :days)
       order by created_at limit :limit for no key update skip locked
     ))`,
    { days: SIGN_UP_DAYS, limit },
  );
  return rowCount;
}
