import type { MonthsOfShop } from '../../domain/expiry-months.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import type { Month } from '../../domain/intervals.ts';
import type { Db } from '../connection.ts';
import { dateOf, monthIn, readCalendars } from '../ledger/expiring.ts';
import type { Addressee } from './owners.ts';
import { ruleInEffect } from './reward-rules.ts';

// How far the months of tenants have come whose points expire.

export type SkippedMonth = 'suspended' | 'no_rule';

type MonthsRow = {
  tenantId: TenantId;
  finished: string[];
  told: Record<string, string>;
  noticeDays: number;
  tightenedAt: Date | null;
};

/**
 * Lists how far the months of tenants with a programme have come, in the order of their ids,
 * starting after `after`.
 */
export async function listMonths(
  db: Db,
  page: { after: TenantId | null; limit: number },
): Promise<(MonthsOfShop & { tenantId: TenantId })[]> {
  return readMonths(db, '(:after::uuid is null or t.id > :after::uuid)', page);
}

/** Finds how far the months of one tenant have come. */
export async function findMonths(db: Db, tenantId: TenantId): Promise<MonthsOfShop | undefined> {
  const [shop] = await readMonths(db, 't.id = :tenantId', { tenantId, limit: 1 });
  return shop;
}

async function readMonths(
  db: Db,
  which: string,
  bindings: { limit: number; after?: TenantId | null; tenantId?: TenantId },
): Promise<(MonthsOfShop & { tenantId: TenantId })[]> {
  const { rows } = await db.raw<{ rows: MonthsRow[] }>(monthsOf(which), bindings);
  const calendars = await readCalendars(
    db,
    rows.map(({ tenantId }) => tenantId),
  );
  return rows.flatMap(({ finished, told, ...row }) => {
    const calendar = calendars.get(row.tenantId);
    if (calendar === undefined) return [];
    const times = Object.entries(told).map(
      ([month, at]) => [monthIn(month), new Date(at)] as const,
    );
    return { ...row, finished: new Set(finished.map(monthIn)), told: new Map(times), calendar };
  });
}

const monthsOf = (which: string) => `
  select t.id as tenant_id, v.expiry_notice_days as notice_days, tightened.at as tightened_at,
    array(select month::text from expiry_runs
      where tenant_id = t.id and finished_at is not null) as finished,
    (select coalesce(jsonb_object_agg(month::text, told_at), '{}') from expiry_runs
      where tenant_id = t.id and told_at is not null) as told
  from tenants t
  cross join lateral (
    select expiry_notice_days from programme_versions
    where tenant_id = t.id order by version desc limit 1
  ) v
  left join lateral (
    -- Compared with the rule in effect when it was published, whenever it takes effect.
    select max(r.created_at) as at from reward_rules r
    cross join lateral (
      select min_balance_to_redeem, max_redemption_percentage from reward_rules e
      where e.tenant_id = t.id and e.version < r.version and e.effective_from <= r.created_at
      order by e.version desc limit 1
    ) before
    where r.tenant_id = t.id and r.created_at > now() - interval '60 days'
      and (r.min_balance_to_redeem > before.min_balance_to_redeem
        or r.max_redemption_percentage < before.max_redemption_percentage)
  ) tightened on true
  where t.has_programme and ${which}
  order by t.id limit :limit`;

/** For so long after its reinstatement nothing is taken of a shop's customers. */
const REINSTATED_FOR = `interval '14 days'`;

/**
 * Returns why a month of a tenant that ended, or ends, at a time is skipped; null if it is not.
 * What suspends and reinstates is in the audit log.
 */
