import type { OutcomeReason } from '../../domain/explanation.ts';
import type { PaymentId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { IngestionOutcome, Provider } from '../../domain/payment.ts';
import type { Contacts } from '../../domain/privacy.ts';
import type { Db } from '../connection.ts';
import type { PaymentKey } from './facts.ts';

// Payments are written by batch-write.ts, together with the points they credit.

/** A stored payment and its outcome. */
export type Payment = {
  id: PaymentId;
  tenantId: TenantId;
  provider: Provider;
  providerPaymentId: string;
  amountMinorUnits: number;
  currency: string;
  occurredAt: Date;
  outcome: IngestionOutcome;
  outcomeReason: OutcomeReason | null;
  pointsAwarded: number;
  /** Of the amount, by all refunds so far. */
  refundedMinorUnits: number;
  /** Points taken back by refunds. */
  pointsReversed: number;
  locationId: string | null;
  walletId: WalletId | null;
  ruleVersion: number | null;
  decision: DecisionRecord;
  createdAt: Date;
};

/**
 * A payment in a list, with the person it was matched to, whose contacts are complete: mask them
 * before they are sent.
 */
export type ListedPayment = Payment & {
  consumer: { userId: UserId; email: string | null; phone: string | null } | null;
};

const COLUMNS: (keyof Payment)[] = [
  'id',
  'tenantId',
  'provider',
  'providerPaymentId',
  'amountMinorUnits',
  'currency',
  'occurredAt',
  'outcome',
  'outcomeReason',
  'pointsAwarded',
  'refundedMinorUnits',
  'pointsReversed',
  'locationId',
  'walletId',
  'ruleVersion',
  'decision',
  'createdAt',
];

/** Lists a tenant's payments, last stored first, starting after `after`. */
export async function listOfTenant(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after?: PaymentId | undefined },
): Promise<ListedPayment[]> {
  const query = db('payments as p')
    .leftJoin('users as u', 'u.id', 'p.userId')
    .where({ 'p.tenantId': tenantId });
  if (page.after !== undefined) {
    query.whereRaw(
      `(p.created_at, p.id) <
       (select created_at, id from payments where tenant_id = :tenantId and id = :after)`,
      { tenantId, after: page.after },
    );
  }
  const rows = await query
    .orderBy('p.createdAt', 'desc')
    .orderBy('p.id', 'desc')
    .limit(page.limit)
    .select<(Payment & Contacts & { userId: UserId | null })[]>(
      ...COLUMNS.map((column) => `p.${column}`),
      'p.userId',
      'u.email',
      'u.phone',
    );
  return rows.map(({ userId, email, phone, ...payment }) => ({
    ...payment,
    consumer: userId && { userId, email, phone },
  }));
}

/** Finds a payment of the tenant by id. */
export async function find(
  db: Db,
  tenantId: TenantId,
  paymentId: PaymentId,
): Promise<Payment | undefined> {
  return db<Payment>('payments').select(COLUMNS).where({ tenantId, id: paymentId }).first();
}

/** Whether a payment is stored and matched, so that its customer need not be looked up. */
export async function isDecided(db: Db, key: PaymentKey): Promise<boolean> {
  const row = await db('payments')
    .where({ ...key })
    .whereNot('outcome', 'stored_anonymous')
    .first('id');
  return row !== undefined;
}
