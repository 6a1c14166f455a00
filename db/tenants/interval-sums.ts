import type { TenantId } from '../../domain/ids.ts';
import type { Span } from '../../domain/intervals.ts';
import { STORED_OUTCOMES } from '../../domain/outcomes.ts';
import { REDEMPTION_STATUSES } from '../../domain/redemption.ts';
import type { Db } from '../connection.ts';
import { exact } from '../exact-sum.ts';
import { dateOf, monthIn, readCalendar } from '../ledger/expiring.ts';

// The sums of a tenant's reports. The work grows with the sales of the span, but reads none of
// their rows: an index holds what is summed of them (migrations/0007_payments.ts). Codes are much
// fewer than sales.

type Sales = { count: number; amountMinorUnits: number };

/** The sums of a span. Points and amounts are integers, of at most 2^53 - 1. */
export type IntervalSums = Span & {
  /** By when they occurred. Amounts in another currency than the tenant's are left out. */
  sales: Sales;
  /** Those of the sales that were matched to a consumer, when the tenant had the account. */
  matched: Sales;
  /** By these sales, whenever the points were credited. */
  pointsEarned: number;
  /** Of these sales, by refunds, whenever those came. */
  pointsReversed: number;
  /** By codes that were issued in the span. */
  pointsRedeemed: number;
  /** By codes that were used in the span, whenever they were issued. */
  pointsUsed: number;
  /** From codes that ended unused in the span. */
  pointsReturned: number;
};

const SUMS = `
  select span.starts_at, span.ends_at, sold.*, redeemed.points_redeemed, used.points_used,
    returned.points_returned
  from unnest(:starts::timestamptz[], :ends::timestamptz[]) with ordinality
    as span(starts_at, ends_at, nth)
  cross join lateral (
    select ${exact('sum(number)')} as sale_count, ${exact('sum(amount)')} as sale_amount,
      ${exact('sum(number) filter (where is_matched) - max(older_number)')} as matched_count,
      ${exact('sum(amount) filter (where is_matched) - max(older_amount)')} as matched_amount,
      ${exact('sum(earned)')} as points_earned, ${exact('sum(reversed)')} as points_reversed
    from (
      select count(*) as older_number, coalesce(sum(amount_minor_units) filter (
        where currency = coalesce(:currency, currency)), 0) as older_amount
      from payments
      where tenant_id = :tenantId and outcome_reason = 'before_connection'
        and occurred_at >= span.starts_at and occurred_at < span.ends_at
    ) older
    cross join unnest(:outcomes::text[]) as o(outcome)
    cross join lateral (
      select count(*) as number, o.outcome <> 'stored_anonymous' as is_matched,
        sum(amount_minor_units) filter (where currency = coalesce(:currency, currency)) as amount,
        sum(points_awarded) as earned, sum(points_reversed) as reversed
      from payments
      where tenant_id = :tenantId and outcome = o.outcome
        and occurred_at >= span.starts_at and occurred_at < span.ends_at
    ) of_outcome
  ) sold
  cross join lateral (
    select ${exact('sum(points)')} as points_redeemed
    from unnest(:statuses::text[]) as s(status)
    cross join lateral (
      select sum(points) as points from redemptions
      where tenant_id = :tenantId and status = s.status
        and created_at >= span.starts_at and created_at < span.ends_at
    ) of_status
  ) redeemed
  cross join lateral (
    select ${exact('sum(points)')} as points_used from redemptions
    where tenant_id = :tenantId and status = 'used'
      and used_at >= span.starts_at and used_at < span.ends_at
  ) used
  cross join lateral (
    select ${exact('sum(points)')} as points_returned from redemptions
    where tenant_id = :tenantId and points_returned
      and expired_at >= span.starts_at and expired_at < span.ends_at
  ) returned
  order by span.nth`;

type SumsRow = Omit<IntervalSums, 'sales' | 'matched' | keyof Span> & {
  startsAt: Date;
  endsAt: Date;
  saleCount: number;
  saleAmount: number;
  matchedCount: number;
  matchedAmount: number;
};

/**
 * Returns how many points have expired in each of the spans: those of a month count where its last
 * day ends.
 */
export async function sumExpired(
  db: Db,
  tenantId: TenantId,
  spans: readonly Span[],
): Promise<number[]> {
  const calendar = await readCalendar(db, tenantId);
  if (calendar === undefined) return spans.map(() => 0);
  const months = spans.flatMap(({ from, to }) => [calendar.monthOf(from), calendar.monthOf(to)]);
  const { rows } = await db.raw<{ rows: { month: string; points: number }[] }>(
    `select month::text, ${exact('sum(points)')} as points from point_expiries
     where tenant_id = :tenantId and month between :first and :last group by month`,
    { tenantId, first: dateOf(Math.min(...months)), last: dateOf(Math.max(...months)) },
  );
  const expired = rows.map(({ month, points }) => {
    const end = calendar.startOf(monthIn(month) + 1);
    return { lastMoment: new Date(end.getTime() - 1), points };
  });
  return spans.map(({ from, to }) =>
    expired
      .filter(({ lastMoment }) => lastMoment >= from && lastMoment < to)
      .reduce((sum, { points }) => sum + points, 0),
  );
}

/** Returns the sums of each span of a tenant, in the order of the spans, as of one moment. */
export async function sumSpans(
  db: Db,
  tenant: { id: TenantId; currency: string | null },
  spans: readonly Span[],
): Promise<IntervalSums[]> {
  const { rows } = await db.raw<{ rows: SumsRow[] }>(SUMS, {
    tenantId: tenant.id,
    currency: tenant.currency,
    outcomes: STORED_OUTCOMES,
    statuses: [...REDEMPTION_STATUSES],
    starts: spans.map(({ from }) => from),
    ends: spans.map(({ to }) => to),
  });
  return rows.map((row) => ({
    from: row.startsAt,
    to: row.endsAt,
    sales: { count: row.saleCount, amountMinorUnits: row.saleAmount },
    matched: { count: row.matchedCount, amountMinorUnits: row.matchedAmount },
    pointsEarned: row.pointsEarned,
    pointsReversed: row.pointsReversed,
    pointsRedeemed: row.pointsRedeemed,
    pointsUsed: row.pointsUsed,
    pointsReturned: row.pointsReturned,
  }));
}
