import { z } from 'zod';
import type { StoredRehearsal } from '../../db/tenants/rehearsals.ts';
import { PaymentId, RehearsalId } from '../../domain/ids.ts';
import {
  REHEARSAL_STATUSES,
  RehearsalInput,
  type RehearsalResult,
} from '../../domain/rehearsal.ts';
import { CodedSentence } from '../../domain/texts/coded-sentence.ts';

const actualPoints = z.int().describe('That were earned.');
const rehearsedPoints = z.int().describe('That the draft gives.');
const sums = z.object({
  pointsEarned: z.int().describe('Before refunds.'),
  pointsNet: z.int().describe('Less what refunds take of each sale.'),
});

/** A rehearsal without what came out. */
export const RehearsalSchema = z
  .object({
    id: RehearsalId,
    status: z
      .enum(REHEARSAL_STATUSES)
      .describe('`cancelled`: an operator ended it. A failed one can be begun again.'),
    draft: RehearsalInput.describe('What was asked for.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Rehearsal' });

const RESULT = {
  from: z.iso.datetime().describe('The start of the first day, by the clocks of the shop.'),
  to: z.iso.datetime().describe('The end of yesterday: `from` ≤ time < `to`.'),
  sales: z.int().describe('That were decided once more.'),
  consumers: z.int().describe('Whose sales they are.'),
  skipped: z
    .object({
      anonymous: z.int().describe('Without a known customer.'),
      otherCurrency: z.int().describe('In another currency than the shop’s.'),
      beforeConnection: z.int().describe('From before the shop had the account.'),
      suspended: z.int().describe('Of a time in which the shop was suspended.'),
    })
    .describe('Sales that no rule gives points for.'),
  actual: sums.describe('What happened.'),
  rehearsed: sums.describe('What would have happened.'),
  difference: z
    .object({
      points: z.int(),
      minorUnits: z.int().describe('What they are worth.'),
      percent: z.number().nullable().describe('Of the actual points, one decimal; null of none.'),
    })
    .describe('Of the net points.'),
  consumersMore: z.int().describe('Who would have got more, net.'),
  consumersFewer: z.int().describe('Who would have got fewer.'),
  consumersSame: z.int().describe('For whom nothing changes.'),
  versions: z
    .array(
      z.object({
        version: z.int().nullable().describe('The rule that decided; null where there was none.'),
        sales: z.int().describe('That it decided.'),
        actualPoints,
        rehearsedPoints,
      }),
    )
    .describe('Ascending. A draft with the terms of a version agrees with it to the point.'),
  weeks: z
    .array(
      z.object({
        from: z.iso.datetime().describe('Its start.'),
        to: z.iso.datetime().describe('Its end, which is not part of it.'),
        actualPoints,
        rehearsedPoints,
      }),
    )
    .describe('From Monday to Sunday, the first and the last cut.'),
  examples: z
    .array(
      z.object({
        transactionId: PaymentId,
        amountMinorUnits: z.int(),
        actualPoints,
        rehearsedPoints,
        steps: z.array(z.string()).describe('How the draft comes to its points.'),
        coded: z.array(CodedSentence).describe('The same, for apps that write sentences.'),
      }),
    )
    .describe('The five largest gains, then the five largest losses.'),
};

/** A rehearsal, with what came out once it is done. */
export const RehearsalReportSchema = RehearsalSchema.extend(z.object(RESULT).partial().shape).meta({
  id: 'RehearsalReport',
});

export const rehearsalExample = {
  id: '5b0f7c1e-8d2a-4f3b-9c6d-7e8f9a0b1c2d',
  status: 'running',
  draft: {
    days: 90,
    rule: {
      conversionRate: 0.12,
      minSpendMinorUnits: 500,
      maxPointsPerTransaction: null,
      minBalanceToRedeem: 0,
      maxRedemptionPercentage: 100,
      roundingPolicy: 'floor',
    },
  },
  createdAt: '2026-03-16T09:30:00.000Z',
} as const;

export const rehearsalReportExample: z.input<typeof RehearsalReportSchema> = {
  ...rehearsalExample,
  status: 'done',
  from: '2025-12-15T23:00:00.000Z',
  to: '2026-03-15T23:00:00.000Z',
  sales: 1,
  consumers: 1,
  skipped: { anonymous: 14, otherCurrency: 0, beforeConnection: 0, suspended: 0 },
  actual: { pointsEarned: 125, pointsNet: 125 },
  rehearsed: { pointsEarned: 150, pointsNet: 150 },
  difference: { points: 25, minorUnits: 25, percent: 20 },
  consumersMore: 1,
  consumersFewer: 0,
  consumersSame: 0,
  versions: [{ version: 2, sales: 1, actualPoints: 125, rehearsedPoints: 150 }],
  weeks: [
    {
      from: '2026-03-08T23:00:00.000Z',
      to: '2026-03-15T23:00:00.000Z',
      actualPoints: 125,
      rehearsedPoints: 150,
    },
  ],
  examples: [
    {
      transactionId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      amountMinorUnits: 1250,
      actualPoints: 125,
      rehearsedPoints: 150,
      steps: ['The payment was of 12.50 EUR (1250 minor units).'],
      coded: [
        { code: 'paid', params: { amountMinorUnits: 1250, tipMinorUnits: 0, currency: 'EUR' } },
      ],
    },
  ],
};

/** Builds the resource of a rehearsal. */
export function rehearsalAnswerOf({ id, status, draft, createdAt }: StoredRehearsal) {
  return { id, status, draft, createdAt: createdAt.toISOString() };
}

/** Builds the same with what came out of it. */
export function rehearsalReportOf({
  result,
  ...rehearsal
}: StoredRehearsal & { result: RehearsalResult | null }) {
  return { ...rehearsalAnswerOf(rehearsal), ...result };
}
