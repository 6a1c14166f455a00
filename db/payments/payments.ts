import type { OutcomeReason } from '../../domain/explanation.ts';
import type { PaymentId, TenantId, WalletId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { IngestionOutcome, Provider } from '../../domain/payment.ts';
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
  walletId: WalletId | null;
  ruleVersion: number | null;
  decision: DecisionRecord;
  createdAt: Date;
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
): Promise<Payment[]> {
  const query = db<Payment>('payments').select(COLUMNS).where({ tenantId });
  if (page.after !== undefined) {
    query.whereRaw(
      `(created_at, id) <
       (select created_at, id from payments where tenant_id = :tenantId and id = :after)`,
      { tenantId, after: page.after },
    );
  }
  return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(page.limit);
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
