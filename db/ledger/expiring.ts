import {
  type DuePoints,
  ExpiryCalendar,
  pointsDue,
  type ValidityVersion,
} from '../../domain/expiry.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { type Month, monthText, parseMonth } from '../../domain/intervals.ts';
import type { EarnedLot } from '../../domain/liability.ts';
import { timeZoneOf } from '../../domain/time-zones.ts';
import { appliesProgrammes, type Db, type Tx } from '../connection.ts';
import { newIds } from '../new-id.ts';
import * as ledger from './postings.ts';

// What of a wallet's points is due, and is taken (domain/expiry.ts).

/** The first day of a month, as the tables have it. */
export const dateOf = (month: Month) => `${monthText(month)}-01`;

/** Reads a month, or its first day, from text. */
export function monthIn(date: string): Month {
  const month = parseMonth(date);
  if (month === undefined) throw new Error(`${date} is no month.`);
  return month;
}

type CalendarRow = {
  tenantId: TenantId;
  timeZone: string | null;
  country: string | null;
  versions: { publishedAt: string; validityMonths: number | null }[];
};

/** Reads by what points of tenants expire; those that published no programme are left out. */
export async function readCalendars(
  db: Db,
  tenantIds: readonly TenantId[],
): Promise<Map<TenantId, ExpiryCalendar>> {
  const { rows } = await db.raw<{ rows: CalendarRow[] }>(
    `select t.id as tenant_id, t.time_zone, t.country, (
       select jsonb_agg(jsonb_build_object('publishedAt', v.published_at,
         'validityMonths', v.validity_months) order by v.published_at, v.version)
       from programme_versions v where v.tenant_id = t.id
     ) as versions
     from tenants t
     where t.id = any(:tenantIds::uuid[]) and t.has_programme
       and exists (select from programme_versions v where v.tenant_id = t.id)`,
    { tenantIds: [...tenantIds] },
  );
  return new Map(rows.map((row) => [row.tenantId, calendarOf(row)]));
}

/** Reads by what the points of a tenant expire; undefined where it has no programme. */
export async function readCalendar(
  db: Db,
  tenantId: TenantId,
): Promise<ExpiryCalendar | undefined> {
  return (await readCalendars(db, [tenantId])).get(tenantId);
}

function calendarOf({ versions, ...clocks }: CalendarRow): ExpiryCalendar {
  const known = versions.map(({ publishedAt, validityMonths }): ValidityVersion => {
    return { publishedAt: new Date(publishedAt), validityMonths };
  });
  return new ExpiryCalendar(timeZoneOf(clocks, new Date()) ?? 'UTC', known);
}

/** A wallet's balance, and its lots by their months. */
export type WalletLots = { walletId: WalletId; balance: number; lots: EarnedLot[] };

/**
 * Reads the lots of wallets from one state of the database, up to the present month. What refunds
 * have taken of a sale is told by its entries alone. Lots from before the first version of the
 * programme count as of its month, in which no validity governs yet: they are due with it.
 */
export async function readLots(
  db: Db,
  walletIds: readonly WalletId[],
  calendar: ExpiryCalendar,
  now: Month,
): Promise<WalletLots[]> {
  const first = Math.min(calendar.firstMonth ?? now, now);
  const months = Array.from({ length: now + 1 - first }, (_, nth) => first + nth);
  const { rows } = await db.raw<{ rows: LotsRow[] }>(LOTS, {
    walletIds: [...walletIds],
    starts: months.map((month) => calendar.startOf(month)),
  });
  return rows.map(({ walletId, balance, lots }) => ({
    walletId,
    balance,
    lots: lots.map(([nth, points, earned]) => ({ month: first + nth - 1, points, earned })),
  }));
}

type LotsRow = {
  walletId: WalletId;
  balance: number;
  lots: [nth: number, points: number, earned: number][];
};

/** An entry `e` that begins a lot: what comes back of a code or a refund keeps its month. */
const IS_LOT = `e.entry_type = 'credit' and e.reason in ('purchase', 'admin_adjustment')`;

const LOTS = `
  select w.id as wallet_id, w.balance, coalesce((
    select jsonb_agg(jsonb_build_array(nth, points, earned)) from (
      select nth, sum(net) as points, sum(earned) as earned
      from (
        select max(case when ${IS_LOT} then
            greatest(1, width_bucket(e.created_at, :starts::timestamptz[])) end) as nth,
          sum(case e.entry_type when 'credit' then e.points else -e.points end) as net,
          sum(e.points) filter (where ${IS_LOT}) as earned
        from ledger_entries e
        where e.wallet_id = w.id and (e.reason = 'payment_refunded' or ${IS_LOT})
        group by e.source_id
      ) lot
      group by nth
    ) month
  ), '[]') as lots
  from wallets w where w.id = any(:walletIds::uuid[])`;

/** Of whom, and by what, the expiry of a month takes points. */
export type Expiring = {
  tenantId: TenantId;
  calendar: ExpiryCalendar;
  month: Month;
  /** The present month. */
  now: Month;
};

