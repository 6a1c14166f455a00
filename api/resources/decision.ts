import { z } from 'zod';
import type { ReleasedPayment } from '../../db/payments/payments.ts';
import { CampaignId } from '../../domain/ids.ts';
import { REVERSAL_CAUSES } from '../../domain/refund.ts';
import { ROUNDING_POLICIES, RULE_TEXTS } from '../../domain/reward-rule.ts';
import { CodedSentence } from '../../domain/texts/coded-sentence.ts';
import type { DecidedPayment } from '../../domain/texts/explanation.ts';

/** The decision about a payment, as recorded when the payment was ingested. */
export const DecisionSchema = z
  .object({
    amountMinorUnits: z.int(),
    tipMinorUnits: z.int().describe('The tip, which earns nothing.'),
    currency: z.string(),
    contacts: z
      .object({
        email: z.boolean().describe('Whether it had an e-mail.'),
        phone: z.boolean().describe('Whether it had a phone number.'),
      })
      .describe('Which contacts the payment contained.'),
    match: z
      .object({
        by: z
          .enum(['email', 'phone', 'member'])
          .nullable()
          .describe('What identified the consumer: a contact, or the member number at the till.'),
        conflict: z
          .boolean()
          .describe('Whether the e-mail and the phone belong to different people.'),
        late: z
          .boolean()
          .default(false)
          .describe('Whether the consumer became known only after the payment was stored.'),
      })
      .describe('How the consumer was found.'),
    rule: z
      .object({
        version: z.int(),
        conversionRate: z.string().describe('Points per minor unit, as decimal text.'),
        minSpendMinorUnits: z.int().describe(RULE_TEXTS.minSpendMinorUnits),
        maxPointsPerTransaction: z.int().nullable().describe(RULE_TEXTS.maxPointsPerTransaction),
        roundingPolicy: z.enum(ROUNDING_POLICIES).describe(RULE_TEXTS.roundingPolicy),
      })
      .nullable()
      .describe('The reward rule that was in effect.'),
    earning: z
      .object({
        exact: z.string().describe('The amount times the rate, before rounding.'),
        rounded: z.number().describe('After rounding, before the cap.'),
        points: z.int(),
        zeroReason: z
          .enum(['zero_amount', 'below_minimum', 'rounded_to_zero', 'capped_to_zero'])
          .nullable()
          .describe('Why it earned nothing, if so.'),
      })
      .nullable()
      .describe(
        'How the points were calculated; null without a consumer, without a rule, before the ' +
          'connection, and in another currency.',
      ),
    awards: z
      .object({
        base: z.int().describe('The points by the rule.'),
        tier: z
          .object({
            key: z.string().describe('Which tier of the programme it was.'),
            multiplier: z.number().describe('What points were multiplied by.'),
            points: z.int().describe('That it added.'),
          })
          .optional()
          .describe('The tier, where its multiplier was the greatest.'),
        campaigns: z
          .array(
            z.object({
              id: CampaignId,
              kind: z.enum(['multiplier', 'bonus']).describe('Whether it multiplies, or adds.'),
              multiplier: z.number().optional().describe('Of a `multiplier`.'),
              points: z.int().describe('That it added, as far as the cap left them.'),
              cut: z.literal(true).optional().describe('The cap took some of them.'),
            }),
          )
          .describe('Those that added points, the multiplier first.'),
      })
      .optional()
      .describe('What was earned besides the rule’s points, and these; absent where nothing was.'),
    isBeforeConnection: z
      .literal(true)
      .optional()
      .describe('The sale was made before the shop was connected, and earns nothing.'),
    tenantCurrency: z
      .string()
      .optional()
      .describe('The tenant’s currency, if the payment was in another one and earned nothing.'),
    reversals: z
      .array(
        z.object({
          outcome: z.literal('refund_reversed').describe('What was done.'),
          cause: z
            .enum(REVERSAL_CAUSES)
            .default('refund')
            .describe(
              'A refund; one that failed after all; or points that came later and paid what was ' +
                'still owed.',
            ),
          refundedMinorUnits: z.int().describe('The total refunded so far.'),
          target: z.int().describe('The points that all refunds so far are worth.'),
          points: z.int().describe('Points taken back; negative when they were given back.'),
          owed: z
            .int()
            .default(0)
            .describe('Points to be taken from what comes next; negative when they no longer are.'),
          writtenOff: z.int().describe('Points given up; negative when they no longer are.'),
          absorbed: z
            .int()
            .default(0)
            .describe('Of what had expired before; negative when it is no longer set against it.'),
        }),
      )
      .default([])
      .describe('What refunds did to the points, oldest first.'),
  })
  .meta({ id: 'Decision' });

export const decisionExample = {
  amountMinorUnits: 1255,
  tipMinorUnits: 0,
  currency: 'EUR',
  contacts: { email: true, phone: false },
  match: { by: 'email' as const, conflict: false, late: false },
  rule: {
    version: 3,
    conversionRate: '0.100000',
    minSpendMinorUnits: 500,
    maxPointsPerTransaction: 100,
    roundingPolicy: 'floor' as const,
  },
  earning: { exact: '125.5', rounded: 125, points: 100, zeroReason: null },
  reversals: [],
} satisfies z.input<typeof DecisionSchema>;

/** What an explanation says, as codes and values. */
export const CodedExplanation = z
  .object({
    summary: CodedSentence,
    steps: z.array(CodedSentence).describe('One for each of `steps`, in their order.'),
  })
  .describe('The same for programs, which write sentences of their own of it.');

export const stepsExample = [
  'The payment was of 12.55 EUR (1255 minor units).',
  'The consumer was found by e-mail.',
  'Version 3 of the reward rule was in effect: 0.1 points for each 0.01 EUR, from 5.00 EUR on, ' +
    'rounded down, at most 100 points for a payment.',
  '1255 × 0.1 = 125.5, rounded down: 125.',
  'That is more than the rule gives: 100.',
];

export const codedExample = {
  summary: { code: 'earned', params: { points: 100, takenBack: 0 } },
  steps: [
    { code: 'paid', params: { amountMinorUnits: 1255, tipMinorUnits: 0, currency: 'EUR' } },
    { code: 'recognised', params: { by: 'email', conflict: false, late: false } },
    {
      code: 'rule',
      params: {
        version: 3,
        conversionRate: '0.1',
        minSpendMinorUnits: 500,
        maxPointsPerTransaction: 100,
        roundingPolicy: 'floor',
        currency: 'EUR',
      },
    },
    {
      code: 'calculated',
      params: {
        amountMinorUnits: 1255,
        currency: 'EUR',
        conversionRate: '0.1',
        exact: '125.5',
        rounded: '125',
        roundingPolicy: 'floor',
      },
    },
    { code: 'capped_by_rule', params: { points: 100 } },
  ],
} satisfies z.input<typeof CodedExplanation>;

/** Returns what the explanation of a stored payment needs. */
export function decidedPayment(payment: ReleasedPayment): DecidedPayment {
  const { outcome, outcomeReason, pointsAwarded, decision } = payment;
  const release = payment.release && { ...payment.release, at: payment.release.at.toISOString() };
  return { outcome, reason: outcomeReason, points: pointsAwarded, record: decision, release };
}
