import type { TenantId, WalletId } from '../../domain/ids.ts';
import type { Month } from '../../domain/intervals.ts';
import { addUp, liabilityOf, type MonthLiability } from '../../domain/liability.ts';
import type { Db, Tx } from '../connection.ts';
import { exact } from '../exact-sum.ts';
import { dateOf, dueMonths, type Expiring, monthIn, type WalletLots } from '../ledger/expiring.ts';

// What a tenant owes its consumers in points, as the run of a month has found it, page by page.

/** The run of a month, and the first month that none before it has taken. */
export type CountingRun = Expiring & { since: Month };

/**
 * Adds what has become of the points of locked wallets, of which what was due has been taken, to
 * the months of a run, and returns the points in their open codes. `held` was read since they are
 * locked.
 */
export async function add(tx: Tx, run: CountingRun, held: readonly WalletLots[]): Promise<number> {
  const walletIds = held.map(({ walletId }) => walletId);
  const { rows } = await tx.raw<{ rows: { walletId: WalletId; expired: number; open: number }[] }>(
    `select w.id as wallet_id,
       ${exact(`(select coalesce(sum(points), 0) from point_expiries
         where wallet_id = w.id and month = :month)`)} as expired,
       ${exact(`(select coalesce(sum(points), 0) from redemptions
         where wallet_id = w.id and status = 'issued')`)} as open
     from unnest(:walletIds::uuid[]) w (id)`,
    { walletIds, month: dateOf(run.month) },
  );
  const expired = new Map(rows.map((row) => [row.walletId, row.expired]));
  const its = { month: run.month, since: run.since, dueOf: dueMonths(run) };
  const months = addUp(
    held.flatMap((wallet) =>
      liabilityOf({ ...wallet, expired: expired.get(wallet.walletId) ?? 0 }, its),
    ),
  );
  const all = (name: keyof MonthLiability) => months.map((each) => each[name]);
  await tx.raw(
    `insert into liability_months as l
       (tenant_id, month, earned_in, earned, reversed, used, expired, unused)
     select :tenantId, :month, m.* from unnest(:earnedIn::date[], :earned::bigint[],
       :reversed::bigint[], :used::bigint[], :expired::bigint[], :unused::bigint[]) m
     on conflict on constraint liability_months_once_per_run do update
     set earned = l.earned + excluded.earned, reversed = l.reversed + excluded.reversed,
       used = l.used + excluded.used, expired = l.expired + excluded.expired,
       unused = l.unused + excluded.unused`,
    {
      tenantId: run.tenantId,
      month: dateOf(run.month),
      earnedIn: months.map(({ month }) => dateOf(month)),
      earned: all('earned'),
      reversed: all('reversed'),
      used: all('used'),
      expired: all('expired'),
      unused: all('left'),
    },
  );
  return rows.reduce((sum, { open }) => sum + open, 0);
}

/** What a tenant owed after a month. */
export type Liability = {
  month: Month;
  /** When the last wallets were read. */
  asOf: Date;
  openCodes: number;
  /** What a point was worth in rewards, when the run ended. */
  rewardFactor: number | null;
  /** In order. */
  months: MonthLiability[];
};

type LiabilityRow = Omit<Liability, 'month' | 'months'> & {
  month: string;
  months: (Omit<MonthLiability, 'month'> & { month: string })[];
};

/**
 * Finds what a tenant owed after a month, or after the newest whose run has read wallets: all of
 * them, so that no sum is of a part.
 */
export async function find(
  db: Db,
  tenantId: TenantId,
  month: Month | undefined,
): Promise<Liability | undefined> {
  const { rows } = await db.raw<{ rows: LiabilityRow[] }>(
    `select r.month::text, r.read_at as as_of, r.open_codes, r.reward_factor::float8, (
       select coalesce(jsonb_agg(jsonb_build_object('month', earned_in, 'earned', earned,
         'reversed', reversed, 'used', used, 'expired', expired, 'left', unused)
         order by earned_in), '[]')
       from liability_months where tenant_id = r.tenant_id and month = r.month
     ) as months
     from expiry_runs r
     where r.tenant_id = :tenantId and r.month = coalesce(:month::date, r.month)
       and r.finished_at is not null and r.skipped is null and r.read_at is not null
     order by r.month desc limit 1`,
    { tenantId, month: month === undefined ? null : dateOf(month) },
  );
  return rows.map(({ months, ...row }) => ({
    ...row,
    month: monthIn(row.month),
    months: months.map((each) => ({ ...each, month: monthIn(each.month) })),
  }))[0];
}
