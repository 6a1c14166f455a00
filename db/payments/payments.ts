import { rebuildRecord, type StoredDecision } from '../../domain/decision-record.ts';
import type { PaymentId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import type { IngestionOutcome } from '../../domain/outcomes.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Contacts } from '../../domain/privacy.ts';
import type { OutcomeReason } from '../../domain/texts/coded-sentence.ts';
import { appliesProgrammes, type Db } from '../connection.ts';
import { STORED_DECISION } from './decisions.ts';
import type { PaymentKey } from './facts.ts';
import { WAITS_UNTIL } from './pending.ts';

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
  /** Points that refunds have still to take back. */
  pointsOwed: number;
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
export type ListedPayment = Omit<Payment, 'decision'> & {
  consumer: { userId: UserId; email: string | null; phone: string | null } | null;
};

/** A listed payment as it is read: `LISTED_COLUMNS` of a payment `p` and its consumer `u`. */
export type ListedRow = Omit<ListedPayment, 'consumer'> & Contacts & { userId: UserId | null };

const COLUMNS: (keyof Omit<Payment, 'decision'>)[] = [
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
  'pointsOwed',
  'locationId',
  'walletId',
  'ruleVersion',
  'createdAt',
];

export const LISTED_COLUMNS: readonly string[] = [
  ...COLUMNS.map((column) => `p.${column}`),
  'p.userId',
  'u.email',
  'u.phone',
];

/** Builds a listed payment of what was read. */
export function asListed({ userId, email, phone, ...payment }: ListedRow): ListedPayment {
  return { ...payment, consumer: userId && { userId, email, phone } };
}

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
    .select<ListedRow[]>(...LISTED_COLUMNS);
  return rows.map(asListed);
}

/** Finds a payment of the tenant by id, with its consumer. */
export async function findListed(
  db: Db,
  tenantId: TenantId,
  id: PaymentId,
): Promise<ListedPayment | undefined> {
  const row = await db('payments as p')
    .leftJoin('users as u', 'u.id', 'p.userId')
    .where({ 'p.tenantId': tenantId, 'p.id': id })
    .first<ListedRow | undefined>(...LISTED_COLUMNS);
  return row && asListed(row);
}

type FoundRow = Omit<Payment, 'decision'> & {
  storedDecision: StoredDecision;
  waitsUntil: Date | null;
  timeZone: string | null;
};

/** A payment with the time from which its points can be used, while they cannot. */
export type ReleasedPayment = Payment & {
  /** By whose clocks people are told so: those of the shop. */
  release: { at: Date; timeZone: string } | null;
};

/** Finds a payment of the tenant by id. */
export async function find(
  db: Db,
  tenantId: TenantId,
  paymentId: PaymentId,
): Promise<ReleasedPayment | undefined> {
  const [payment] = await findAll(db, tenantId, [paymentId]);
  return payment;
}

/** Finds those of these payments that are the tenant's, in no order. */
export async function findAll(
  db: Db,
  tenantId: TenantId,
  ids: readonly PaymentId[],
): Promise<ReleasedPayment[]> {
  const rows = await db('payments as p')
    .where({ 'p.tenantId': tenantId })
    .whereRaw('p.id = any(?::uuid[])', [[...ids]])
    .select<FoundRow[]>(
      ...COLUMNS.map((column) => `p.${column}`),
      db.raw(STORED_DECISION),
      db.raw(`${WAITS_UNTIL} as waits_until`),
      db.raw('(select time_zone from tenants where id = p.tenant_id) as time_zone'),
    );
  return rows.map(({ storedDecision, waitsUntil: at, timeZone, ...payment }) => {
    const release = appliesProgrammes(db) && at ? { at, timeZone: timeZone ?? 'UTC' } : null;
    return { ...payment, release, decision: rebuildRecord(storedDecision) };
  });
}

/**
 * Whether each of the payments is stored and matched, so that its customer need not be looked up;
 * in the order of the keys.
 */
export async function areDecided(db: Db, keys: readonly PaymentKey[]): Promise<boolean[]> {
  const { rows } = await db.raw<{ rows: { isDecided: boolean }[] }>(
    `select exists (
       select from payments p where p.tenant_id = k.tenant_id and p.provider = k.provider
         and p.provider_payment_id = k.payment_id and p.outcome <> 'stored_anonymous'
     ) as is_decided
     from unnest(:tenants::uuid[], :providers::text[], :ids::text[])
       with ordinality as k(tenant_id, provider, payment_id, nth)
     order by nth`,
    {
      tenants: keys.map(({ tenantId }) => tenantId),
      providers: keys.map(({ provider }) => provider),
      ids: keys.map(({ providerPaymentId }) => providerPaymentId),
    },
  );
  return rows.map(({ isDecided }) => isDecided);
}
