import type { PaymentId, TenantId, WalletId } from '../../domain/ids.ts';
import type { Decision, KnownPayment, RefundedSum } from '../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { Db, Tx } from '../connection.ts';
import { lockDebtsOf } from './debts.ts';
import { decisionColumns } from './decisions.ts';
import { KNOWN_PAYMENT, type PaymentKey } from './facts.ts';

/**
 * Locks a stored payment, and the debts of its wallet before it, until the transaction ends, so
 * that its changes are made one by one. Returns undefined when it is not stored, or has got its
 * wallet at this moment: then a new transaction finds it.
 */
export async function lock(tx: Tx, key: PaymentKey): Promise<KnownPayment | undefined> {
  const before = await tx.raw<{ rows: { walletId: WalletId | null }[] }>(
    `select wallet_id, ${lockDebtsOf('wallet_id')} from payments where ${BY_KEY}`,
    { ...key },
  );
  const { rows } = await tx.raw<{ rows: { known: KnownPayment }[] }>(
    `select ${KNOWN_PAYMENT} as known from payments where ${BY_KEY} for no key update`,
    { ...key },
  );
  const known = rows[0]?.known;
  return known?.walletId === before.rows[0]?.walletId ? known : undefined;
}

const BY_KEY = `tenant_id = :tenantId and provider = :provider
  and provider_payment_id = :providerPaymentId`;

/** Gives an anonymous payment its consumer and its points, and deletes its fingerprints. */
export async function recordMatch(
  tx: Tx,
  id: PaymentId,
  change: Decision & { walletId: WalletId | null; payment: NormalizedPayment; sum: RefundedSum },
): Promise<void> {
  const { payment, sum } = change;
  await tx('payments')
    .where({ id })
    .update({
      ...decisionColumns(change.record, change.ruleVersion),
      outcome: change.outcome,
      outcomeReason: change.reason,
      pointsAwarded: change.points,
      pointsReversed: change.reversal?.points ?? 0,
      // The amounts of the payment as it was decided: the record is rebuilt from them.
      amountMinorUnits: payment.amountMinorUnits,
      tipMinorUnits: payment.tipMinorUnits,
      currency: payment.currency,
      refundedMinorUnits: sum.minorUnits,
      refundedAsOf: asDate(sum.asOfMs),
      changedAt: payment.changedAt,
      userId: change.userId,
      walletId: change.walletId,
      ruleVersion: change.ruleVersion,
      providerCustomerId: tx.raw('coalesce(?, provider_customer_id)', [payment.providerCustomerId]),
      emailFingerprint: null,
      phoneFingerprint: null,
    });
}

/** Records what is refunded of a locked payment. */
export async function recordRefunded(tx: Tx, id: PaymentId, sum: RefundedSum): Promise<void> {
  await tx('payments')
    .where({ id })
    .update({ refundedMinorUnits: sum.minorUnits, refundedAsOf: asDate(sum.asOfMs) });
}

/** A payment whose stored refunded sum a newer report repeats. */
export type ConfirmedRefund = Pick<KnownPayment, 'id' | 'refundedMinorUnits'> & { asOf: Date };

/**
 * Records that the refunded sums of payments are still so, so that an older report that comes later
 * does not count. Returns the payments whose sum has changed meanwhile: their reports have to be
 * decided again.
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
       where id = any(:ids::uuid[]) order by id for no key update
     ),
     newer as (
       select r.id, r.as_of, r.sum = h.sum as is_same from report r join held h on h.id = r.id
       where h.as_of is null or h.as_of < r.as_of
     ),
     confirmed as (
       update payments p set refunded_as_of = n.as_of from newer n
       where p.id = any(:ids::uuid[]) and p.id = n.id and n.is_same
     )
     select id from newer where not is_same`,
    {
      ids: confirmed.map(({ id }) => id),
      sums: confirmed.map(({ refundedMinorUnits }) => refundedMinorUnits),
      times: confirmed.map(({ asOf }) => asOf),
    },
  );
  return new Set(rows.map(({ id }) => id));
}

function asDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/** How long an anonymous payment waits for its consumer to sign up. */
const SIGN_UP_DAYS = 30;

/** An anonymous payment and the contacts by which it was found. */
export type AnonymousPayment = {
  id: PaymentId;
  tenantId: TenantId;
  tenantCountry: string | null;
  payment: Omit<NormalizedPayment, 'email' | 'phone' | 'state'>;
  hasEmail: boolean;
  hasPhone: boolean;
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
       p.changed_at, p.tenant_id, t.country as tenant_country,
       p.email_fingerprint = any(:emails::bytea[]) is true as has_email,
       p.phone_fingerprint = any(:phones::bytea[]) is true as has_phone
     from payments p
     join lateral (select country from tenants where id = p.tenant_id limit 1) t on true
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
  return rows.map(({ id, tenantId, tenantCountry, hasEmail, hasPhone, ...payment }) => {
    return { id, tenantId, tenantCountry, hasEmail, hasPhone, payment };
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
