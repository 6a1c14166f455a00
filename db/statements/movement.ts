import type { TenantId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { FIRST_WINDOW, idAt, MARGIN } from '../ledger/verification/movement.ts';
import { one } from '../one.ts';
import { OLDEST_TRANSACTION } from '../open-transactions.ts';

/*
 * Which wallets the next statements are to name. They are found as a verification finds what moved
 * (db/ledger/verification/movement.ts): by the ids of new entries, from the beginning of the oldest
 * transaction that was open when the last search began. So an entry that is committed late is seen
 * by the next search. What is seen twice does no harm: a wallet is named only when it has a later
 * entry than the last statement about it. What no search finds, such as entries of a process whose
 * clock is far behind, is found when the part of the wallet is verified.
 */

/** How many entries one statement looks at, in about a second. */
const ENTRIES = 50_000;

/**
 * Begins to collect for the last UTC day that has ended, by the clock of the database, unless that
 * was begun before. A day on which nothing ran is part of the next one.
 */
export async function beginDay(db: Db): Promise<void> {
  await db.raw(
    `insert into statement_progress as p (day, next_id, until_id, following_id)
     select (now() at time zone 'UTC')::date - 1, ${idAt(`now() - ${FIRST_WINDOW}`)},
       ${idAt('now()')}, ${idAt(`began - ${MARGIN}`)}
     from (${OLDEST_TRANSACTION}) oldest
     on conflict (is_only) do update
     set day = excluded.day, until_id = excluded.until_id, following_id = excluded.following_id
     where p.day <> excluded.day`,
  );
}

/**
 * Collects the wallets of the next entries of the day and returns how many entries it has seen;
 * those of a full step are `limit`. At the same moment, one step waits for the other.
 */
export async function collect(db: Db, limit = ENTRIES): Promise<{ seen: number; limit: number }> {
  const { rows } = await db.raw<{ rows: { seen: number }[] }>(
    `with progress as materialized (
       select * from statement_progress where until_id is not null for update
     ),
     fresh as materialized (
       select e.id, e.wallet_id
       from progress p
       cross join lateral (
         select id, wallet_id from ledger_entries
         where id > p.next_id and id <= p.until_id order by id limit :limit
       ) e
     ),
     seen as (
       select count(*) as number, (select id from fresh order by id desc limit 1) as last from fresh
     ),
     moved as (
       insert into moved_wallets (tenant_id, wallet_id)
       select w.tenant_id, w.id
       from (select distinct wallet_id from fresh) f
       cross join lateral (
         select id, tenant_id, seq from wallets where id = f.wallet_id limit 1
       ) w
       left join lateral (
         select seq from signed_heads where wallet_id = f.wallet_id limit 1
       ) signed on true
       where w.seq > coalesce(signed.seq, 0)
       order by w.tenant_id, w.id
       on conflict do nothing
     ),
     advanced as (
       update statement_progress p
       set next_id = case when s.number < :limit then p.following_id else s.last end,
         until_id = case when s.number < :limit then null else p.until_id end
       from seen s
       where p.until_id is not null
     )
     select number as seen from seen`,
    { limit },
  );
  return { ...one(rows, 'count of entries'), limit };
}

/** Tenants that a statement is due for, and the last one that was looked at. */
export type DueTenants = { tenantIds: TenantId[]; last: TenantId | null };

/**
 * Lists the next tenants with moved wallets that have no statement of the day yet, or only full
 * ones, which name `full` wallets. Looks at `limit` tenants with moved wallets.
 */
export async function nextTenants(
  db: Db,
  { after, limit, full }: { after: string; limit: number; full: number },
): Promise<DueTenants> {
  const { rows } = await db.raw<{ rows: { tenantId: TenantId; isDue: boolean }[] }>(
    `with recursive tenant as (
       (select tenant_id, 1 as nth from moved_wallets
        where tenant_id > :after order by tenant_id limit 1)
       union all
       select next.tenant_id, t.nth + 1
       from tenant t
       cross join lateral (
         select tenant_id from moved_wallets
         where tenant_id > t.tenant_id order by tenant_id limit 1
       ) next
       where t.nth < :limit
     )
     select t.tenant_id, newest.day is null or newest.day <> p.day or newest.size >= :full as is_due
     from tenant t
     cross join statement_progress p
     left join lateral (
       select day, size from ledger_statements
       where tenant_id = t.tenant_id order by number desc limit 1
     ) newest on true
     order by t.tenant_id`,
    { after, limit, full },
  );
  return {
    tenantIds: rows.filter(({ isDue }) => isDue).map(({ tenantId }) => tenantId),
    last: rows.length < limit ? null : (rows.at(-1)?.tenantId ?? null),
  };
}
