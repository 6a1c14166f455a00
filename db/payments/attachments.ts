import { IS_BEFORE_CONNECTION } from '../../domain/decision-record.ts';
import type { PaymentId, TenantId, UserId } from '../../domain/ids.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { OutcomeReason } from '../../domain/texts/coded-sentence.ts';
import type { Db, Tx } from '../connection.ts';
import { one } from '../one.ts';

// Anonymous sales that somebody attaches to a customer, whose member number they read.

/** The condition that payment `p` named nobody: others wait for the customer whom they name. */
const NAMED_NOBODY = `p.outcome = 'stored_anonymous' and p.outcome_reason = 'no_contacts'
  and p.provider_customer_id is null
  and p.email_fingerprint is null and p.phone_fingerprint is null`;

/** Of a sale as its receipt shows it. */
export type AnonymousSale = {
  transactionId: PaymentId;
  amountMinorUnits: number;
  refundedMinorUnits: number;
  currency: string;
  occurredAt: Date;
  locationId: string | null;
  /** The last four characters of the provider's id of the payment. */
  receipt: string;
};

const MOST_FOUND = 3;

/**
 * Finds at most three sales of the last 24 hours that named nobody, in the tenant's currency and
 * not refunded in full, of an amount and from two minutes before a minute to two after it.
 */
export async function findAnonymous(
  db: Db,
  tenantId: TenantId,
  { amountMinorUnits, at }: { amountMinorUnits: number; at: Date },
): Promise<AnonymousSale[]> {
  const { rows } = await db.raw<{ rows: AnonymousSale[] }>(
    `select p.id as transaction_id, p.amount_minor_units, p.refunded_minor_units, p.currency,
       p.occurred_at, p.location_id, right(p.provider_payment_id, 4) as receipt
     from payments p
     where p.tenant_id = :tenantId and ${NAMED_NOBODY}
       and p.occurred_at >= greatest(
         date_trunc('minute', :at::timestamptz) - interval '2 minutes',
         now() - interval '24 hours'
       )
       and p.occurred_at < date_trunc('minute', :at::timestamptz) + interval '3 minutes'
       and p.amount_minor_units = :amountMinorUnits
       and p.refunded_minor_units < p.amount_minor_units
       and p.currency = (select currency from tenants where id = :tenantId)
     order by p.occurred_at desc, p.id desc limit ${MOST_FOUND}`,
    { tenantId, amountMinorUnits, at },
  );
  return rows;
}

/** A sale that is to be attached. */
export type AttachableSale = {
  payment: Omit<NormalizedPayment, 'email' | 'phone' | 'state'>;
  refundedAsOf: Date;
  storedAt: Date;
  isBeforeConnection: boolean;
  /** Whether it still is anonymous, and named nobody. */
  isFree: boolean;
  /** Whom it was attached to. */
  attachedTo: UserId | null;
  pointsAwarded: number;
  outcomeReason: OutcomeReason | null;
};

type SaleRow = AttachableSale['payment'] & Omit<AttachableSale, 'payment'>;

/** Finds a sale of a tenant, as somebody wants to attach it. */
export async function findSale(
  db: Db,
  tenantId: TenantId,
  id: PaymentId,
): Promise<AttachableSale | undefined> {
  const { rows } = await db.raw<{ rows: SaleRow[] }>(
    `select p.provider, p.provider_payment_id, p.provider_customer_id, p.location_id,
       p.amount_minor_units, p.tip_minor_units, p.refunded_minor_units, p.refunded_as_of,
       p.currency, p.occurred_at, p.changed_at, p.points_awarded, p.outcome_reason,
       p.created_at as stored_at,
       p.decision_facts & ${IS_BEFORE_CONNECTION} <> 0 as is_before_connection,
       ${NAMED_NOBODY} is true as is_free, a.user_id as attached_to
     from payments p left join sale_attachments a on a.payment_id = p.id
     where p.id = :id and p.tenant_id = :tenantId`,
    { id, tenantId },
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { refundedAsOf, storedAt, isBeforeConnection, isFree, ...others } = row;
  const { attachedTo, pointsAwarded, outcomeReason, ...payment } = others;
  const sale = { refundedAsOf, storedAt, isBeforeConnection, isFree };
  return { ...sale, attachedTo, pointsAwarded, outcomeReason, payment };
}

type Attaching = { tenantId: TenantId; userId: UserId; operatorId: UserId };

/** Lets nobody else attach a sale as this operator until the transaction ends. */
export async function lockOperator(tx: Tx, operatorId: UserId): Promise<void> {
  await tx.raw(`select pg_advisory_xact_lock(hashtextextended('attaching ' || :operatorId, 0))`, {
    operatorId,
  });
}

/** How much was attached: to the member at the shop in a day, and by the operator in an hour. */
export async function recentOf(
  tx: Tx,
  { tenantId, userId, operatorId }: Attaching,
): Promise<{ ofMember: number; byOperator: number }> {
  const { rows } = await tx.raw<{ rows: { ofMember: number; byOperator: number }[] }>(
    `select (
         select count(*) from sale_attachments
         where user_id = :userId and tenant_id = :tenantId
           and created_at > now() - interval '24 hours'
       ) as of_member, (
         select count(*) from sale_attachments
         where operator_id = :operatorId and created_at > now() - interval '1 hour'
       ) as by_operator`,
    { tenantId, userId, operatorId },
  );
  return one(rows, 'count of attached sales');
}

/** Records who attached a sale to whom. */
export async function record(tx: Tx, paymentId: PaymentId, attached: Attaching): Promise<void> {
  await tx('sale_attachments').insert({ paymentId, ...attached });
}

/** An attached sale, for its merchant. */
export type Attachment = {
  transactionId: PaymentId;
  userId: UserId;
  points: number;
  operatorId: UserId;
  operatorEmail: string | null;
  operatorName: string | null;
  /** How many of the last 30 days are by that operator for that member. */
  byOperatorForMember: number;
  createdAt: Date;
};

/** Lists the attached sales of a tenant, those that were attached last first. */
export async function list(
  db: Db,
  tenantId: TenantId,
  {
    operatorId,
    userId,
    limit,
    after,
  }: {
    operatorId?: UserId | undefined;
    userId?: UserId | undefined;
    limit: number;
    after?: PaymentId | undefined;
  },
): Promise<Attachment[]> {
  const { rows } = await db.raw<{ rows: Attachment[] }>(
    `select a.payment_id as transaction_id, a.user_id, p.points_awarded as points, a.operator_id,
       o.email as operator_email, o.name as operator_name, a.created_at, (
         select count(*) from sale_attachments s
         where s.user_id = a.user_id and s.operator_id = a.operator_id
           and s.tenant_id = a.tenant_id and s.created_at > now() - interval '30 days'
       ) as by_operator_for_member
     from sale_attachments a
     join payments p on p.id = a.payment_id
     join users o on o.id = a.operator_id
     where a.tenant_id = :tenantId
       ${operatorId === undefined ? '' : 'and a.operator_id = :operatorId'}
       ${userId === undefined ? '' : 'and a.user_id = :userId'}
       ${after === undefined ? '' : AFTER}
     order by a.created_at desc, a.payment_id desc limit :limit`,
    {
      tenantId,
      limit,
      ...(operatorId && { operatorId }),
      ...(userId && { userId }),
      ...(after && { after }),
    },
  );
  return rows;
}

const AFTER = `and (a.created_at, a.payment_id) < (
  select created_at, payment_id from sale_attachments where payment_id = :after
)`;
