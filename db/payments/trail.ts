import { Refusal } from '../../domain/errors.ts';
import type { ConnectionId, PaymentId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { IngestionOutcome, Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import { type EventRow, listOfPayment } from '../events/operations.ts';
import type { LedgerEntry } from '../ledger/postings.ts';

/** A payment as it is stored, without its fingerprints. */
export type TrailPayment = {
  id: PaymentId;
  tenantId: TenantId;
  provider: Provider;
  providerPaymentId: string;
  amountMinorUnits: number;
  tipMinorUnits: number;
  refundedMinorUnits: number;
  currency: string;
  occurredAt: Date;
  changedAt: Date;
  outcome: IngestionOutcome;
  outcomeReason: string | null;
  pointsAwarded: number;
  pointsReversed: number;
  pointsOwed: number;
  pointsWrittenOff: number;
  userId: UserId | null;
  walletId: WalletId | null;
  ruleVersion: number | null;
  decision: DecisionRecord;
  createdAt: Date;
};

const COLUMNS: (keyof TrailPayment)[] = [
  'id',
  'tenantId',
  'provider',
  'providerPaymentId',
  'amountMinorUnits',
  'tipMinorUnits',
  'refundedMinorUnits',
  'currency',
  'occurredAt',
  'changedAt',
  'outcome',
  'outcomeReason',
  'pointsAwarded',
  'pointsReversed',
  'pointsOwed',
  'pointsWrittenOff',
  'userId',
  'walletId',
  'ruleVersion',
  'decision',
  'createdAt',
];

/** Everything that is stored of a payment, from its events to its ledger entries. */
export type Trail = {
  events: EventRow[];
  payment: TrailPayment;
  entries: LedgerEntry[];
  /** The connection through which the payment came or would be polled. */
  connectionId: ConnectionId | null;
};

/** Returns the trail of a payment by our id. Throws NOT_FOUND. */
export async function getTrail(db: Db, id: PaymentId): Promise<Trail> {
  const payment = await db<TrailPayment>('payments').where({ id }).first(COLUMNS);
  if (payment === undefined) throw new Refusal('NOT_FOUND', 'There is no such payment.');
  const { tenantId, provider, walletId } = payment;
  const entries =
    walletId === null
      ? []
      : await db<LedgerEntry>('ledger_entries')
          .where({ walletId, sourceType: 'payment', sourceId: id })
          .orderBy('seq')
          .select();
  const connection = await db('pos_connections')
    .where({ tenantId, posType: provider })
    .first<{ id: ConnectionId } | undefined>('id');
  return {
    events: await listOfPayment(db, id),
    payment,
    entries,
    connectionId: connection?.id ?? null,
  };
}

/**
 * Lists the payments with that id at a provider: at most one per tenant and provider. It looks at
 * every tenant, because an index for it would cost each sale more than it saves an operator.
 */
export async function listByProviderId(db: Db, providerPaymentId: string): Promise<PaymentId[]> {
  const { rows } = await db.raw<{ rows: { id: PaymentId }[] }>(
    `select p.id
     from tenants t
     cross join (values ('alpha'), ('beta')) as v(provider)
     cross join lateral (
       select id, created_at from payments
       where tenant_id = t.id and provider = v.provider
         and provider_payment_id = :providerPaymentId limit 1
     ) p
     order by p.created_at limit :limit`,
    { providerPaymentId, limit: MAX_OF_A_PROVIDER_ID },
  );
  return rows.map((row) => row.id);
}

const MAX_OF_A_PROVIDER_ID = 20;
