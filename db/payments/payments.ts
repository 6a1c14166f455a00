import type { OutcomeReason } from '../../domain/explanation.ts';
import type { PaymentId, TenantId, WalletId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { IngestionOutcome, Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import type { PaymentKey } from './facts.ts';

// Payments are written by ingestion.ts, together with what they credit.

/** A stored payment and what became of it. */
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

/** Lists a tenant's payments, the last stored first, from the one after `after` on. */
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

/** A payment of the tenant, or undefined when there is none with that id. */
export async function find(
  db: Db,
  tenantId: TenantId,
  paymentId: PaymentId,
): Promise<Payment | undefined> {
  return db<Payment>('payments').select(COLUMNS).where({ tenantId, id: paymentId }).first();
}

/** Whether a payment is stored and has its consumer, so that nobody need ask who its customer is. */
export async function isDecided(db: Db, key: PaymentKey): Promise<boolean> {
  const row = await db('payments')
    .where({ ...key })
    .whereNot('outcome', 'stored_anonymous')
    .first('id');
  return row !== undefined;
}
