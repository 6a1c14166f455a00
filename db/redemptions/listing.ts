import { Refusal } from '../../domain/errors.ts';
import type { RedemptionId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { CurrencySums } from '../../domain/list-totals.ts';
import type { RedemptionStatus } from '../../domain/redemption.ts';
import type { NamedReward } from '../../domain/rewards.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db } from '../connection.ts';
import { exact } from '../exact-sum.ts';
import { rewardOf } from '../tenants/rewards.ts';
import { CANCELLED_NOW, IS_HELD, STATUS_NOW } from './status.ts';

// Redemptions as people read them.

/** A redemption as its consumer sees it. */
export type OwnRedemption = {
  id: RedemptionId;
  walletId: WalletId;
  tenantId: TenantId;
  tenantName: string;
  /** In which it was confirmed; null when the tenant's was not known then. */
  currency: string | null;
  status: RedemptionStatus;
  /** Whether it was ended before its time. */
  cancelled: boolean;
  points: number;
  discountValueMinorUnits: number;
  issuedAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  /** What it is for; null for points that the till takes off. */
  reward: NamedReward | null;
  /** Null as soon as the row is closed. */
  sealedCode: Sealed | null;
};

/** What a list of redemptions is narrowed down to. */
type Page = {
  limit: number;
  /** The last one of the page before. */
  after?: RedemptionId | undefined;
  status?: RedemptionStatus | undefined;
};

/** Lists a person's redemptions, of one wallet if it is theirs, newest first after `after`. */
export async function listOfUser(
  db: Db,
  userId: UserId,
  { walletId, ...page }: Page & { walletId?: WalletId | undefined },
): Promise<OwnRedemption[]> {
  const { limit, after = null } = page;
  const { rows } = await db.raw<{ rows: OwnRedemption[] }>(
    `select ${own(db)} from (
       select r.*
       from wallets w cross join unnest(:stored::text[]) s(status)
       cross join lateral (
         select r.* from redemptions r
         where r.wallet_id = w.id and r.status = s.status ${filtersOf(page)}
           ${after === null ? '' : AFTER_OF_USER}
         order by r.created_at desc, r.id desc limit :limit
       ) r
       where w.user_id = :userId ${walletId === undefined ? '' : 'and w.id = :walletId'}
       order by r.created_at desc, r.id desc limit :limit
     ) r join tenants t on t.id = r.tenant_id
     order by r.created_at desc, r.id desc`,
    { userId, walletId: walletId ?? null, stored: storedAs(page), limit, after },
  );
  return rows;
}

/** Returns those of the redemptions that belong to one of the people, in no order. */
export async function listOwned(
  db: Db,
  userIds: readonly UserId[],
  ids: readonly RedemptionId[],
): Promise<OwnRedemption[]> {
  const { rows } = await db.raw<{ rows: OwnRedemption[] }>(
    `select ${own(db)} from redemptions r join tenants t on t.id = r.tenant_id
     where r.user_id = any(:userIds::uuid[]) and r.id = any(:ids::uuid[])`,
    { userIds: [...userIds], ids: [...ids] },
  );
  return rows;
}

/** Returns a person's own redemption. Throws NOT_FOUND, also for another's. */
export async function getOwned(db: Db, userId: UserId, id: RedemptionId): Promise<OwnRedemption> {
  const [redemption] = await listOwned(db, [userId], [id]);
  if (redemption === undefined) throw new Refusal('NOT_FOUND', 'There is no such redemption.');
  return redemption;
}

const shown = (db: Db) => `r.id, r.wallet_id, r.tenant_id, t.name as tenant_name, r.currency,
  ${STATUS_NOW} as status, ${CANCELLED_NOW} as cancelled, r.points,
  r.discount_value_minor_units, r.created_at as issued_at, r.expires_at, r.used_at,
  ${rewardOf(db)}`;
const own = (db: Db) => `${shown(db)}, r.sealed_code`;

/** One who works in a shop, to those there. The address is complete: mask it before sending. */
export type Colleague = { userId: UserId; email: string | null; name: string | null };

/** A redemption as its shop's merchant sees it. */
export type ShopRedemption = Omit<OwnRedemption, 'sealedCode'> & {
  consumer: { userId: UserId; email: string | null; phone: string | null };
  /** The operator who completed it; null unless it was used. */
  usedBy: Colleague | null;
};

type ShopPage = Page & {
  /** Issued then or later. */
  from?: Date | undefined;
  /** Issued before. */
  to?: Date | undefined;
  /** Whose points they are. */
  userId?: UserId | undefined;
};

type ShopRow = Omit<ShopRedemption, 'consumer' | 'usedBy'> & {
  userId: UserId;
  email: string | null;
  phone: string | null;
  usedBy: UserId | null;
  usedByEmail: string | null;
  usedByName: string | null;
};

/** Lists a tenant's redemptions, newest first, starting after `after`. */
export async function listOfTenant(
  db: Db,
  tenantId: TenantId,
  page: ShopPage,
): Promise<ShopRedemption[]> {
  const { rows } = await db.raw<{ rows: ShopRow[] }>(
    `select ${inShop(db)}
     from (
       ${ofEachStatus(page)} order by r.created_at desc, r.id desc limit :limit
     ) r ${WITH_PEOPLE}
     order by r.created_at desc, r.id desc`,
    valuesOf(tenantId, page),
  );
  return rows.map(inShopOf);
}

/**
 * Sums up by currency at most `limit` of a tenant's redemptions: the points and what they take off.
 * Which of them, if there are more, is open.
 */
export async function sumOfTenant(
  db: Db,
  tenantId: TenantId,
  page: Omit<ShopPage, 'after'>,
): Promise<CurrencySums[]> {
  const { rows } = await db.raw<{ rows: CurrencySums[] }>(
    `select currency, count(*)::integer as count,
       ${exact('sum(discount_value_minor_units)')} as amount_minor_units,
       0 as refunded_minor_units, ${exact('sum(points)')} as points, 0 as points_reversed
     from (${ofEachStatus(page)} limit :limit) r
     group by currency order by count desc, currency`,
    valuesOf(tenantId, page),
  );
  return rows;
}

/** Returns the query that finds the last redemptions of each status that agree with the filter. */
function ofEachStatus(page: ShopPage): string {
  const { after, from, to, userId } = page;
  return `
    select r.*
    from unnest(:stored::text[]) s(status)
    cross join lateral (
      select r.* from redemptions r
      where ${userId === undefined ? 'r.tenant_id = :tenantId' : OF_CONSUMER}
        and r.status = s.status ${filtersOf(page)}
        ${from === undefined ? '' : 'and r.created_at >= :from'}
        ${to === undefined ? '' : 'and r.created_at < :to'}
        ${after === undefined ? '' : AFTER_OF_TENANT}
      order by r.created_at desc, r.id desc limit :limit
    ) r`;
}

function valuesOf(tenantId: TenantId, page: ShopPage) {
  const { limit, after = null, from = null, to = null, userId = null } = page;
  return { tenantId, stored: storedAs(page), limit, after, from, to, userId };
}

/** Finds the tenant's redemption by id. */
export async function findInShop(
  db: Db,
  tenantId: TenantId,
  id: RedemptionId,
): Promise<ShopRedemption | undefined> {
  const { rows } = await db.raw<{ rows: ShopRow[] }>(
    `select ${inShop(db)} from redemptions r ${WITH_PEOPLE}
     where r.tenant_id = :tenantId and r.id = :id`,
    { tenantId, id },
  );
  return rows.map(inShopOf)[0];
}

/** Finds the tenant's redemption whose code has one of these HMACs; a list of one, or none. */
export async function findByCode(
  db: Db,
  tenantId: TenantId,
  hmacs: readonly Buffer[],
): Promise<ShopRedemption[]> {
  const { rows } = await db.raw<{ rows: ShopRow[] }>(
    `select ${inShop(db)} from redemptions r ${WITH_PEOPLE}
     where r.tenant_id = :tenantId and r.code_hmac = any(:hmacs::bytea[])`,
    { tenantId, hmacs: [...hmacs] },
  );
  return rows.map(inShopOf);
}

const inShop = (db: Db) =>
  `${shown(db)}, r.user_id, u.email, u.phone, r.used_by, o.email as used_by_email,
    o.name as used_by_name`;
const WITH_PEOPLE = `join tenants t on t.id = r.tenant_id
  join users u on u.id = r.user_id
  left join users o on o.id = r.used_by`;

function inShopOf({ userId, email, phone, ...row }: ShopRow) {
  const { usedBy, usedByEmail, usedByName, ...redemption } = row;
  return {
    ...redemption,
    consumer: { userId, email, phone },
    usedBy: usedBy && { userId: usedBy, email: usedByEmail, name: usedByName },
  };
}

const OF_CONSUMER = `r.wallet_id =
  (select id from wallets where user_id = :userId and tenant_id = :tenantId)`;
const AFTER_OF_USER = `and (r.created_at, r.id) <
  (select created_at, id from redemptions where user_id = :userId and id = :after)`;
const AFTER_OF_TENANT = `and (r.created_at, r.id) <
  (select created_at, id from redemptions where tenant_id = :tenantId and id = :after)`;

/** The statuses that rows may have which have a status by the clock. */
function storedAs({ status }: Page): RedemptionStatus[] {
  if (status === undefined) return ['issued', 'used', 'expired'];
  return status === 'expired' ? ['issued', 'expired'] : [status];
}

/** What leaves out of these rows those that are overdue or held, or are not. */
function filtersOf({ status }: Page): string {
  if (status === 'issued') return `and r.expires_at > statement_timestamp() and not ${IS_HELD}`;
  if (status !== 'expired') return '';
  return `and (r.status = 'expired' or r.expires_at <= statement_timestamp() or ${IS_HELD})`;
}
