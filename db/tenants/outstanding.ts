import type { TenantId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { exact } from '../exact-sum.ts';
import { one } from '../one.ts';
import { countOne } from './statistics.ts';

/*
 * What a tenant's consumers can still redeem, or get back: all balances and the points in open
 * codes. A balance changes with each sale, so no index can hold the balances without a cost for
 * each. Up to some number of wallets they are added up when a report asks. Beyond that a report
 * would read millions of rows, so a job adds them up each hour, and reports show its last sum.
 */

/** Points that a tenant's consumers have and owe. */
export type PointsNow = {
  /** All balances and the points in open codes. */
  outstanding: number;
  /** Those that refunds have still to take, from what comes next. */
  owed: number;
};

const LIMITS = {
  /** So many wallets are added up in some 0.2 s. */
  live: 100_000,
  /** How many wallets one statement of the job adds up. */
  page: 100_000,
};

/** Returns what the consumers of a tenant have and owe: now, but for the balances of very many. */
export async function pointsNow(db: Db, tenantId: TenantId, limits = LIMITS): Promise<PointsNow> {
  const isLive = (await countOne(db, 'wallets', tenantId)) <= limits.live;
  if (!isLive && !(await isKept(db, tenantId))) await keep(db, tenantId, limits);
  const balances = isLive
    ? 'select sum(balance) as points from wallets where tenant_id = :tenantId'
    : 'select balances as points from tenant_balances where tenant_id = :tenantId';
  const { rows } = await db.raw<{ rows: PointsNow[] }>(
    `select ${exact('coalesce(balances.points, 0) + open_codes.points')} as outstanding,
       ${exact('debts.points')} as owed
     from (${balances}) balances
     cross join (
       select coalesce(sum(points), 0) as points from redemptions
       where tenant_id = :tenantId and status = 'issued'
     ) open_codes
     cross join (
       select sum(owed) as points from wallets where tenant_id = :tenantId and owed > 0
     ) debts`,
    { tenantId },
  );
  return one(rows, 'sum of points');
}

/** Adds up the balances of the tenants with very many wallets anew; returns how many tenants. */
export async function keepAll(db: Db, limits = LIMITS): Promise<number> {
  const large = await db('tenant_counts')
    .where({ counted: 'wallets' })
    .where('number', '>', limits.live)
    .select<{ tenantId: TenantId }[]>('tenantId');
  for (const { tenantId } of large) await keep(db, tenantId, limits);
  return large.length;
}

async function isKept(db: Db, tenantId: TenantId): Promise<boolean> {
  return (await db('tenant_balances').where({ tenantId }).first('tenantId')) !== undefined;
}

type Page = { points: number; last: string | null; createdAt: string | null };

/** Adds up a tenant's balances page by page, each as of its own moment, and keeps the sum. */
async function keep(db: Db, tenantId: TenantId, { page }: typeof LIMITS): Promise<void> {
  let balances = 0;
  let after: Omit<Page, 'points'> = { last: null, createdAt: null };
  do {
    const { rows } = await db.raw<{ rows: Page[] }>(PAGE, { tenantId, ...after, limit: page });
    const { points, ...next } = one(rows, 'sum of balances');
    balances += points;
    after = next;
  } while (after.last !== null);
  await db('tenant_balances')
    .insert({ tenantId, balances, addedUpAt: db.fn.now() })
    .onConflict('tenantId')
    .merge();
}

const PAGE = `
  with page as materialized (
    select id, created_at, balance from wallets
    where tenant_id = :tenantId
      and (:last::uuid is null or (created_at, id) < (:createdAt::timestamptz, :last::uuid))
    order by created_at desc, id desc limit :limit
  ),
  last as (select id, created_at from page order by created_at, id limit 1)
  select ${exact('(select sum(balance) from page)')} as points,
    (select id from last) as last, (select created_at::text from last) as created_at`;
