import { z } from 'zod';
import { invalidField, Refusal } from './errors.ts';
import type { ProgrammeVersionId, TenantId } from './ids.ts';
import { type Tier, TiersInput } from './tiers.ts';
import { ianaName, isTimeZone, timeZoneOf, zonesOf } from './time-zones.ts';

/** A window ends long before points of a month could expire: 14 of about 30 days. */
const MOST_WINDOW_DAYS_PER_MONTH = 14;

/** What the fields of a programme mean, for the document. */
export const PROGRAMME_TEXTS = {
  timeZone: 'By whose clocks months and days of the shop begin, such as `Europe/Berlin`.',
  validityMonths:
    'For how many months after the one in which they were earned points are valid; null for ever.',
  expiryNoticeDays: 'How many days before the last one customers are told of points that expire.',
  returnWindowDays:
    'For how many days after a sale its points wait, because it can still be returned; 0 for none.',
  tillAttach: 'Whether staff may attach a sale to a customer at the till.',
  tiers: 'Who spends enough within a year earns more; the lowest first.',
} as const;

/** The request that publishes a version of a programme: its fields with bounds and defaults. */
export const ProgrammeInput = z
  .object({
    timeZone: z
      .string()
      .refine(isTimeZone, { message: 'must be the name of a time zone, such as Europe/Berlin' })
      .optional()
      .describe(
        `${PROGRAMME_TEXTS.timeZone} By default the shop's: the first version sets it, and only ` +
          'support can correct it.',
      ),
    validityMonths: z
      .int()
      .min(1)
      .max(120)
      .nullable()
      .default(null)
      .describe(PROGRAMME_TEXTS.validityMonths),
    expiryNoticeDays: z.int().min(7).max(60).default(14).describe(PROGRAMME_TEXTS.expiryNoticeDays),
    returnWindowDays: z
      .int()
      .min(0)
      .max(90)
      .default(0)
      .describe(`${PROGRAMME_TEXTS.returnWindowDays} At most 14 for each month of validity.`),
    tillAttach: z.boolean().default(false).describe(PROGRAMME_TEXTS.tillAttach),
    tiers: TiersInput.default([]).describe(
      `${PROGRAMME_TEXTS.tiers} Decided each night of sales that are two weeks old, or that can ` +
        'no longer be returned. Thresholds ascend, multipliers do not descend.',
    ),
  })
  .refine(
    ({ validityMonths, returnWindowDays }) =>
      validityMonths === null || returnWindowDays <= MOST_WINDOW_DAYS_PER_MONTH * validityMonths,
    { path: ['returnWindowDays'], message: 'must be at most 14 days for each month of validity' },
  );
export type ProgrammeInput = z.infer<typeof ProgrammeInput>;

/** What one version says. */
export type ProgrammeTerms = Omit<ProgrammeInput, 'timeZone'> & { timeZone: string };

/** One version of a programme. Versions are only ever added; the highest is the active one. */
export type ProgrammeVersion = ProgrammeTerms & {
  id: ProgrammeVersionId;
  tenantId: TenantId;
  version: number;
  active: boolean;
  publishedAt: Date;
};

/** What a version says to customers of a shop. */
export type ConsumerProgramme = Pick<ProgrammeTerms, 'validityMonths' | 'returnWindowDays'> & {
  tiers: readonly Tier[];
};

/** What holds where a shop has published nothing. */
export const NO_PROGRAMME: ConsumerProgramme = {
  validityMonths: null,
  returnWindowDays: 0,
  tiers: [],
};

/**
 * Returns the time zone that a version gives a shop, by IANA's name: the one asked for, else the
 * shop's. Throws VALIDATION_ERROR if it is one of another country, or another one than was set, or
 * if neither is known.
 */
export function timeZoneFor(
  asked: string | undefined,
  shop: { timeZone: string | null; country: string | null },
  now: Date,
): string {
  const { timeZone, country } = shop;
  const named = asked === undefined ? undefined : ianaName(asked);
  if (named !== undefined && named !== timeZone) {
    if (country !== null && !zonesOf(country).includes(named)) {
      throw invalidField(
        'timeZone',
        `must be a time zone of ${country}: ${zonesOf(country).join(', ')}`,
      );
    }
    if (timeZone !== null) {
      const message = `The time zone is ${timeZone} already. Ask support if that is wrong.`;
      const why = { issue: 'time_zone_set', params: { timeZone } } as const;
      throw new Refusal('VALIDATION_ERROR', message, why);
    }
    return named;
  }
  const known = timeZoneOf(shop, now);
  if (known === undefined) {
    const message = 'By whose clocks the shop goes is not known. Send its `timeZone`.';
    throw new Refusal('VALIDATION_ERROR', message, 'time_zone_required');
  }
  return known;
}
