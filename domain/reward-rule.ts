import { Big } from 'big.js';
import { z } from 'zod';
import type { RewardRuleId, TenantId } from './ids.ts';

export const ROUNDING_POLICIES = ['floor', 'ceil', 'round'] as const;
export type RoundingPolicy = (typeof ROUNDING_POLICIES)[number];

/** How early a rule may count as in effect, because the clocks of two machines may differ. */
export const EFFECTIVE_TOLERANCE_SECONDS = 60;

const MAX_INTEGER = 2 ** 31 - 1;
const MAX_CONVERSION_RATE = 1_000_000;
const MAX_DECIMALS = 6;

const integer = z.int().min(0).max(MAX_INTEGER);
const decimal = z
  .number()
  .positive()
  .refine((value) => new Big(value).round(MAX_DECIMALS).eq(value), {
    message: `must have at most ${MAX_DECIMALS} decimals`,
  });
const DECIMALS = `At most ${MAX_DECIMALS} decimals.`;

/** What the fields of a rule mean, for the document. */
export const RULE_TEXTS = {
  conversionRate: 'Points for each minor unit of the amount.',
  minSpendMinorUnits: 'A payment of less, in minor units, earns nothing.',
  maxPointsPerTransaction: 'The most that a payment earns; null for no limit.',
  minBalanceToRedeem: 'With a smaller balance nothing can be redeemed.',
  maxRedemptionPercentage: 'Of the balance, what may be redeemed in 24 hours.',
  roundingPolicy: 'How a fraction of a point is rounded; `round` rounds halves up.',
  effectiveFrom: 'From when on it governs. By default, from its publication on.',
} as const;

const moment = z.iso
  .datetime({ offset: true })
  .refine(hasFourDigitYear, { message: 'must lie in the years 1000 to 9999' })
  .meta({ pattern: '^[1-9]\\d{3}-' });

/** The request that publishes a rule: its fields with their bounds and defaults. */
export const RewardRuleInput = z.object({
  conversionRate: decimal
    .max(MAX_CONVERSION_RATE)
    .describe(`${RULE_TEXTS.conversionRate} ${DECIMALS}`),
  minSpendMinorUnits: integer.default(0).describe(RULE_TEXTS.minSpendMinorUnits),
  maxPointsPerTransaction: integer
    .nullable()
    .default(null)
    .describe(RULE_TEXTS.maxPointsPerTransaction),
  minBalanceToRedeem: integer.default(0).describe(RULE_TEXTS.minBalanceToRedeem),
  maxRedemptionPercentage: decimal
    .max(100)
    .default(100)
    .describe(`${RULE_TEXTS.maxRedemptionPercentage} ${DECIMALS}`),
  roundingPolicy: z.enum(ROUNDING_POLICIES).default('floor').describe(RULE_TEXTS.roundingPolicy),
  effectiveFrom: moment.optional().describe(RULE_TEXTS.effectiveFrom),
});
export type RewardRuleInput = z.infer<typeof RewardRuleInput>;

/** The terms that decide what a payment earns. Rates are decimal text, never floating point. */
export type EarningTerms = {
  conversionRate: string;
  minSpendMinorUnits: number;
  maxPointsPerTransaction: number | null;
  roundingPolicy: RoundingPolicy;
};

/**
 * What becomes of a version: it governs now, it will from its date on, or it never will (again),
 * because a higher one governs by then.
 */
export const RULE_STATUSES = ['in_effect', 'scheduled', 'superseded'] as const;
export type RuleStatus = (typeof RULE_STATUSES)[number];

/** One version of a tenant's rule. Versions are only ever added; the highest is the active one. */
export type RewardRule = EarningTerms & {
  id: RewardRuleId;
  tenantId: TenantId;
  version: number;
  minBalanceToRedeem: number;
  maxRedemptionPercentage: string;
  effectiveFrom: Date;
  createdAt: Date;
};

/** The years that Postgres reads as a date's text. Text that is not a date at all passes here. */
function hasFourDigitYear(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return !(year < 1000 || year > 9999);
}