type WalletDue = DuePoints & { walletId: WalletId };

/** Returns in which months points are due, for the expiry of a month. */
export function dueMonths({ calendar, month, now }: Expiring): (earned: Month) => Month {
  const until = Math.max(month, now);
  const dues = new Map<Month, Month>();
  return (earned) => {
    const due = dues.get(earned) ?? calendar.dueOf(earned, until);
    dues.set(earned, due);
    return due;
  };
}

/** Returns what the expiry of a month takes of each of the wallets, in which something is due. */
export async function readDue(
  db: Db,
  expiring: Expiring,
  walletIds: readonly WalletId[],
): Promise<WalletDue[]> {
  return allDue(expiring, await readLots(db, walletIds, expiring.calendar, expiring.now));
}

/**
 * Returns how many points the end of a month takes of wallets if nothing moves, for those of which
 * it takes any: not what the ends of the months before it will have taken.
 */
export async function readDueAlone(
  db: Db,
  expiring: Expiring,
  walletIds: readonly WalletId[],
): Promise<Map<WalletId, number>> {
  const { month, now } = expiring;
  const held = await readLots(db, walletIds, expiring.calendar, now);
  const sooner = month > now ? allDue({ ...expiring, month: month - 1 }, held) : [];
  const pointsSooner = new Map(sooner.map(({ walletId, points }) => [walletId, points]));
  const alone = new Map<WalletId, number>();
  for (const { walletId, points } of allDue(expiring, held)) {
    const rest = points - (pointsSooner.get(walletId) ?? 0);
    if (rest > 0) alone.set(walletId, rest);
  }
  return alone;
}

function allDue(expiring: Expiring, held: readonly WalletLots[]): WalletDue[] {
  const { month } = expiring;
  const dueOf = dueMonths(expiring);
  return held.flatMap(({ walletId, ...lots }) => {
    const due = pointsDue(lots, { month, dueOf });
    return due === null ? [] : { walletId, ...due };
  });
}

/**
 * Takes what the expiry of a month takes of locked wallets of a tenant, by their lots, which were
 * read since they are locked, and returns how many points. Taken again, it takes nothing.
 */
export async function take(
  tx: Tx,
  expiring: Expiring,
  held: readonly WalletLots[],
): Promise<number> {
  const { tenantId, month } = expiring;
  const due = allDue(expiring, held);
  if (due.length === 0) return 0;
  const ids = newIds(due.length);
  await tx.raw(
    `insert into point_expiries (id, tenant_id, wallet_id, month, earned_by, points)
     select e.id, :tenantId, e.wallet_id, :month, e.earned_by, e.points
     from unnest(:ids::uuid[], :walletIds::uuid[], :earnedBy::date[], :points::bigint[])
       as e(id, wallet_id, earned_by, points)`,
    {
      tenantId,
      month: dateOf(month),
      ids,
      walletIds: due.map(({ walletId }) => walletId),
      earnedBy: due.map(({ earnedBy }) => dateOf(earnedBy)),
      points: due.map(({ points }) => points),
    },
  );
  await ledger.post(
    tx,
    due.map(({ walletId, points }, nth) => ({
      walletId,
      entryType: 'debit',
      points,
      reason: 'points_expired',
      sourceType: 'expiry',
      sourceId: ids[nth] ?? '',
    })),
  );
  return due.reduce((sum, { points }) => sum + points, 0);
}

/**
 * Takes what is past its month of locked wallets to which points have come back: by the newest
 * month that was not skipped, finished or only begun. To be called in the transaction that has
 * credited them, after debts were paid. Takes nothing where programmes are not applied.
 */
export async function takePast(tx: Tx, walletIds: readonly WalletId[]): Promise<void> {
  if (walletIds.length === 0 || !appliesProgrammes(tx)) return;
  const { rows } = await tx.raw<{
    rows: { tenantId: TenantId; month: string; walletIds: WalletId[] }[];
  }>(
    `select w.tenant_id, newest.month::text, array_agg(w.id)::text[] as wallet_ids
     from wallets w
     cross join lateral (
       select r.month from expiry_runs r
       where r.tenant_id = w.tenant_id and r.begun_at is not null and r.skipped is null
       order by r.month desc limit 1
     ) newest
     where w.id = any(:walletIds::uuid[])
     group by w.tenant_id, newest.month`,
    { walletIds: [...new Set(walletIds)] },
  );
  if (rows.length === 0) return;
  const calendars = await readCalendars(
    tx,
    rows.map(({ tenantId }) => tenantId),
  );
  for (const { tenantId, month, walletIds: its } of rows) {
    const calendar = calendars.get(tenantId);
    if (calendar === undefined) continue;
    const now = calendar.monthOf(new Date());
    const held = await readLots(tx, its, calendar, now);
    await take(tx, { tenantId, calendar, month: monthIn(month), now }, held);
  }
}
