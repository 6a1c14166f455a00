import { z } from 'zod';
import { type Day, dayBefore } from './intervals.ts';

// Tiers of a shop: who spends enough within a year earns more by each sale of the next one.

/** How many tiers a shop may have. */
const MOST_TIERS = 5;
/** For how many days a tier is kept, and how many days of sales decide of it. */
const TERM_DAYS = 365;
/** For how many days a sale does not count at least: until then it is often returned. */
const LEAST_WAIT_DAYS = 14;

const fields = {
  key: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,19}$/, {
      message: 'must be a lower-case name such as gold, of at most 20 characters',
    })
    .describe('Names the tier for ever: who has it keeps it while a version has the key.'),
  name: z.string().trim().min(1).max(40).describe('What customers read.'),
  thresholdMinorUnits: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .describe('What is to be spent within a year, less refunds.'),
  multiplier: z
    .number()
    .min(1)
    .max(10)
    .multipleOf(0.001)
    .describe('By how much points are multiplied; of it and campaigns the greatest counts.'),
};

/** A tier of a programme. */
export const TierSchema = z.object(fields);
export type Tier = z.infer<typeof TierSchema>;

/** The tiers of a programme, the lowest first. */
export const TiersInput = z
  .array(TierSchema)
  .max(MOST_TIERS)
  .superRefine((tiers, context) => {
    const wrong = (nth: number, field: keyof Tier, message: string) =>
      context.addIssue({ code: 'custom', path: [nth, field], message });
    for (const [nth, tier] of tiers.entries()) {
      const before = tiers[nth - 1];
      if (tiers.findIndex(({ key }) => key === tier.key) < nth) {
        wrong(nth, 'key', 'must not be that of another tier');
      }
      if (before === undefined) continue;
      if (tier.thresholdMinorUnits <= before.thresholdMinorUnits) {
        wrong(nth, 'thresholdMinorUnits', 'must be more than that of the tier before');
      }
      if (tier.multiplier < before.multiplier) {
        wrong(nth, 'multiplier', 'must not be less than that of the tier before');
      }
    }
  });

/** The tier that a customer has, by the days of the shop. `keptUntil` is the day it is judged. */
export type Standing = { tierKey: string; since: Day; keptUntil: Day };

/** The sales that count on a day: from the first to the last of these days, both included. */
export type QualifyingDays = { first: Day; last: Day };

/**
 * Returns of which days sales count towards the tiers of a day: a year of them, which ends two
 * weeks before it, or with what can no longer be returned.
 */
export function qualifyingDays(day: Day, returnWindowDays: number): QualifyingDays {
  const end = dayBefore(day, Math.max(LEAST_WAIT_DAYS, returnWindowDays));
  return { first: dayBefore(end, TERM_DAYS), last: dayBefore(end, 1) };
}

/** Why a customer has another tier. */
export const TIER_CAUSES = ['reached', 'term_ended'] as const;

/** What a night decides of a customer; `standing` is null for no tier any more. */
export type StandingChange = {
  standing: Standing | null;
  from: string | null;
  to: string | null;
  cause: (typeof TIER_CAUSES)[number];
};

/**
 * Decides which tier a customer has from a day on, by what they have spent. A first or a higher one
 * begins at once. A lower one, or none, comes only when the present term is over; who still earns
 * the same tier gets another term. Null where nothing changes. A tier that was removed from the
 * programme counts as none; its row stays until the end of its term.
 */
export function decideTier(
  tiers: readonly Tier[],
  { day, spent, standing }: { day: Day; spent: number; standing: Standing | null },
): StandingChange | null {
  const present = tiers.findIndex(({ key }) => key === standing?.tierKey);
  const earned = tiers.findLastIndex((tier) => tier.thresholdMinorUnits <= spent);
  const from = tiers[present]?.key ?? null;
  const to = tiers[earned]?.key ?? null;
  if (to !== null && earned > present) {
    return { standing: { tierKey: to, ...termFrom(day) }, from, to, cause: 'reached' };
  }
  if (standing === null || day < standing.keptUntil) return null;
  const { since, keptUntil } = termFrom(day);
  const isSame = to === standing.tierKey;
  return {
    standing:
      to === null ? null : { tierKey: to, since: isSame ? standing.since : since, keptUntil },
    from,
    to,
    cause: 'term_ended',
  };
}

function termFrom(day: Day) {
  return { since: day, keptUntil: dayBefore(day, -TERM_DAYS) };
}
