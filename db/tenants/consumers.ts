import type { TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { exact } from '../exact-sum.ts';
import type { WalletStatus } from '../ledger/wallets.ts';
import { one } from '../one.ts';
import { UNUSUAL_USERS } from './unusual.ts';

/** A user with a wallet at a tenant. The contacts are complete: mask them before they are sent. */
export type Consumer = {
  userId: UserId;
  walletId: WalletId;
  email: string | null;
  phone: string | null;
  balance: number;
  status: WalletStatus;
  /** When points last moved; null when they never did. */
  lastActivityAt: Date | null;
};

/** A consumer with what says whether sales that name the contacts are theirs. */
export type ContactedConsumer = Consumer & { emailVerified: boolean; phoneVerified: boolean };

/** Finds a tenant's consumer; undefined for whoever has no wallet there. */
export async function find(
  db: Db,
  tenantId: TenantId,
  userId: UserId,
): Promise<ContactedConsumer | undefined> {
  const { rows } = await db.raw<{ rows: ContactedConsumer[] }>(
    `${CONSUMER} where w.tenant_id = :tenantId and w.user_id = :userId`,
    { tenantId, userId },
  );
  return rows[0];
}

/** What a customer may say to be found by, exactly; a contact also while it is not verified. */
export type Sought = { email: string | null; phone: string | null; memberNumber: string | null };

/** Finds up to `limit` of a tenant's consumers by what they say; whoever has no wallet is not. */
export async function findSought(
  db: Db,
  tenantId: TenantId,
  { limit, ...sought }: Sought & { limit: number },
): Promise<Consumer[]> {
  const { rows } = await db.raw<{ rows: Consumer[] }>(
    `${CONSUMER}
     where w.tenant_id = :tenantId and w.user_id = any(array(
       select id from users where coalesce(ascii_email, email) = :email and email_verified
       union
       select id from users where email = :email and length(email) <= 320
       union
       select id from users where phone = :phone
       union
       select id from users where member_number = :memberNumber and status = 'active'
     ))
     order by w.created_at desc, w.id desc limit :limit`,
    { tenantId, limit, ...sought },
  );
  return rows;
}

/**
 * What a tenant knows of a consumer's visits: sales in its currency, or in any while that is not
 * known, less what was refunded.
 */
export type Visits = {
  visits: number;
  firstVisitAt: Date | null;
  lastVisitAt: Date | null;
  /** Of a visit, rounded. */
  averageMinorUnits: number;
  /** In the last 12 months. */
  yearMinorUnits: number;
};

/** Sums up the sales to a consumer that were not refunded in full. */
export async function sumVisits(db: Db, tenantId: TenantId, userId: UserId): Promise<Visits> {
  const { rows } = await db.raw<{ rows: Visits[] }>(
    `select count(*)::integer as visits, min(p.occurred_at) as first_visit_at,
       max(p.occurred_at) as last_visit_at,
       coalesce(round(avg(p.amount_minor_units - p.refunded_minor_units)), 0)::bigint
         as average_minor_units,
       coalesce(sum(p.amount_minor_units - p.refunded_minor_units)
         filter (where p.occurred_at > now() - interval '12 months'), 0)::bigint
         as year_minor_units
     from payments p
     where p.tenant_id = :tenantId and p.user_id = :userId
       and p.refunded_minor_units < p.amount_minor_units
       and p.currency = coalesce(
         (select currency from tenants where id = :tenantId), p.currency
       )`,
    { tenantId, userId },
  );
  return one(rows, 'sum of visits');
}

/** What the list is narrowed down to. */
type Which = {
  /** Those who owe points. */
  owes?: boolean;
  /** Those whose movements are unusual at this moment. */
  unusual?: boolean;
};

/** Lists a tenant's consumers, newest wallet first, starting after `after`. */
export async function listOfTenant(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after?: WalletId | undefined } & Which,
): Promise<Consumer[]> {
  const { limit, after } = page;
  const { rows } = await db.raw<{ rows: Consumer[] }>(
    `${CONSUMER}
     where w.tenant_id = :tenantId ${conditionsOf(page)}
       ${after === undefined ? '' : AFTER}
     order by w.created_at desc, w.id desc
     limit :limit`,
    { tenantId, limit, ...(after && { after }) },
  );
  return rows;
}

/** Counts at most `limit` of a tenant's consumers, and sums up their points. */
export async function sumOfTenant(
  db: Db,
  tenantId: TenantId,
  { limit, ...which }: { limit: number } & Which,
): Promise<{ count: number; points: number }> {
  const { rows } = await db.raw<{ rows: { count: number; points: number }[] }>(
    `select count(*)::integer as count, ${exact('sum(balance)')} as points
     from (
       select w.balance from wallets w
       where w.tenant_id = :tenantId ${conditionsOf(which)}
       limit :limit
     ) w`,
    { tenantId, limit },
  );
  return one(rows, 'sum of consumers');
}

function conditionsOf({ owes = false, unusual = false }: Which): string {
  return `${owes ? 'and w.owed > 0' : ''}
    ${unusual ? `and w.user_id = any(array(${UNUSUAL_USERS}))` : ''}`;
}

const CONSUMER = `
  select w.user_id, w.id as wallet_id, u.email, u.phone, u.email_verified, u.phone_verified,
    w.balance, w.status,
    (select e.created_at from ledger_entries e where e.wallet_id = w.id and e.seq = w.seq)
      as last_activity_at
  from wallets w join users u on u.id = w.user_id`;

const AFTER = `and (w.created_at, w.id) <
  (select a.created_at, a.id from wallets a where a.tenant_id = :tenantId and a.id = :after)`;
