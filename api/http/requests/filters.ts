import { z } from 'zod';
import { isTimeZone } from '../../../domain/time-zones.ts';

/** Builds a parameter that is a time: ISO 8601 with `Z` or an offset. */
export function timeParameter() {
  return z.iso
    .datetime({ offset: true })
    .refine(hasFourDigits, 'must be a time of the years 1000 to 9999 in UTC')
    .transform((text) => new Date(text));
}

/** Builds a parameter that is the name of a time zone, and may be left out. */
export function timeZoneParameter(description: string) {
  return z
    .string()
    .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
    .optional()
    .describe(description);
}

/** Builds a parameter that is a text to search for; without it, the empty text. */
export function searchParameter(maxLength: number) {
  return z.string().trim().max(maxLength).default('');
}

/**
 * An offset may move a time out of the years that have four digits, as all times in answers do.
 * They are those from 1000 on: the time before some is counted as well, and no month of a year
 * below 0 can be asked for.
 */
function hasFourDigits(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return !(year < 1000 || year > 9999);
}
