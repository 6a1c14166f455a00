import { z } from 'zod';
import { countBuyers, listTopBuyers, type TopBuyer } from '../../../db/tenants/buyers.ts';
import { type IntervalSums, sumExpired, sumSpans } from '../../../db/tenants/interval-sums.ts';
import { pointsNow } from '../../../db/tenants/outstanding.ts';
import { rewardFactor } from '../../../db/tenants/rewards.ts';
import { Refusal } from '../../../domain/errors.ts';
import {
  cut,
  INTERVALS,
  partsOfToday,
  type Span,
  spanBefore,
  startOfLastDays,
  usualOf,
} from '../../../domain/intervals.ts';
import { maskContacts } from '../../../domain/privacy.ts';
import { worthMinorUnits } from '../../../domain/redemption.ts';
import { timeZoneOf } from '../../../domain/time-zones.ts';
import { timeParameter, timeZoneParameter } from '../../http/requests/filters.ts';
import { route } from '../../http/route.ts';
import { Statistics, statisticsExample } from '../../resources/statistics.ts';

const MAX_INTERVALS = 400;
const DEFAULT_DAYS = 30;

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
    'those of the list of transactions with the same times. `before` has the sums of the same ' +
    'time as many days earlier, where `to` is in the future until the same time of the day; ' +
    '`today` is of the present day, whatever is asked for. One such request, or one for CSV, is ' +
    'served at a time.',
  query: z.object({
    from: timeParameter()
      .optional()
      .describe(`The first moment; by default the start of the last ${DEFAULT_DAYS} days.`),
    to: timeParameter().optional().describe('The first moment after the last one; by default now.'),
    interval: z.enum(INTERVALS).default('day').describe('How the time is divided.'),
    timeZone: timeZoneParameter(
      'By whose clocks days begin: a name of the IANA time zone database, such as ' +
        "`America/New_York`; by default the shop's, or UTC where it has none.",
    ),
  }),
  response: Statistics,
  examples: {
    response: statisticsExample,
  },

  async handle({ tenant, query: { interval, ...asked }, db, now }) {
    const at = now();
    const to = asked.to ?? at;
    const timeZone = asked.timeZone ?? timeZoneOf(tenant, at) ?? 'UTC';
    const span = { from: asked.from ?? startOfLastDays(DEFAULT_DAYS, to, timeZone), to };
    const spans = cut(span, { interval, timeZone, most: MAX_INTERVALS + 1 });
    requireSome(spans);
    const before = spanBefore(span, at, timeZone);
    const parts = partsOfToday(at, timeZone);
    // All of them in one statement, so that they are as of one moment.
    const sums = await sumSpans(db, tenant, [...spans, before, parts.today, ...parts.before]);
    const expired = tenant.hasProgramme
      ? await sumExpired(db, tenant.id, [...spans, before])
      : undefined;
    const [sumsBefore, today, ...earlierDays] = sums.splice(spans.length);
    if (!sumsBefore || !today) throw new Error('A span of time came back without its sums.');
    const [buyers, buyersBefore] =
      (await countBuyers(db, tenant.id, [span, before])) ?? ([] as const);
    const topBuyers = await listTopBuyers(db, tenant, span);
    const { outstanding, owed } = await pointsNow(db, tenant.id);
    return {
      ...shown(span),
      interval,
      timeZone,
      currency: tenant.currency,
      intervals: sums.map((each, nth) => shownSums(each, expired?.[nth])),
      before: shownSums(sumsBefore, expired?.at(-1)),
      buyers: buyers ?? null,
      buyersBefore: buyersBefore ?? null,
      topConsumers: topBuyers?.map(topConsumerOf) ?? null,
      today: {
        sales: today.sales,
        usualCount: usualOf(earlierDays.map(({ sales }) => sales.count)) ?? null,
      },
      pointsOutstanding: outstanding,
      liabilityMinorUnits: worthMinorUnits(outstanding),
      pointsOwed: owed,
      rewardFactor: await rewardFactor(db, tenant.id),
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

function topConsumerOf({ userId, visits, amountMinorUnits, lastVisitAt, ...contacts }: TopBuyer) {
  return {
    userId,
    ...maskContacts(contacts),
    sales: { count: visits, amountMinorUnits },
    lastSaleAt: lastVisitAt.toISOString(),
  };
}

function shownSums(sums: IntervalSums, pointsExpired = 0) {
  return { ...sums, pointsExpired, ...shown(sums) };
}

function shown({ from, to }: Span) {
  return { from: from.toISOString(), to: to.toISOString() };
}
