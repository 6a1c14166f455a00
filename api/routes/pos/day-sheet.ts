import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import { sumDay } from '../../../db/redemptions/day-sheet.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { timeParameter } from '../../http/requests/filters.ts';
import { route } from '../../http/route.ts';
import { DaySheetSchema, daySheetAnswerOf, daySheetExample } from '../../resources/day-sheet.ts';

/** More than a day on which clocks change has. */
const MOST_HOURS = 48;
const HOUR_MS = 3_600_000;

/** The day that is asked for, by two moments, since only the app knows whose clocks it shows. */
export const AskedDay = z.object({
  from: timeParameter().describe('The first moment of the day.'),
  to: timeParameter().describe(`The first moment after it, ${MOST_HOURS} hours later at most.`),
});

export const DAY_SHEET = {
  description:
    'For each person the codes they completed from `from` until before `to`, what these took ' +
    'off, and the sales that they attached; `totals` adds up all of them.',
  query: AskedDay,
  response: DaySheetSchema,
  examples: {
    query: { from: daySheetExample.from, to: daySheetExample.to },
    response: daySheetExample,
  },
} as const;

export const showTillDay = route({
  method: 'GET',
  path: '/pos/day',
  access: 'REDEMPTION_VERIFY',
  shop: 'named',
  tag: 'Operator',
  summary: 'Show what was done at the tills of the shop on a day, by person',
  ...DAY_SHEET,
  handle: ({ tenant, query, db }) => readDay(db, tenant.id, query),
});

/** Reads the sheet of a day. Throws VALIDATION_ERROR for no time, or for more than two days. */
export async function readDay(db: Db, tenantId: TenantId, day: z.output<typeof AskedDay>) {
  const hours = (day.to.getTime() - day.from.getTime()) / HOUR_MS;
  if (hours <= 0 || hours > MOST_HOURS) {
    const message = `\`to\` has to be after \`from\`, by ${MOST_HOURS} hours at most.`;
    const issues = [{ path: 'to', code: 'invalid', message }] as const;
    throw new Refusal('VALIDATION_ERROR', message, issues);
  }
  return daySheetAnswerOf(await sumDay(db, tenantId, day), day);
}
