import { z } from 'zod';
import type { PlacedCampaign } from '../../db/tenants/campaigns.ts';
import {
  CAMPAIGN_AUDIENCES,
  CAMPAIGN_STATUSES,
  CAMPAIGN_TEXTS,
  CampaignHours,
} from '../../domain/campaigns.ts';
import { CampaignId } from '../../domain/ids.ts';
import { campaignText } from '../../domain/texts/campaign.ts';

/** A campaign, as its merchant sees it. */
export const CampaignSchema = z
  .object({
    id: CampaignId,
    name: z.string().describe(CAMPAIGN_TEXTS.name),
    status: z
      .enum(CAMPAIGN_STATUSES)
      .describe('`exhausted`: its budget is spent; a refund may set it running again.'),
    multiplier: z
      .number()
      .nullable()
      .describe(`${CAMPAIGN_TEXTS.multiplier} Null where it gives \`points\`.`),
    points: z.int().nullable().describe(`${CAMPAIGN_TEXTS.points} Null where it multiplies.`),
    startsAt: z.iso.datetime().describe(CAMPAIGN_TEXTS.startsAt),
    endsAt: z.iso.datetime().nullable().describe(CAMPAIGN_TEXTS.endsAt),
    days: z.array(z.int()).nullable().describe(CAMPAIGN_TEXTS.days),
    hours: CampaignHours.nullable().describe(CAMPAIGN_TEXTS.hours),
    minSpendMinorUnits: z.int().describe(CAMPAIGN_TEXTS.minSpendMinorUnits),
    audience: z.enum(CAMPAIGN_AUDIENCES).describe(CAMPAIGN_TEXTS.audience),
    budgetPoints: z.int().nullable().describe(CAMPAIGN_TEXTS.budgetPoints),
    spentPoints: z.int().describe('What it has given, less what refunds took back.'),
    awards: z.int().describe('For how many sales it has given some.'),
    publishedAt: z.iso.datetime().describe('Of several campaigns, earlier ones count first.'),
    endedAt: z.iso.datetime().nullable().describe('When it was ended before its time, if so.'),
  })
  .meta({ id: 'Campaign' });

/** A running campaign that a customer can still get. */
export const ConsumerCampaignSchema = z
  .object({
    id: CampaignId,
    name: z.string().describe(CAMPAIGN_TEXTS.name),
    text: z.string().describe('What it gives for which purchases, in a sentence.'),
    multiplier: z.number().nullable().describe(CAMPAIGN_TEXTS.multiplier),
    points: z.int().nullable().describe(CAMPAIGN_TEXTS.points),
    minSpendMinorUnits: z.int().describe(CAMPAIGN_TEXTS.minSpendMinorUnits),
    audience: z.enum(CAMPAIGN_AUDIENCES).describe(CAMPAIGN_TEXTS.audience),
    days: z.array(z.int()).nullable().describe(CAMPAIGN_TEXTS.days),
    hours: CampaignHours.nullable().describe(CAMPAIGN_TEXTS.hours),
    endsAt: z.iso.datetime().nullable().describe(CAMPAIGN_TEXTS.endsAt),
  })
  .meta({ id: 'ConsumerCampaign' });

export const campaignExample: z.infer<typeof CampaignSchema> = {
  id: CampaignId.parse('8b1f3c5d-7e9a-4b2c-9d4e-6f8a0b1c2d3e'),
  name: 'Happy hour',
  status: 'running',
  multiplier: 2,
  points: null,
  startsAt: '2026-01-15T10:00:00.000Z',
  endsAt: '2026-02-15T10:00:00.000Z',
  days: [1, 2, 3],
  hours: { from: '15:00', to: '18:00' },
  minSpendMinorUnits: 500,
  audience: 'all',
  budgetPoints: 10_000,
  spentPoints: 1_250,
  awards: 17,
  publishedAt: '2026-01-15T10:00:00.000Z',
  endedAt: null,
};

export const consumerCampaignExample = {
  id: campaignExample.id,
  name: campaignExample.name,
  text:
    '2 times the points for each purchase of 5.00 EUR or more on Monday, Tuesday and Wednesday ' +
    'from 15:00 to 18:00.',
  multiplier: campaignExample.multiplier,
  points: campaignExample.points,
  minSpendMinorUnits: campaignExample.minSpendMinorUnits,
  audience: campaignExample.audience,
  days: campaignExample.days,
  hours: campaignExample.hours,
  endsAt: campaignExample.endsAt,
};

/** Builds the resource of a campaign. */
export function campaignAnswerOf({ tenantId: _, ...campaign }: PlacedCampaign) {
  const { startsAt, endsAt, publishedAt, endedAt } = campaign;
  return {
    ...campaign,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    publishedAt: publishedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

/** Builds what a customer sees of a campaign. */
export function consumerCampaignOf(campaign: PlacedCampaign, currency: string | null) {
  const { id, name, multiplier, points, minSpendMinorUnits, audience, days, hours } = campaign;
  const terms = { multiplier, points, minSpendMinorUnits, audience, days, hours };
  const text = campaignText(campaign, currency);
  return { id, name, text, ...terms, endsAt: campaign.endsAt?.toISOString() ?? null };
}
