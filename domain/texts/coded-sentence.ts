import { z } from 'zod';
import { ROUNDING_POLICIES, RULE_TEXTS } from '../reward-rule.ts';

/** Why a payment credited nothing, or less than its rule gives (`capped_to_limit`). */
export const OUTCOME_REASONS = [
  'zero_amount',
  'below_minimum',
  'rounded_to_zero',
  'capped_to_zero',
  'capped_to_limit',
  'no_contacts',
  'no_match',
  'no_rule',
  'tenant_suspended',
  'before_connection',
  'currency_mismatch',
] as const;
export type OutcomeReason = (typeof OUTCOME_REASONS)[number];

const count = z.int();
const month = z.string().regex(/^\d{4}-\d\d$/);
const points = { points: z.int() };
const amount = z.int().describe('In minor units.');
const currency = z.string();
const contacts = {
  email: z.boolean().describe('Whether it had an e-mail.'),
  phone: z.boolean().describe('Whether it had a phone number.'),
};
const conversionRate = z.string().describe('Points per minor unit, as decimal text.');
const roundingPolicy = z.enum(ROUNDING_POLICIES).describe(RULE_TEXTS.roundingPolicy);
const multiplied = {
  multiplier: z.number().describe('By how much the points were multiplied.'),
  amountMinorUnits: amount,
  currency,
  conversionRate,
  exact: z.string().describe('The amount times the rate times the multiplier, as decimal text.'),
  rounded: z.string().describe('The same, rounded.'),
  roundingPolicy,
  instead: count.describe('The points without it.'),
};

/**
 * A sentence of an explanation as its code and values, none of which is a contact: an app writes a
 * sentence of its own of them, in whatever language, and `english` the API's.
 */
export const CodedSentence = z
  .discriminatedUnion('code', [
    coded(['earned'], { ...points, takenBack: z.int().describe('Of them, after refunds.') }),
    coded(['earned_nothing'], {
      reason: z
        .enum([...OUTCOME_REASONS, 'duplicate'])
        .nullable()
        .describe('`duplicate`: the payment had been read before.'),
      minSpendMinorUnits: amount.nullable(),
      currency,
      tenantCurrency: z.string().nullable().describe('The shop’s, if it is another one.'),
      ...contacts,
    }),
    coded(['paid'], { amountMinorUnits: amount, tipMinorUnits: amount, currency }),
    coded(['recognised'], {
      by: z
        .enum(['email', 'phone', 'member'])
        .describe('What identified the consumer: a contact, or the member number at the till.'),
      conflict: z.boolean().describe('Whether its phone belongs to somebody else.'),
      late: z.boolean().describe('Whether that was after the payment had been stored.'),
    }),
    coded(['not_recognised'], contacts),
    coded(['rule'], {
      version: count,
      conversionRate,
      minSpendMinorUnits: amount,
      maxPointsPerTransaction: count.nullable().describe(RULE_TEXTS.maxPointsPerTransaction),
      roundingPolicy,
      currency,
    }),
    coded(['other_currency'], { currency, tenantCurrency: z.string().describe('The shop’s.') }),
    coded(['less_than_minimum'], {
      amountMinorUnits: amount,
      minSpendMinorUnits: amount,
      currency,
    }),
    coded(['calculated'], {
      amountMinorUnits: amount,
      currency,
      conversionRate,
      exact: z.string().describe('The amount times the rate, as decimal text.'),
      rounded: z.string().describe('The same, rounded.'),
      roundingPolicy,
    }),
    coded(['campaign_multiplies'], {
      campaign: z.string().describe('Its name.'),
      ...multiplied,
    }),
    coded(['tier_multiplies'], { tier: z.string().describe('Its name.'), ...multiplied }),
    coded(['campaign_adds'], { campaign: z.string().describe('Its name.'), ...points }),
    coded(['refunded', 'refund_failed'], {
      refundedMinorUnits: z.int().describe('The total refunded by then.'),
      currency,
      target: z.int().describe('The points that all refunds by then are worth.'),
      points: z.int().describe('Taken back, or given back when a refund failed.'),
      owed: z.int().describe('Points to be taken from what comes next, or no longer.'),
      absorbed: z.int().describe('Of what had expired before, set against it, or no longer.'),
    }),
    coded(['usable_from'], {
      at: z.iso.datetime().describe('When the sale can no longer be returned.'),
      timeZone: z.string().describe('By whose clocks the sentence says it: those of the shop.'),
    }),
    coded(['expired_by'], {
      earnedBy: month.describe('The last month in which they were earned.'),
      month: month.describe('The month until whose end they could be used.'),
    }),
    coded(['usable_longer'], {
      balance: count.describe('Before they expired.'),
      longer: count.describe('Of the balance, what can be used longer.'),
    }),
    coded(
      [
        'capped_by_rule',
        'capped_to_limit',
        'debt_paid',
        'written_off',
        'redeemed',
        'points_came_back',
        'taken_back',
        'given_back',
        'added_by_hand',
        'taken_by_hand',
        'points_expired',
      ],
      points,
      'Points',
    ),
    coded(
      [
        'no_rule',
        'taken_at_confirmation',
        'code_open',
        'code_used',
        'code_expired',
        'code_cancelled',
        'because_cancelled',
        'because_unused',
        'because_refunded',
        'because_refund_failed',
        'corrected_by_administrator',
        'brought_over',
        'brought_over_in_error',
      ],
      {},
      'Plain',
    ),
  ])
  .meta({ id: 'CodedSentence' });
export type CodedSentence = z.infer<typeof CodedSentence>;

/** Each has a name in the document, or generators of clients make none of the values' types. */
function coded<const Codes extends readonly [string, ...string[]], Shape extends z.ZodRawShape>(
  codes: Codes,
  shape: Shape,
  name = inPascalCase(codes[0]),
) {
  const params = z.object(shape).describe('The values that the sentence names.');
  return z
    .object({ code: z.enum(codes).describe('What it says.'), params })
    .meta({ id: `${name}Sentence` });
}

function inPascalCase(code: string): string {
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What is known of a sentence, by its code. */
export type SentenceParams = {
  [Sentence in CodedSentence as Sentence['code']]: Sentence['params'];
};
