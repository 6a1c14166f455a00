import { rebuildRecord, type StoredDecision } from '../../domain/decision-record.ts';
import { Refusal } from '../../domain/errors.ts';
import type { ConnectionId, PaymentId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { IngestionOutcome } from '../../domain/outcomes.ts';
import { PROVIDERS, type Provider } from '../../domain/payment.ts';
import type { OutcomeReason } from '../../domain/texts/coded-sentence.ts';
import type { Db } from '../connection.ts';
import type { EventRow } from '../events/event-rows.ts';
import { listOfPayment } from '../events/operations.ts';
import type { LedgerEntry } from '../ledger/postings.ts';
import { STORED_DECISION } from './decisions.ts';

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
  outcomeReason: OutcomeReason | null;
  pointsAwarded: number;
  pointsReversed: number;
  pointsOwed: number;
  pointsWrittenOff: number;
  pointsAbsorbed: number;
  userId: UserId | null;
  walletId: WalletId | null;
  ruleVersion: number | null;
  decision: DecisionRecord;
  createdAt: Date;
};

const COLUMNS: (keyof Omit<TrailPayment, 'decision'>)[] = [
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
  'pointsAbsorbed',
  'userId',
  'walletId',
  'ruleVersion',
  'createdAt',
];

type Row = Omit<TrailPayment, 'decision'> & { storedDecision: StoredDecision };

/** Everything that is stored of a payment, from its events to its ledger entries. */
export type Trail = {
  events: EventRow[];
  payment: TrailPayment;
  entries: LedgerEntry[];
  /** The connection through which the payment came or would be polled. */
  connectionId: ConnectionId | null;
};

// Each half has an index of its own: by the wallet it would read all of the wallet's entries.
const ENTRIES = `
  select * from ledger_entries where source_id = :id and reason <> 'payment_refunded'
  union all
  select * from ledger_entries where source_id = :id and reason = 'payment_refunded'
  order by seq`;

/** Returns the trail of a payment by our id. Throws NOT_FOUND. */
export async function getTrail(db: Db, id: PaymentId): Promise<Trail> {
  const row = await db('payments as p')
    .where({ id })
    .first<Row | undefined>(...COLUMNS, db.raw(STORED_DECISION));
  if (row === undefined) throw new Refusal('NOT_FOUND', 'There is no such payment.');
  const { storedDecision, ...columns } = row;
  const payment = { ...columns, decision: rebuildRecord(storedDecision) };
  const { tenantId, provider } = payment;
  const entries = await db.raw<{ rows: LedgerEntry[] }>(ENTRIES, { id });
  const connection = await db('pos_connections')
    .where({ tenantId, provider })
    .first<{ id: ConnectionId } | undefined>('id');
  return {
    events: await listOfPayment(db, id),
    payment,
    entries: entries.rows,
    connectionId: connection?.id ?? null,
  };
}

/**
 * Lists the payments with that id at a provider, oldest first: at most one per tenant and provider.
 * Without a tenant it looks at every tenant, because an index for it would cost each sale more than
 * it saves an operator.
 */
export async function listByProviderId(
  db: Db,
  providerPaymentId: string,
  tenantId?: TenantId,
): Promise<PaymentId[]> {
  const tenants =
    tenantId === undefined ? 'array(select id from tenants)' : 'array[:tenantId::uuid]';
  const { rows } = await db.raw<{ rows: { id: PaymentId }[] }>(
    `select id from payments
     where tenant_id = any(${tenants}) and provider = any(:providers)
       and provider_payment_id = :providerPaymentId
     order by created_at limit :limit`,
    {
      providerPaymentId,
      tenantId: tenantId ?? null,
      providers: [...PROVIDERS],
      limit: MAX_OF_A_PROVIDER_ID,
    },
  );
  return rows.map((row) => row.id);
}

const MAX_OF_A_PROVIDER_ID = 20;
