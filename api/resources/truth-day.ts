import { z } from 'zod';
import type * as truthDays from '../../db/connections/truth-days.ts';
import { TRUTH_STATUSES } from '../../domain/truth.ts';

const totals = z
  .object({
    count: z.int().nonnegative().describe('All sales, in whatever currency.'),
    amountMinorUnits: z.int().nonnegative(),
    refundedMinorUnits: z.int().nonnegative().describe('What was refunded of them by now.'),
  })
  .meta({ id: 'DayTotals' });

export const CalendarDay = z.iso.date().describe('A day on the clocks of the shop.');

export const TruthDay = z
  .object({
    day: CalendarDay,
    status: z
      .enum(TRUTH_STATUSES)
      .describe(
        'Whether all sales were here; or are, since they were brought in; or are not. Of a day ' +
          'that is `unavailable` the provider did not say for a week, or it had too many.',
      ),
    provider: totals.describe(
      "What the provider lists: all sales, and the amounts in the shop's currency, without tips.",
    ),
    ours: totals.describe('The same of what is known here.'),
    missing: z.int().nonnegative().describe('Sales that were listed and not known.'),
    changed: z.int().nonnegative().describe('Sales with another amount or refund.'),
    unknown: z.int().nonnegative().describe('Sales known here that the provider does not know.'),
    repaired: z.int().nonnegative().describe('Those of the first two that were brought in.'),
    checkedAt: z.iso.datetime().describe('When the day was compared last.'),
  })
  .meta({ id: 'TruthDay' });

export const truthDayExample = {
  day: '2026-01-14',
  status: 'repaired',
  provider: { count: 31, amountMinorUnits: 40_150, refundedMinorUnits: 500 },
  ours: { count: 31, amountMinorUnits: 40_150, refundedMinorUnits: 500 },
  missing: 2,
  changed: 0,
  unknown: 0,
  repaired: 2,
  checkedAt: '2026-01-15T03:33:00.000Z',
} as const;

/** Builds the response body of a day. */
export function truthDayAnswerOf({ checkedAt, ...day }: truthDays.TruthDay) {
  return { ...day, checkedAt: checkedAt.toISOString() };
}
