import type { TenantId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { one } from '../one.ts';
import { OLDEST_TRANSACTION } from '../open-transactions.ts';

/*
 * How many wallets and payments a tenant has, without reading all of them and without a write for a
 * sale. `tenant_counts` says how many were created before a moment; those since are counted, by the
 * index of the tenant's newest ones. When they become many, the moment moves on.
 *
 * A row is created at the start of its transaction, by the clock of the database, and is never
 * deleted. Before a moment at which no transaction was open that is still open, nothing can appear
 * any more, so that the sum of both parts is the number of rows, in any snapshot.
 */

/** What is counted of a tenant, by the name of its table. */
export type Counted = 'wallets' | 'payments';

/** What bounds the work of one call. */
const LIMITS = {
  /** So many rows are counted in about a millisecond; with more the count is settled first. */
  few: 1_000,
  /** How many rows one statement settles, in about 50 ms. */
  step: 100_000,
  /** How many statements one call runs. What is left is counted, and settled by later calls. */
  steps: 20,
  /**
   * How far a settled moment stays behind the oldest open transaction: more than clocks differ
   * after a failover. If one was set back further, the verification finds it, and `forget` helps.
   */
  behindMinutes: 5,
};

/**
 * Returns how many rows each tenant has, exactly, as of some moment of the call. A tenant is read
 * from its beginning once; from then on the time depends on how much was created lately.
 */
export async function countOf(
  db: Db,
  counted: Counted,
  tenantIds: readonly TenantId[],
  limits = LIMITS,
): Promise<Map<TenantId, number>> {
  const counts = new Map<TenantId, number>();
  const many: TenantId[] = [];
  for (const { tenantId, number, isWhole } of await read(db, counted, tenantIds, limits.few)) {
    counts.set(tenantId, number);
    if (!isWhole) many.push(tenantId);
  }
  if (many.length === 0) return counts;
  const before = await settledMoment(db, limits.behindMinutes);
  for (const tenantId of many) {
    const settling = { counted, tenantId, before, step: limits.step };
    for (let steps = 0; steps < limits.steps; steps++) {
      if (await settle(db, settling)) break;
    }
  }
  for (const { tenantId, number } of await read(db, counted, many, null)) {
    counts.set(tenantId, number);
  }
  return counts;
}

/** Returns how many rows one tenant has, as `countOf` does. */
export async function countOne(db: Db, counted: Counted, tenantId: TenantId): Promise<number> {
  const counts = await countOf(db, counted, [tenantId]);
  return counts.get(tenantId) ?? 0;
}

/** Forgets what is settled of a tenant, so that the next call counts from the beginning. */
export async function forget(db: Db, tenantId: TenantId): Promise<void> {
  await db('tenant_counts').where({ tenantId }).delete();
}

type Count = { tenantId: TenantId; number: number; isWhole: boolean };

/** Adds to what is settled the rows since, at most `most`; `isWhole` says whether these are all. */
async function read(
  db: Db,
  counted: Counted,
  tenantIds: readonly TenantId[],
  most: number | null,
): Promise<Count[]> {
  const { rows } = await db.raw<{ rows: Count[] }>(
    `select t.id as tenant_id, coalesce(c.number, 0) + since.number as number,
       since.number < coalesce(:most::bigint, since.number + 1) as is_whole
     from unnest(:tenantIds::uuid[]) as t(id)
     left join tenant_counts c on c.tenant_id = t.id and c.counted = :counted
     cross join lateral (
       select count(*) as number from (
         select from ${counted} r
         where r.tenant_id = t.id and r.created_at >= coalesce(c.created_before, '-infinity')
         limit :most
       ) rows
     ) since`,
    { counted, tenantIds: [...tenantIds], most },
  );
  return rows;
}

/** Returns a moment before which no row can appear, as text, since a Date is too coarse. */
export async function settledMoment(db: Db, behindMinutes = LIMITS.behindMinutes): Promise<string> {
  // Only the service's role writes these tables, and it sees its own transactions. This must have
  // ended before rows are counted: a transaction that ends in between is then seen by its rows.
  const { rows } = await db.raw<{ rows: { moment: string }[] }>(
    `select (began - make_interval(mins => :behindMinutes))::text as moment
     from (${OLDEST_TRANSACTION}) oldest`,
    { behindMinutes },
  );
  return one(rows, 'moment').moment;
}

/**
 * Settles the next rows of a tenant that were created before a moment, and returns whether those
 * were the last. Of concurrent calls one settles and the others change nothing.
 */
async function settle(
  db: Db,
  settling: { counted: Counted; tenantId: TenantId; before: string; step: number },
): Promise<boolean> {
  const { counted } = settling;
  const { rows } = await db.raw<{ rows: { isLast: boolean }[] }>(
    `with known as (
       select coalesce(max(created_before), '-infinity') as since from tenant_counts
       where tenant_id = :tenantId and counted = :counted
     ),
     step as (
       -- Rows of one moment are settled together, however many they are.
       select k.since, case when nth.created_at is null then :before::timestamptz
         else least(:before, greatest(nth.created_at, k.since + interval '1 microsecond'))
       end as before
       from known k
       left join lateral (
         select r.created_at from ${counted} r
         where r.tenant_id = :tenantId and r.created_at >= k.since
         order by r.created_at, r.id offset :step limit 1
       ) nth on true
     ),
     added as (
       select s.since, s.before, (
         select count(*) from ${counted} r
         where r.tenant_id = :tenantId and r.created_at >= s.since and r.created_at < s.before
       ) as number
       from step s where s.before > s.since
     ),
     first as (
       insert into tenant_counts (tenant_id, counted, number, created_before)
       select :tenantId, :counted, number, before from added where since = '-infinity'
       on conflict on constraint tenant_counts_once_per_tenant do nothing
     ),
     next as (
       update tenant_counts c set number = c.number + a.number, created_before = a.before
       from added a
       where c.tenant_id = :tenantId and c.counted = :counted and c.created_before = a.since
     )
     select before >= :before::timestamptz as is_last from step`,
    settling,
  );
  return one(rows, 'step').isLast;
}
