import { z } from 'zod';
import type { DaySheet } from '../../db/redemptions/day-sheet.ts';
import { ColleagueSchema, colleagueExample, colleagueOf } from './redemption.ts';

const DaySums = z.object({
  currency: z.string().nullable().describe('Null when that of the shop was not known yet.'),
  codes: z.int().describe('Codes that were used, those for items included.'),
  items: z.int().describe('Codes for an item, which was handed out.'),
  discountMinorUnits: z.int().describe('What was taken off, in minor units of the currency.'),
  attachedSales: z.int().describe('Sales that were attached to a customer.'),
});

/** What was done at the tills of a shop on a day, by person and in all. */
export const DaySheetSchema = z
  .object({
    from: z.iso.datetime().describe('As it was asked for.'),
    to: z.iso.datetime().describe('As it was asked for.'),
    lines: z
      .array(DaySums.extend({ by: ColleagueSchema.describe('Who did it.') }))
      .describe('One for each person and currency; who took off the most comes first.'),
    totals: z.array(DaySums).describe('Of all people; one for each currency.'),
  })
  .meta({ id: 'DaySheet' });

const sums = {
  currency: 'EUR',
  codes: 12,
  items: 2,
  discountMinorUnits: 4850,
  attachedSales: 1,
} as const;

export const daySheetExample = {
  from: '2026-01-14T23:00:00.000Z',
  to: '2026-01-15T23:00:00.000Z',
  lines: [{ ...sums, by: colleagueExample }],
  totals: [sums],
};

/** Builds the resource of a sheet. */
export function daySheetAnswerOf({ lines, totals }: DaySheet, { from, to }: Day) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    lines: lines.map(({ by, ...line }) => ({ ...line, by: colleagueOf(by) })),
    totals,
  };
}

type Day = { from: Date; to: Date };
