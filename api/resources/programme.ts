import { z } from 'zod';
import { ProgrammeVersionId } from '../../domain/ids.ts';
import { PROGRAMME_TEXTS, type ProgrammeVersion } from '../../domain/programme.ts';
import { TierSchema } from '../../domain/tiers.ts';
import { ConsumerCampaignSchema } from './campaign.ts';

const TERMS = {
  validityMonths: z.int().nullable().describe(PROGRAMME_TEXTS.validityMonths),
  returnWindowDays: z.int().describe(PROGRAMME_TEXTS.returnWindowDays),
  tiers: z.array(TierSchema.meta({ id: 'Tier' })).describe(PROGRAMME_TEXTS.tiers),
};

/** One version of a programme, as its merchant sees it. */
export const ProgrammeVersionSchema = z
  .object({
    id: ProgrammeVersionId,
    version: z.int(),
    active: z.boolean().describe('Whether it is the highest version, which governs.'),
    timeZone: z.string().describe(PROGRAMME_TEXTS.timeZone),
    ...TERMS,
    expiryNoticeDays: z.int().describe(PROGRAMME_TEXTS.expiryNoticeDays),
    tillAttach: z.boolean().describe(PROGRAMME_TEXTS.tillAttach),
    publishedAt: z.iso.datetime().describe('From when on it governs.'),
  })
  .meta({ id: 'ProgrammeVersion' });

/** What of a programme concerns a customer. */
export const ConsumerProgrammeSchema = z
  .object({
    ...TERMS,
    tier: TierSchema.omit({ thresholdMinorUnits: true })
      .extend({
        since: z.iso.date().describe('From which day on, where the shop is.'),
        keptUntil: z.iso.date().describe('The day on which it is decided anew.'),
      })
      .nullable()
      .describe('The one that you have; null for none.')
      .meta({ id: 'OwnTier' }),
    qualifyingMinorUnits: z
      .int()
      .describe(
        'What counts today towards the thresholds: the sales of a year, less refunds, until two ' +
          'weeks ago, or until when they could still be returned.',
      ),
    campaigns: z
      .array(ConsumerCampaignSchema)
      .describe('Those that run and that this customer can still get.'),
  })
  .meta({ id: 'ConsumerProgramme' });

/** What is left of a wallet's points, by when it expires. */
export const ValiditySchema = z
  .object({
    validityMonths: z
      .int()
      .nullable()
      .describe('For how many months points are valid that are earned now; null for ever.'),
    timeZone: z.string().nullable().describe('By whose clocks months end: those of the shop.'),
    points: z
      .array(
        z.object({
          month: z
            .string()
            .regex(/^\d{4}-\d\d$/)
            .nullable()
            .describe('The month at whose end they expire; null for never.'),
          expiresAt: z.iso.datetime().nullable().describe('The first moment after that month.'),
          points: z.int().describe('How many.'),
        }),
      )
      .describe('Soonest first, what never expires last.'),
  })
  .meta({ id: 'Validity' });

export const tiersExample = [
  { key: 'silver', name: 'Silver', thresholdMinorUnits: 50000, multiplier: 1.25 },
  { key: 'gold', name: 'Gold', thresholdMinorUnits: 100000, multiplier: 1.5 },
];

export const programmeExample = {
  id: '4e1c9d2a-6b7f-4c3d-8e5a-0f1b2c3d4e5f',
  version: 2,
  active: true,
  timeZone: 'Europe/Berlin',
  validityMonths: 12,
  returnWindowDays: 14,
  expiryNoticeDays: 14,
  tillAttach: true,
  tiers: tiersExample,
  publishedAt: '2026-01-15T10:00:00.000Z',
} as const;

/** Builds the resource of a version. */
export function programmeAnswerOf({ publishedAt, ...version }: ProgrammeVersion) {
  return { ...version, publishedAt: publishedAt.toISOString() };
}
