import type { PaymentId, TenantId, WalletId } from '../../domain/ids.ts';
import type { Decision, DecisionRecord, KnownPayment } from '../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { Reversal } from '../../domain/refund.ts';
import type { Db, Tx } from '../connection.ts';
import { KNOWN_PAYMENT, type PaymentKey } from './facts.ts';

/** A stored payment with what a change to it depends on. */
export type LockedPayment = { known: KnownPayment; decision: DecisionRecord };

/** Locks a stored payment until the transaction ends, so that its changes are made one by one. */
export async function lock(tx: Tx, key: PaymentKey): Promise<LockedPayment | undefined> {
  const { rows } = await tx.raw<{ rows: LockedPayment[] }>(
    `select ${KNOWN_PAYMENT} as known, decision from payments
     where tenant_id = :tenantId and provider = :provider
       and provider_payment_id = :providerPaymentId
     for update`,
    { ...key },
  );
  return rows[0];
}

/** Gives an anonymous payment its consumer and its points, and deletes its fingerprints. */
export async function recordMatch(
  tx: Tx,
  id: PaymentId,
  change: Decision & { walletId: WalletId | null; payment: NormalizedPayment },
): Promise<void> {
  const { payment } = change;
  await tx('payments')
    .where({ id })
    .update({
      outcome: change.outcome,
      outcomeReason: change.reason,
      pointsAwarded: change.points,
      pointsReversed: change.reversal?.points ?? 0,
      // The amounts of the payment as it was decided, so that they agree with the record.
      amountMinorUnits: payment.amountMinorUnits,
      tipMinorUnits: payment.tipMinorUnits,
      refundedMinorUnits: payment.refundedMinorUnits,
      changedAt: payment.changedAt,
      userId: change.userId,
      walletId: change.walletId,
      ruleVersion: change.ruleVersion,
      decision: JSON.stringify(change.record),
      providerCustomerId: tx.raw('coalesce(?, provider_customer_id)', [payment.providerCustomerId]),
      emailFingerprint: null,
      phoneFingerprint: null,
    });
}

/** Records the points that a refund reversed, and adds the refund to the decision record. */
export async function recordReversal(
  tx: Tx,
  id: PaymentId,
  decision: DecisionRecord,
  reversal: Reversal,
): Promise<void> {
  const record = { ...decision, reversals: [...(decision.reversals ?? []), reversal] };
  await tx('payments')
    .where({ id })
    .update({
      refundedMinorUnits: reversal.refundedMinorUnits,
      pointsReversed: tx.raw('points_reversed + ?', [reversal.points]),
      pointsWrittenOff: tx.raw('points_written_off + ?', [reversal.writtenOff]),
      decision: JSON.stringify(record),
    });
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
       order by created_at limit :limit
     ))`,
    { days: SIGN_UP_DAYS, limit },
  );
  return rowCount;
}
