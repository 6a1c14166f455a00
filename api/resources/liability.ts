import { z } from 'zod';
import type { Liability } from '../../db/tenants/liability.ts';
import type { Tenant } from '../../db/tenants/tenants.ts';
import { monthText, parseMonth } from '../../domain/intervals.ts';
import { worthMinorUnits } from '../../domain/redemption.ts';
import { TenantCurrency } from './tenant-overview.ts';

const FORM = /^\d{4}-(0[1-9]|1[0-2])$/;

/** A month as a parameter. */
export const monthParameter = () =>
  z
    .string()
    .regex(FORM, 'must be a month such as 2026-03')
    .transform((text) => parseMonth(text) ?? Number.NaN);

const MonthText = z.string().regex(FORM);
const points = z.int().nonnegative();

const EarningMonth = z
  .object({
    month: MonthText.describe(
      'In which they were earned; that of the first version of the programme for all before it.',
    ),
    earned: points.describe('Points that were credited.'),
    reversed: points.describe('What refunds took of them.'),
    used: points.describe('What was spent of them otherwise, also in codes that are still open.'),
    expired: points.describe('What the end of `month` took of them.'),
    left: points.describe('The rest.'),
  })
  .meta({ id: 'EarningMonth' });

export const LiabilitySchema = z
  .object({
    month: MonthText.describe('After the end of which month.'),
    asOf: z.iso
      .datetime()
      .describe('When the last consumers were counted; each is as of its own moment before it.'),
    currency: TenantCurrency,
    pointsOutstanding: points.describe('What is left, and the points in open codes.'),
    minorUnits: points.describe('What they are worth at the till.'),
    openCodes: points.describe('Points in codes that were open.'),
    rewardFactor: z
      .number()
      .nullable()
      .describe(
        'How many minor units a point was worth in the rewards that were used in the 90 days ' +
          'before; null where none was.',
      ),
    months: z
      .array(EarningMonth)
      .describe('The months in which what was due by the end of the month or later was earned.'),
  })
  .meta({ id: 'Liability' });

export const liabilityExample: z.infer<typeof LiabilitySchema> = {
  month: '2026-03',
  asOf: '2026-03-31T22:07:02.000Z',
  currency: 'EUR',
  pointsOutstanding: 130,
  minorUnits: 130,
  openCodes: 60,
  rewardFactor: 1.1667,
  months: [
    { month: '2026-01', earned: 100, reversed: 0, used: 60, expired: 40, left: 0 },
    { month: '2026-02', earned: 40, reversed: 0, used: 0, expired: 0, left: 40 },
    { month: '2026-03', earned: 40, reversed: 10, used: 0, expired: 0, left: 30 },
  ],
};

/** Builds the resource of what a tenant owes. */
export function liabilityAnswerOf({ month, asOf, months, ...sums }: Liability, tenant: Tenant) {
  const { openCodes } = sums;
  const pointsOutstanding = months.reduce((sum, { left }) => sum + left, openCodes);
  return {
    ...sums,
    month: monthText(month),
    asOf: asOf.toISOString(),
    currency: tenant.currency,
    pointsOutstanding,
    minorUnits: worthMinorUnits(pointsOutstanding),
    months: months.map((each) => ({ ...each, month: monthText(each.month) })),
  };
}
