import { z } from 'zod';
import { sumFiltered } from '../../../db/payments/filtered-list.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import * as consumers from '../../../db/tenants/consumers.ts';
import { type CurrencySums, MOST_SUMMED, totalsOf } from '../../../domain/list-totals.ts';
import { worthMinorUnits } from '../../../domain/redemption.ts';
import { route } from '../../http/route.ts';
import { ConsumerFilters, whichOf } from './consumers.ts';
import { RedemptionFilters } from './redemptions.ts';
import { paymentFilterOf, TransactionFilters } from './transactions.ts';

const Totals = z
  .object({
    mostSummed: z.int().describe('Of so many items at most, there are totals.'),
    totals: z
      .object({
        count: z.int().describe('Of the items.'),
        points: z.int().describe('Earned by sales, taken by redemptions, or held by consumers.'),
        pointsReversed: z.int().describe('Points of these sales that refunds took back.'),
        amounts: z
          .array(
            z.object({
              currency: z.string().nullable().describe('ISO 4217; null where there is none.'),
              amountMinorUnits: z.int().describe('Paid, taken off, or what the points are worth.'),
              refundedMinorUnits: z.int().describe('Of what was paid.'),
            }),
          )
          .describe('By currency, the most frequent one first.'),
      })
      .nullable()
      .describe('Null for more items than that.'),
  })
  .meta({ id: 'ListTotals' });

const example = {
  mostSummed: MOST_SUMMED,
  totals: {
    count: 12,
    points: 1_200,
    pointsReversed: 0,
    amounts: [{ currency: 'EUR', amountMinorUnits: 15_060, refundedMinorUnits: 0 }],
  },
};

/** One more than is summed, so that it shows whether there are more. */
const limit = MOST_SUMMED + 1;

const answerOf = (sums: readonly CurrencySums[]) => ({
  mostSummed: MOST_SUMMED,
  totals: totalsOf(sums),
});

const sumTransactions = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/totals/transactions',
  access: 'TENANT_ANALYTICS_VIEW',
  tag: 'Merchant',
  summary: 'Sum up the list of payments by the same filters',
  query: TransactionFilters,
  response: Totals,
  examples: { response: example },

  async handle({ tenant, query, db }) {
    return answerOf(await sumFiltered(db, tenant.id, { ...paymentFilterOf(query), limit }));
  },
});

const sumTenantRedemptions = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/totals/redemptions',
  access: 'TENANT_ANALYTICS_VIEW',
  tag: 'Merchant',
  summary: 'Sum up the list of redemptions by the same filters',
  query: RedemptionFilters,
  response: Totals,
  examples: { response: example },

  async handle({ tenant, query, db }) {
    return answerOf(await listing.sumOfTenant(db, tenant.id, { ...query, limit }));
  },
});

const sumConsumers = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/totals/consumers',
  access: 'TENANT_CONSUMER_VIEW',
  tag: 'Merchant',
  summary: 'Count the list of consumers by the same filters, and sum up their points',
  query: ConsumerFilters,
  response: Totals,
  examples: { response: example },

  async handle({ tenant: { id, currency }, query, db }) {
    const sums = await consumers.sumOfTenant(db, id, { ...whichOf(query), limit });
    const amountMinorUnits = worthMinorUnits(sums.points);
    const amount = { currency, amountMinorUnits, refundedMinorUnits: 0 };
    return answerOf([{ ...sums, pointsReversed: 0, ...amount }]);
  },
});

/** The routes that sum up lists, by the names of the operations. */
export const totals = { sumTransactions, sumTenantRedemptions, sumConsumers };
