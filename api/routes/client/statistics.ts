import { z } from 'zod';
import * as intervalSums from '../../../db/tenants/interval-sums.ts';
import { pointsNow } from '../../../db/tenants/outstanding.ts';
import { Refusal } from '../../../domain/errors.ts';
import { cut, INTERVALS, type Span, startOfLastDays } from '../../../domain/intervals.ts';
import { worthMinorUnits } from '../../../domain/redemption.ts';
import { isTimeZone, timeZoneOf } from '../../../domain/time-zones.ts';
import { timeParameter } from '../../http/requests/filters.ts';
import { route } from '../../http/route.ts';
import { TenantCurrency } from '../../resources/tenant-overview.ts';

const MAX_INTERVALS = 400;
const DEFAULT_DAYS = 30;

const Sales = z.object({
  count: z.int().describe('How many.'),
  amountMinorUnits: z
    .int()
    .describe('Their amounts, without tips; what is in another currency is left out.'),
});

const IntervalStatistics = z
  .object({
    from: z.iso.datetime().describe('Where the interval begins.'),
    to: z.iso.datetime().describe('Where it ends: the first moment after it.'),
    sales: Sales.describe('The sales that occurred in the interval.'),
    matched: Sales.describe('Those of them that were matched to a consumer.'),
    pointsEarned: z
      .int()
      .describe('Points that these sales earned, also those that were credited later.'),
    pointsReversed: z
      .int()
      .describe('Points that refunds of these sales took back, also after the interval.'),
    pointsRedeemed: z.int().describe('Points of the codes that were issued in the interval.'),
    pointsUsed: z
      .int()
      .describe('Points of the codes that were used in the interval, whenever they were issued.'),
    pointsReturned: z.int().describe('Points that came back from unused codes in the interval.'),
  })
  .meta({ id: 'IntervalStatistics' });

const Statistics = z
  .object({
    from: z.iso.datetime().describe('Where the first interval begins.'),
    to: z.iso.datetime().describe('Where the last interval ends.'),
    interval: z.enum(INTERVALS).describe('How the time is divided.'),
    timeZone: z.string().describe('By whose clocks.'),
    currency: TenantCurrency,
    intervals: z.array(IntervalStatistics).describe('In order, those without a sale as well.'),
    pointsOutstanding: z
      .int()
      .describe(
        'The balances of all consumers and the points in open codes, now. With more than 100,000 ' +
          'consumers the balances are those of the last hour.',
      ),
    liabilityMinorUnits: z.int().describe('The worth of the outstanding points, whatever is owed.'),
    pointsOwed: z
      .int()
      .describe('Points that were used before their sales were refunded, still to be taken, now.'),
  })
  .meta({ id: 'Statistics' });

export const showStatistics = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/statistics',
  access: 'TENANT_ANALYTICS_VIEW',
  report: true,
  issues: ['too_many_intervals'],
  tag: 'Merchant',
  summary: 'Show sales and points by day, week or month, and the outstanding points',
  description:
    'Days, weeks, which begin on Monday, and months begin at midnight in `timeZone`, so that a ' +
    'day on which its clocks change has 23 or 25 hours; the first and the last interval are cut ' +
    `at \`from\` and \`to\`. At most ${MAX_INTERVALS} intervals. Sales and what they earned are ` +
    'those of the list of transactions with the same times. One such request, or one for CSV, ' +
    'is served at a time.',
  query: z.object({
    from: timeParameter()
      .optional()
      .describe(`The first moment; by default the start of the last ${DEFAULT_DAYS} days.`),
    to: timeParameter().optional().describe('The first moment after the last one; by default now.'),
    interval: z.enum(INTERVALS).default('day').describe('How the time is divided.'),
    timeZone: z
      .string()
      .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
      .optional()
      .describe(
        'By whose clocks days begin: a name of the IANA time zone database, such as ' +
          "`America/New_York`; by default the shop's, or UTC where it has none.",
      ),
  }),
  response: Statistics,
  examples: {
    response: {
      from: '2026-01-11T23:00:00.000Z',
      to: '2026-01-15T10:00:00.000Z',
      interval: 'week',
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
      intervals: [
        {
          from: '2026-01-11T23:00:00.000Z',
          to: '2026-01-15T10:00:00.000Z',
          sales: { count: 96, amountMinorUnits: 120480 },
          matched: { count: 41, amountMinorUnits: 56130 },
          pointsEarned: 5613,
          pointsReversed: 120,
          pointsRedeemed: 1800,
          pointsUsed: 1700,
          pointsReturned: 50,
        },
      ],
      pointsOutstanding: 28140,
      liabilityMinorUnits: 28140,
      pointsOwed: 120,
    },
  },

  async handle({ tenant, query: { interval, ...asked }, db, now }) {
    const to = asked.to ?? now();
    const timeZone = asked.timeZone ?? timeZoneOf(tenant, now()) ?? 'UTC';
    const span = { from: asked.from ?? startOfLastDays(DEFAULT_DAYS, to, timeZone), to };
    const spans = cut(span, { interval, timeZone, most: MAX_INTERVALS + 1 });
    requireSome(spans);
    const sums = await intervalSums.sumSpans(db, tenant, spans);
    const { outstanding, owed } = await pointsNow(db, tenant.id);
    return {
      ...shown(span),
      interval,
      timeZone,
      currency: tenant.currency,
      intervals: sums.map((each) => ({ ...each, ...shown(each) })),
      pointsOutstanding: outstanding,
      liabilityMinorUnits: worthMinorUnits(outstanding),
      pointsOwed: owed,
    };
  },
});

/** Throws VALIDATION_ERROR for times without an interval, and for times with too many. */
function requireSome({ length }: readonly Span[]): void {
  if (length === 0) {
    const message = '`from` has to be before `to`.';
    const issues = [{ path: 'from', code: 'invalid', message }] as const;
    throw new Refusal('VALIDATION_ERROR', message, issues);
  }
  if (length > MAX_INTERVALS) {
    throw new Refusal(
      'VALIDATION_ERROR',
      `These times span more than ${MAX_INTERVALS} intervals. Ask for longer ones.`,
      { issue: 'too_many_intervals', params: { max: MAX_INTERVALS } },
    );
  }
}

function shown({ from, to }: Span) {
  return { from: from.toISOString(), to: to.toISOString() };
}
