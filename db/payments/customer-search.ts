import type { PaymentId, TenantId } from '../../domain/ids.ts';
import { STORED_OUTCOMES } from '../../domain/outcomes.ts';
import type { Db } from '../connection.ts';
import { asListed, LISTED_COLUMNS, type ListedPayment, type ListedRow } from './payments.ts';

/** How many days an amount is searched back: the index by time leads to it. */
const DAYS = 90;

/** The sales of an amount: what is compared is in the index, so that no other row is read. */
const BY_AMOUNT = `
  select found.* from unnest(:outcomes::text[]) as o(outcome)
  cross join lateral (
    select id, occurred_at from payments
    where tenant_id = :tenantId and outcome = o.outcome
      and occurred_at > now() - interval '${DAYS} days' and amount_minor_units = :amount
      and currency = :currency
    order by occurred_at desc, id desc limit :limit
  ) found`;

/** Sales that named a contact whom nobody had verified. */
const BY_CONTACT = `
  select id, occurred_at from payments
  where tenant_id = :tenantId and outcome = 'stored_anonymous'
    and email_fingerprint = any(:fingerprints::bytea[])
  union
  select id, occurred_at from payments
  where tenant_id = :tenantId and outcome = 'stored_anonymous'
    and phone_fingerprint = any(:fingerprints::bytea[])`;

/** Finds the last sales of an amount in the last 90 days, the newest first. */
export async function findByAmount(
  db: Db,
  tenantId: TenantId,
  asked: { amount: number; currency: string; limit: number },
): Promise<ListedPayment[]> {
  return findThose(db, tenantId, BY_AMOUNT, { ...asked, outcomes: [...STORED_OUTCOMES] });
}

/** Finds the last sales that named a contact and still have no customer, the newest first. */
export async function findByContact(
  db: Db,
  tenantId: TenantId,
  { fingerprints, limit }: { fingerprints: readonly Buffer[]; limit: number },
): Promise<ListedPayment[]> {
  return findThose(db, tenantId, BY_CONTACT, { fingerprints: [...fingerprints], limit });
}

async function findThose(
  db: Db,
  tenantId: TenantId,
  which: string,
  bindings: Record<string, unknown> & { limit: number },
): Promise<ListedPayment[]> {
  const { rows } = await db.raw<{ rows: { id: PaymentId }[] }>(
    `select id from (${which}) its order by occurred_at desc, id desc limit :limit`,
    { tenantId, ...bindings },
  );
  if (rows.length === 0) return [];
  const listed = await db('payments as p')
    .leftJoin('users as u', 'u.id', 'p.userId')
    .where({ 'p.tenantId': tenantId })
    .whereRaw('p.id = any(?::uuid[])', [rows.map(({ id }) => id)])
    .orderBy('p.occurredAt', 'desc')
    .orderBy('p.id', 'desc')
    .select<ListedRow[]>(...LISTED_COLUMNS);
  return listed.map(asListed);
}
