import { z } from 'zod';
import { type Span, startOfLastDays } from './intervals.ts';
import { RewardRuleInput } from './reward-rule.ts';

/** What is to be rehearsed. */
export const RehearsalInput = z.object({
  days: z
    .int()
    .min(7)
    .max(90)
    .default(90)
    .describe('Over the sales of how many whole days before today, by the clocks of the shop.'),
  rule: RewardRuleInput.describe('The rule that would be published. Its date does not matter.'),
});
export type RehearsalInput = z.infer<typeof RehearsalInput>;

/** `cancelled`: an operator ended its run. */
export const REHEARSAL_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
export type RehearsalStatus = (typeof REHEARSAL_STATUSES)[number];

const Points = { actualPoints: z.number(), rehearsedPoints: z.number() };
const Sums = z.object({ pointsEarned: z.number(), pointsNet: z.number() });

/** Sales that are not rehearsed, by the first reason that applies. */
export const Skipped = z.object({
  anonymous: z.number(),
  otherCurrency: z.number(),
  beforeConnection: z.number(),
  suspended: z.number(),
});
export type Skipped = z.infer<typeof Skipped>;

/** What a rehearsal found, as it is stored. */
export const RehearsalResult = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  sales: z.number(),
  consumers: z.number(),
  skipped: Skipped,
  actual: Sums,
  rehearsed: Sums,
  difference: z.object({
    points: z.number(),
    minorUnits: z.number(),
    percent: z.number().nullable(),
  }),
  consumersMore: z.number(),
  consumersFewer: z.number(),
  consumersSame: z.number(),
  versions: z.array(z.object({ version: z.number().nullable(), sales: z.number(), ...Points })),
  weeks: z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime(), ...Points })),
  examples: z.array(
    z.object({
      transactionId: z.uuid(),
      amountMinorUnits: z.number(),
      ...Points,
      steps: z.array(z.string()),
    }),
  ),
});
export type RehearsalResult = z.infer<typeof RehearsalResult>;

/** Returns the whole days before today that a rehearsal is over, by the clocks of a time zone. */
export function spanOfRehearsal(
  { days }: Pick<RehearsalInput, 'days'>,
  now: Date,
  timeZone: string,
): Span {
  const to = startOfLastDays(1, now, timeZone);
  return { from: startOfLastDays(days, to, timeZone), to };
}
