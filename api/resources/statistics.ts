import { z } from 'zod';
import { UserId } from '../../domain/ids.ts';
import { INTERVALS } from '../../domain/intervals.ts';
import { TenantCurrency } from './tenant-overview.ts';

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
    pointsExpired: z
      .int()
      .describe('Points that expired by the end of months whose last day is in the interval.'),
  })
  .meta({ id: 'IntervalStatistics' });

const Buyers = z
  .object({
    count: z.int().describe('Consumers who bought something in the time.'),
    returning: z.int().describe('Those of them who had bought something before.'),
  })
  .nullable()
  .describe('Null for a tenant with more than 50,000 consumers.');

const TopConsumer = z
  .object({
    userId: UserId,
    email: z.string().nullable().describe('Masked except for its first letter and its domain.'),
    phone: z.string().nullable().describe('Masked except for its last three digits.'),
    sales: Sales.describe('What the consumer bought in the time.'),
    lastSaleAt: z.iso.datetime().describe('When the last of these sales occurred.'),
  })
  .meta({ id: 'TopConsumer' });

const Today = z
  .object({
    sales: Sales.describe('Sales of today until now.'),
    usualCount: z
      .int()
      .nullable()
      .describe(
        'How many sales are usual by this time: the lower median of the same day of the last ' +
          'four weeks; null if one of them had no sale.',
      ),
  })
  .meta({ id: 'SalesToday' });

export const Statistics = z
  .object({
    from: z.iso.datetime().describe('Where the first interval begins.'),
    to: z.iso.datetime().describe('Where the last interval ends.'),
    interval: z.enum(INTERVALS).describe('How the time is divided.'),
    timeZone: z.string().describe('By whose clocks.'),
    currency: TenantCurrency,
    intervals: z.array(IntervalStatistics).describe('In order, those without a sale as well.'),
    before: IntervalStatistics,
    buyers: Buyers,
    buyersBefore: Buyers,
    topConsumers: z
      .array(TopConsumer)
      .nullable()
      .describe(
        'The five consumers who bought most often in the time, the first of them most. Null for ' +
          'a tenant with more than 50,000 consumers.',
      ),
    today: Today,
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
    rewardFactor: z
      .number()
      .nullable()
      .describe(
        'How many minor units a point was worth in the rewards that were used in the last 90 ' +
          'days; null where none was.',
      ),
  })
  .meta({ id: 'Statistics' });

export const statisticsExample: z.input<typeof Statistics> = {
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
      pointsExpired: 0,
    },
  ],
  before: {
    from: '2026-01-07T23:00:00.000Z',
    to: '2026-01-11T10:00:00.000Z',
    sales: { count: 88, amountMinorUnits: 110300 },
    matched: { count: 32, amountMinorUnits: 43900 },
    pointsEarned: 4390,
    pointsReversed: 0,
    pointsRedeemed: 1200,
    pointsUsed: 1100,
    pointsReturned: 0,
    pointsExpired: 0,
  },
  buyers: { count: 31, returning: 19 },
  buyersBefore: { count: 27, returning: 14 },
  topConsumers: [
    {
      userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
      email: 'a***@example.com',
      phone: '***678',
      sales: { count: 9, amountMinorUnits: 10240 },
      lastSaleAt: '2026-01-15T09:12:00.000Z',
    },
  ],
  today: { sales: { count: 11, amountMinorUnits: 14210 }, usualCount: 14 },
  pointsOutstanding: 28140,
  liabilityMinorUnits: 28140,
  pointsOwed: 120,
  rewardFactor: 1.1667,
};