export async function skipReason(
  db: Db,
  tenantId: TenantId,
  endedAt: Date,
): Promise<SkippedMonth | null> {
  const { rows } = await db.raw<{ rows: { skipped: SkippedMonth | null }[] }>(
    `select case
         when last.action = 'tenant.suspend'
           or last.created_at > :endedAt::timestamptz - ${REINSTATED_FOR} then 'suspended'
         when not exists (${ruleInEffect('r.id', ':tenantId')}) then 'no_rule'
       end as skipped
     from (select) one
     left join lateral (
       select action, created_at from audit_log
       where tenant_id = :tenantId and action in ('tenant.suspend', 'tenant.reinstate')
         and created_at <= :endedAt
       order by seq desc limit 1
     ) last on true`,
    { tenantId, endedAt },
  );
  return rows[0]?.skipped ?? null;
}

/** Records that all were told what a month will take of them. */
export async function recordTold(
  db: Db,
  { tenantId, month }: { tenantId: TenantId; month: Month },
): Promise<void> {
  await db.raw(
    `insert into expiry_runs (tenant_id, month, told_at) values (:tenantId, :month, now())
     on conflict on constraint expiry_runs_once_per_month do update
     set told_at = now()`,
    { tenantId, month: dateOf(month) },
  );
}

/** Whether a month was taken or skipped, of any wallet or of none. */
export async function isAnyTaken(db: Db, tenantId: TenantId): Promise<boolean> {
  const row = await db('expiry_runs').where({ tenantId }).whereNotNull('begunAt').first('month');
  return row !== undefined;
}

/** Wallets of a tenant that hold points, or ever have, in the order in which they were made. */
export type WalletPage = {
  tenantId: TenantId;
  after: WalletId | null;
  limit: number;
  which: 'with points' | 'with entries';
};

/** What a page reads of the ledger at most, but for a wallet that has more by itself. */
const MAX_ENTRIES = 50_000;

/** Lists the next wallets of a tenant with points, or entries; few where they have many entries. */
export async function listWallets(db: Db, { which, ...page }: WalletPage): Promise<WalletId[]> {
  const { rows } = await db.raw<{ rows: { id: WalletId }[] }>(
    `select id from (
       select id, created_at, sum(seq) over (order by created_at, id) - seq as before
       from (
         select id, created_at, seq from wallets
         where tenant_id = :tenantId and ${which === 'with points' ? 'balance' : 'seq'} > 0
           and (created_at, id) > (
           select coalesce(max(a.created_at), '-infinity'),
             coalesce(:after::uuid, '00000000-0000-0000-0000-000000000000')
           from wallets a where a.id = :after::uuid
         )
         order by created_at, id limit :limit
       ) next
     ) bounded
     where before < ${MAX_ENTRIES} order by created_at, id`,
    page,
  );
  return rows.map(({ id }) => id);
}

/** Somebody who can be told that points of theirs expire. */
export type Expectant = Omit<Addressee, 'id'> & { walletId: WalletId };

/** Lists those of the wallets whose owners were not told of a month and can be. */
export async function listUntold(
  db: Db,
  walletIds: readonly WalletId[],
  month: Month,
): Promise<Expectant[]> {
  const { rows } = await db.raw<{ rows: Expectant[] }>(
    `select w.id as wallet_id, u.email, u.language from wallets w join users u on u.id = w.user_id
     where w.id = any(:walletIds::uuid[]) and u.email_verified and u.email is not null
       and u.status = 'active'
       and not exists (
         select from expiry_notices n where n.wallet_id = w.id and n.month = :month
       )
     order by w.id`,
    { walletIds: [...walletIds], month: dateOf(month) },
  );
  return rows;
}

/** Records that the owner of a wallet was told of a month. */
export async function recordNotice(db: Db, walletId: WalletId, month: Month): Promise<void> {
  await db('expiry_notices')
    .insert({ walletId, month: dateOf(month) })
    .onConflict(['walletId', 'month'])
    .ignore();
}

/** Lists the months of which the owner of a wallet was told, oldest first. */
export async function listNotices(db: Db, walletId: WalletId): Promise<Month[]> {
  const { rows } = await db.raw<{ rows: { month: string }[] }>(
    'select month::text from expiry_notices where wallet_id = :walletId order by month',
    { walletId },
  );
  return rows.map(({ month }) => monthIn(month));
}
