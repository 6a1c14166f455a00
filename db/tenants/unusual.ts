import type { TenantId } from '../../domain/ids.ts';
import { USUAL_MOVEMENTS } from '../../domain/unusual.ts';
import type { Db } from '../connection.ts';
import { noteAll } from '../due-work.ts';
import { idAt } from '../ledger/verification/movement.ts';
import { type Addressee, ownersOf } from './owners.ts';

const DAY = `interval '1 day'`;

/**
 * SQL: the users with more sales that earned points, and codes, than are usual within any 24 hours,
 * of those that came to the tenant in the last 24. A sale counts when it occurred: sales of a week
 * that an outage brings at once are no burst.
 */
export const UNUSUAL_USERS = `
  select user_id from (
    select user_id,
      at - lag(at, ${USUAL_MOVEMENTS}) over (partition by user_id order by at) as took
    from (
      select user_id, occurred_at as at from payments
      where tenant_id = :tenantId and created_at > now() - ${DAY} and points_awarded > 0
      union all
      select r.user_id, r.created_at from unnest('{issued,used,expired}'::text[]) as s(status)
      cross join lateral (
        select user_id, created_at from redemptions
        where tenant_id = :tenantId and status = s.status and created_at > now() - ${DAY}
      ) r
    ) moves
  ) bursts
  where took < ${DAY} group by user_id`;

/** The hourly run looks at what moved since the one before it, and at as much again. */
const LOOKED_AT = `interval '2 hours'`;

/**
 * Tenants with a wallet that has moved lately, and more often than usual in 24 hours by its number
 * of entries, whose owners were not told in the last 24 hours.
 */
const TENANTS_TO_TELL = `
  select distinct t.id
  from (
    select distinct wallet_id from ledger_entries where id > ${idAt(`now() - ${LOOKED_AT}`)}
  ) moved
  cross join lateral (
    select tenant_id, seq from wallets where id = moved.wallet_id limit 1
  ) w
  cross join lateral (
    select created_at from ledger_entries
    where wallet_id = moved.wallet_id and seq = w.seq - ${USUAL_MOVEMENTS} limit 1
  ) earlier
  cross join lateral (
    select id, unusual_told_at from tenants where id = w.tenant_id limit 1
  ) t
  where earlier.created_at > now() - ${DAY}
    and (t.unusual_told_at is null or t.unusual_told_at <= now() - ${DAY})`;

/** Makes it due to look at tenants whose owners may have to be told of unusual movements. */
export async function noteTenants(db: Db): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    noteAll('tell_of_unusual', TENANTS_TO_TELL),
  );
  return rowCount;
}

/** The content of the mail about unusual movements, and whom to tell. */
export type UnusualNotice = { id: TenantId; tenantName: string; owners: Addressee[]; day: string };

/** Finds the notices to tenants whose owners were not told in the last 24 hours. */
export async function findNotices(db: Db, ids: readonly TenantId[]): Promise<UnusualNotice[]> {
  const { rows } = await db.raw<{ rows: UnusualNotice[] }>(
    `select t.id, t.name as tenant_name, (now() at time zone 'UTC')::date::text as day,
       ${ownersOf('t.id')} as owners
     from tenants t
     where t.id = any(:ids::uuid[])
       and (t.unusual_told_at is null or t.unusual_told_at <= now() - ${DAY})`,
    { ids: [...ids] },
  );
  return rows;
}

/** Counts the people of a tenant whose movements are unusual at this moment. */
export async function countUnusual(db: Db, tenantId: TenantId): Promise<number> {
  const { rows } = await db.raw<{ rows: unknown[] }>(UNUSUAL_USERS, { tenantId });
  return rows.length;
}

/** Records that the owners were told, so that they are not told again for 24 hours. */
export async function recordTold(db: Db, tenantId: TenantId): Promise<void> {
  await db('tenants').where({ id: tenantId }).update({ unusualToldAt: db.fn.now() });
}
