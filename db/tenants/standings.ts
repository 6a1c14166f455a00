import type { TenantId, UserId, WalletId } from '../../domain/ids.ts';
import { type Day, dayTextOf, spanOfDay } from '../../domain/intervals.ts';
import {
  qualifyingDays,
  type Standing,
  type StandingChange,
  type Tier,
} from '../../domain/tiers.ts';
import type { Db, Tx } from '../connection.ts';
import { one } from '../one.ts';

// Which tiers the customers of tenants have, and what they have spent for them.

/** At what hour of its clocks the tiers of a shop are decided for a day. */
const HOUR = 3;

/** A tenant and the day for which its tiers are to be decided. */
export type TenantDay = { tenantId: TenantId; day: Day };

/**
 * Lists the nights that are to be decided now, of nights that were missed the newest one, in the
 * order of the tenants' ids, starting after `after`: of active tenants with tiers, or with
 * customers who still have one.
 */
export async function listDueNights(
  db: Db,
  page: { after: TenantId | null; limit: number },
): Promise<TenantDay[]> {
  const { rows } = await db.raw<{ rows: TenantDay[] }>(
    `select t.id as tenant_id, n.day::text as day
     from tenants t
     cross join lateral (
       select ((now() at time zone t.time_zone) - interval '${HOUR} hours')::date as day
     ) n
     where t.has_programme and t.status = 'active'
       and (t.tiers_decided_on is null or t.tiers_decided_on < n.day)
       and (:after::uuid is null or t.id > :after::uuid)
       and (
         (select tiers from programme_versions
          where tenant_id = t.id order by version desc limit 1) <> '[]'
         or exists (select from wallet_standings where tenant_id = t.id)
       )
     order by t.id limit :limit`,
    page,
  );
  return rows;
}

/** What decides the tiers of a tenant. */
export type TierTerms = {
  tiers: readonly Tier[];
  returnWindowDays: number;
  timeZone: string;
  /** The newest day for which they were decided. */
  decidedOn: Day | null;
};

/** Finds what decides the tiers of a tenant; undefined while it is suspended, or has none. */
export async function readTerms(db: Db, tenantId: TenantId): Promise<TierTerms | undefined> {
  return findTerms(db, tenantId, '');
}

/** Finds the same, which stays until the transaction ends. */
export async function lockTerms(tx: Tx, tenantId: TenantId): Promise<TierTerms | undefined> {
  return findTerms(tx, tenantId, 'for no key update of t');
}

async function findTerms(db: Db, tenantId: TenantId, lock: string): Promise<TierTerms | undefined> {
  const { rows } = await db.raw<{ rows: TierTerms[] }>(
    `select v.tiers, v.return_window_days, t.time_zone, t.tiers_decided_on::text as decided_on
     from tenants t
     cross join lateral (
       select tiers, return_window_days from programme_versions
       where tenant_id = t.id order by version desc limit 1
     ) v
     where t.id = :tenantId and t.status = 'active' ${lock}`,
    { tenantId },
  );
  return rows[0];
}

/** What a wallet's owner has spent, with the tier that they have. */
export type Spender = {
  walletId: WalletId;
  userId: UserId;
  spent: number;
  standing: Standing | null;
};

const STANDING = `case when s.wallet_id is not null then jsonb_build_object('tierKey', s.tier_key,
      'since', s.since, 'keptUntil', s.kept_until) end as standing`;

/**
 * SQL: what the owner of a wallet `w` has spent in sales that count: credited to them under a rule,
 * in the currency of the shop, less what was refunded. The index of a consumer's sales leads to
 * them.
 */
const SPENT = `(
    select coalesce(sum(greatest(0, p.amount_minor_units - p.refunded_minor_units)), 0)::bigint
    from payments p
    where p.tenant_id = w.tenant_id and p.user_id = w.user_id
      and p.occurred_at >= :from and p.created_at >= :from
      and least(p.occurred_at, p.created_at) < :to
      and p.outcome = 'credited' and p.rule_version is not null
      and p.outcome_reason is distinct from 'currency_mismatch'
      and p.outcome_reason is distinct from 'before_connection'
  ) as spent`;

