import { z } from 'zod';
import { invalidField, Refusal } from './errors.ts';
import type { CampaignId, TenantId } from './ids.ts';

// A campaign gives more points for some of a shop's sales. Its terms never change, so that what it
// gave can be explained for ever; it can only be ended.

/** Whom a campaign is for: everybody, or who has never earned points at the shop. */
export const CAMPAIGN_AUDIENCES = ['all', 'first_purchase'] as const;
export const CAMPAIGN_STATUSES = ['scheduled', 'running', 'exhausted', 'ended'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** How many campaigns of a shop may be open at once. */
export const MOST_CAMPAIGNS = 20;

/** How long before a request its campaign may begin: clocks differ. */
const TOLERANCE_MS = 60_000;
const MOST_YEARS = 2;

/** What the fields of a campaign mean, for the document. */
export const CAMPAIGN_TEXTS = {
  name: 'What customers read.',
  multiplier: 'By how much the points of a sale are multiplied; of several, the greatest counts.',
  points: 'How many points a sale earns besides.',
  startsAt: 'From when on, by the time of the sale.',
  endsAt: 'Until when, exclusive; null for ever.',
  days: 'On which days, by the clocks of the shop: 1 is Monday, 7 is Sunday; null for all.',
  hours: 'At which time of the day, by the clocks of the shop, the end exclusive; null for all.',
  minSpendMinorUnits: 'The least amount that gets it.',
  audience: '`first_purchase`: only customers who have never earned points at the shop.',
  budgetPoints:
    'Once so many points are spent, it gives no more; what refunds take back may be spent again. ' +
    'What is being decided at that moment may exceed it. Null for no limit.',
} as const;

const time = (pattern: RegExp) =>
  z.string().regex(pattern, { message: 'must be a time of the day such as 08:30' });
const ANY_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** At which time of the day a campaign runs, the end exclusive. */
export const CampaignHours = z
  .object({
    from: time(ANY_TIME).describe('Inclusive.'),
    to: time(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/).describe('Exclusive; at most `24:00`.'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be after `from`' });
export type CampaignHours = z.infer<typeof CampaignHours>;

/** The request that publishes a campaign: its fields with bounds and defaults. */
export const CampaignInput = z
  .object({
    name: z.string().trim().min(1).max(60).describe(CAMPAIGN_TEXTS.name),
    multiplier: z
      .number()
      .gt(1)
      .max(10)
      .multipleOf(0.001)
      .optional()
      .describe(`${CAMPAIGN_TEXTS.multiplier} This or \`points\`.`),
    points: z.int().min(1).max(1_000_000).optional().describe(CAMPAIGN_TEXTS.points),
    startsAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(`${CAMPAIGN_TEXTS.startsAt} By default from now on; not in the past.`),
    endsAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .default(null)
      .describe(`${CAMPAIGN_TEXTS.endsAt} At most ${MOST_YEARS} years later.`),
    days: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .refine((days) => new Set(days).size === days.length, { message: 'must not repeat a day' })
      .nullable()
      .default(null)
      .describe(CAMPAIGN_TEXTS.days),
    hours: CampaignHours.nullable().default(null).describe(CAMPAIGN_TEXTS.hours),
    minSpendMinorUnits: z
      .int()
      .min(0)
      .max(2 ** 31 - 1)
      .default(0)
      .describe(`${CAMPAIGN_TEXTS.minSpendMinorUnits} At least as much as \`points\`.`),
    audience: z.enum(CAMPAIGN_AUDIENCES).default('all').describe(CAMPAIGN_TEXTS.audience),
    budgetPoints: z
      .int()
      .min(1)
      .max(1e12)
      .nullable()
      .default(null)
      .describe(CAMPAIGN_TEXTS.budgetPoints),
  })
  .refine(({ multiplier, points }) => (multiplier === undefined) !== (points === undefined), {
    path: ['multiplier'],
    message: 'must be there, or `points`, and not both',
  });
export type CampaignInput = z.infer<typeof CampaignInput>;

/** What a campaign says. One of `multiplier` and `points` is there. */
export type CampaignTerms = Omit<CampaignInput, 'multiplier' | 'points' | 'startsAt' | 'endsAt'> & {
  multiplier: number | null;
  points: number | null;
  startsAt: Date;
  endsAt: Date | null;
};

/** A published campaign. */
export type Campaign = CampaignTerms & {
  id: CampaignId;
  tenantId: TenantId;
  publishedAt: Date;
  endedAt: Date | null;
};

/** What a campaign has given: points less what refunds took back, and for how many sales. */
export type Spent = { spentPoints: number; awards: number };

/**
 * Returns the terms that a request asks for, as of now. Throws VALIDATION_ERROR for times that are
 * not to come, and `too_generous` where a sale could earn more points than its amount has units.
 */
export function termsOf(input: CampaignInput, now: Date): CampaignTerms {
  const { multiplier = null, points = null, minSpendMinorUnits } = input;
  if (points !== null && minSpendMinorUnits < points) {
    const message =
      `${points} points for a sale of ${minSpendMinorUnits} minor units are worth more than the ` +
      'sale. Ask for `minSpendMinorUnits` of at least as much.';
    throw new Refusal('VALIDATION_ERROR', message, 'too_generous');
  }
  const startsAt = input.startsAt === undefined ? now : new Date(input.startsAt);
  const endsAt = input.endsAt === null ? null : new Date(input.endsAt);
  if (startsAt.getTime() < now.getTime() - TOLERANCE_MS) {
    throw invalidField('startsAt', 'must not be in the past');
  }
  if (endsAt !== null && endsAt <= startsAt) throw invalidField('endsAt', 'must be after startsAt');
  const latest = new Date(startsAt);
  latest.setUTCFullYear(latest.getUTCFullYear() + MOST_YEARS);
  if (endsAt !== null && endsAt > latest) {
    throw invalidField('endsAt', `must be at most ${MOST_YEARS} years after startsAt`);
  }
  const days = input.days?.toSorted() ?? null;
  return { ...input, multiplier, points, startsAt, endsAt, days };
}

/** Says whether a campaign goes by the clocks of its shop. */
export function needsClocks({ days, hours }: Pick<CampaignTerms, 'days' | 'hours'>): boolean {
  return days !== null || hours !== null;
}

/** Says how far a campaign has come. */
export function statusOf(
  campaign: Pick<Campaign, 'startsAt' | 'endsAt' | 'endedAt' | 'budgetPoints'>,
  { spentPoints }: Pick<Spent, 'spentPoints'>,
  now: Date,
): CampaignStatus {
  if (now >= endOf(campaign)) return 'ended';
  const { budgetPoints, startsAt } = campaign;
  if (budgetPoints !== null && spentPoints >= budgetPoints) return 'exhausted';
  return now < startsAt ? 'scheduled' : 'running';
}

const FOREVER = new Date(8_640_000_000_000_000);

/** When a campaign ends, or was ended. */
export function endOf({ endsAt, endedAt }: Pick<Campaign, 'endsAt' | 'endedAt'>): Date {
  const ends = [endsAt ?? FOREVER, endedAt ?? FOREVER];
  return new Date(Math.min(...ends.map((end) => end.getTime())));
}
