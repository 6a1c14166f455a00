import { rebuildRecord, type StoredDecision } from '../../domain/decision-record.ts';
import type { PaymentId, TenantId, UserId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { RefundedSum } from '../../domain/revision.ts';
import type { Db, Tx } from '../connection.ts';
import { STORED_DECISION } from './decisions.ts';

/**
 * A payment that earned nothing, because the tenant had another currency or was suspended when it
 * was decided.
 */
export type RefusedPayment = {
  id: PaymentId;
  tenantId: TenantId;
  /** The consumer that it was matched with. */
  userId: UserId;
  payment: Omit<NormalizedPayment, 'email' | 'phone' | 'state'>;
  decision: DecisionRecord;
  /** What is refunded of it, as of which report. */
  sum: RefundedSum;
  storedAt: Date;
};

/**
 * The condition that the reason is gone: payment `p` of tenant `t` would be decided otherwise.
 * Those of a person who was erased stay as they are.
 */
const IS_DUE = `p.outcome_reason in ('currency_mismatch', 'tenant_suspended')
  and (select u.erased_at from users u where u.id = p.user_id) is null
  and t.status = 'active' and (p.outcome_reason <> 'currency_mismatch' or p.currency = t.currency)`;

/** Lists such payments of a tenant whose reason is gone, oldest first, after `after`. */
export async function listRefused(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after: PaymentId | null },
): Promise<PaymentId[]> {
  const { rows } = await db.raw<{ rows: { id: PaymentId }[] }>(
    `select p.id from payments p join tenants t on t.id = p.tenant_id
     where p.tenant_id = :tenantId and ${IS_DUE} and (:after::uuid is null or p.id > :after)
     order by p.id limit :limit`,
    { tenantId, ...page },
  );
  return rows.map((row) => row.id);
}

type Row = RefusedPayment['payment'] &
  Omit<RefusedPayment, 'payment' | 'sum' | 'decision'> & {
    refundedAsOf: Date;
    storedDecision: StoredDecision;
  };

/** Finds such a payment; undefined once it was decided again. */
export async function findRefused(db: Db, id: PaymentId): Promise<RefusedPayment | undefined> {
  return read(db, id, '');
}

/** Locks such a payment until the transaction ends; undefined once it was decided again. */
export async function lockRefused(tx: Tx, id: PaymentId): Promise<RefusedPayment | undefined> {
  return read(tx, id, 'for no key update of p');
}

async function read(db: Db, id: PaymentId, lock: string): Promise<RefusedPayment | undefined> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select p.id, p.tenant_id, p.user_id, p.provider, p.provider_payment_id,
       p.provider_customer_id, p.location_id, p.amount_minor_units, p.tip_minor_units,
       p.refunded_minor_units, p.refunded_as_of, p.currency, p.occurred_at, p.changed_at,
       p.created_at as stored_at, ${STORED_DECISION}
     from payments p join tenants t on t.id = p.tenant_id
     where p.id = :id and ${IS_DUE}
     ${lock}`,
    { id },
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { id: _, tenantId, userId, storedDecision, refundedAsOf, storedAt, ...payment } = row;
  const decision = rebuildRecord(storedDecision);
  const sum = { minorUnits: payment.refundedMinorUnits, asOfMs: refundedAsOf.getTime() };
  return { id, tenantId, userId, decision, payment, sum, storedAt };
}