/** Lists what the owners of the next wallets of a tenant have spent that counts on a day. */
export async function listSpenders(
  db: Db,
  tenantId: TenantId,
  { terms, day, ...page }: { terms: TierTerms; day: Day; after: WalletId | null; limit: number },
): Promise<Spender[]> {
  const { rows } = await db.raw<{ rows: Spender[] }>(
    `select w.id as wallet_id, w.user_id, ${STANDING}, ${SPENT}
     from wallets w join users u on u.id = w.user_id
     left join wallet_standings s on s.wallet_id = w.id
     where w.tenant_id = :tenantId and u.erased_at is null and (w.created_at, w.id) > (
       select coalesce(max(a.created_at), '-infinity'),
         coalesce(:after::uuid, '00000000-0000-0000-0000-000000000000')
       from wallets a where a.id = :after::uuid
     )
     order by w.created_at, w.id limit :limit`,
    { tenantId, ...page, ...boundsOf(terms, day) },
  );
  return rows;
}

/** The tier of a customer, as they read it, and what counts towards the thresholds today. */
export type OwnTier = {
  tier: (Pick<Tier, 'key' | 'name' | 'multiplier'> & Omit<Standing, 'tierKey'>) | null;
  qualifyingMinorUnits: number;
};

/** Finds the tier of a wallet's owner by a version of the programme. */
export async function findOwnTier(
  db: Db,
  walletId: WalletId,
  terms: Pick<TierTerms, 'tiers' | 'returnWindowDays' | 'timeZone'>,
): Promise<OwnTier> {
  const today = dayTextOf(new Date(), terms.timeZone);
  const { rows } = await db.raw<{ rows: Spender[] }>(
    `select ${STANDING}, ${SPENT}
     from wallets w left join wallet_standings s on s.wallet_id = w.id
     where w.id = :walletId`,
    { walletId, ...boundsOf(terms, today) },
  );
  const { standing, spent } = one(rows, 'wallet');
  const its = terms.tiers.find(({ key }) => key === standing?.tierKey);
  if (its === undefined || standing === null) return { tier: null, qualifyingMinorUnits: spent };
  const { key, name, multiplier } = its;
  const { since, keptUntil } = standing;
  return { tier: { key, name, multiplier, since, keptUntil }, qualifyingMinorUnits: spent };
}

/** Finds the tier that is kept of a wallet, whatever the programme says now. */
export async function findKept(db: Db, walletId: WalletId): Promise<Standing | undefined> {
  const { rows } = await db.raw<{ rows: { standing: Standing }[] }>(
    `select ${STANDING} from wallet_standings s where s.wallet_id = :walletId`,
    { walletId },
  );
  return rows[0]?.standing;
}

function boundsOf(
  { returnWindowDays, timeZone }: Pick<TierTerms, 'returnWindowDays' | 'timeZone'>,
  day: Day,
) {
  const { first, last } = qualifyingDays(day, returnWindowDays);
  return { from: spanOfDay(first, timeZone).from, to: spanOfDay(last, timeZone).to };
}

/** A change of somebody's tier. */
export type OwnedChange = StandingChange & { walletId: WalletId; userId: UserId };

/**
 * Stores what was decided for a day, and tells the tenant's own systems of each tier that has
 * changed. The tenant is locked, so that a second call at the same moment finds it stored.
 */
export async function storeChanges(
  tx: Tx,
  { tenantId, day }: TenantDay,
  changes: readonly OwnedChange[],
): Promise<void> {
  await tx.raw(
    `with changed as (
       select * from jsonb_to_recordset(:changes::jsonb) as c("walletId" uuid, "userId" uuid,
         standing jsonb, "from" text, "to" text, cause text)
     ),
     told as (
       insert into tenant_events (tenant_id, type, data)
       select t.id, 'tier.changed', jsonb_build_object('walletId', c."walletId",
         'userId', c."userId", 'from', c."from", 'to', c."to", 'cause', c.cause)
       from changed c join tenants t on t.id = :tenantId
       where t.tells_events and c."from" is distinct from c."to"
     ),
     ended as (
       delete from wallet_standings
       where wallet_id in (select "walletId" from changed where standing is null)
     )
     insert into wallet_standings as s
       (wallet_id, tenant_id, tier_key, since, kept_until, decided_on)
     select "walletId", :tenantId, standing ->> 'tierKey', (standing ->> 'since')::date,
       (standing ->> 'keptUntil')::date, :day
     from changed where standing is not null
     on conflict (wallet_id) do update
     set tier_key = excluded.tier_key, since = excluded.since, kept_until = excluded.kept_until,
       decided_on = excluded.decided_on`,
    { changes: JSON.stringify(changes), tenantId, day },
  );
}

/** Records that the tiers of all customers of a tenant were decided for a day. */
export async function finishNight(db: Db, { tenantId, day }: TenantDay): Promise<void> {
  await db.raw(
    `update tenants set tiers_decided_on = :day
     where id = :tenantId and (tiers_decided_on is null or tiers_decided_on < :day)`,
    { tenantId, day },
  );
}
