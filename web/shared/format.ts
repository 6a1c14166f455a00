import { decimalsOf, formatMinorUnits } from '../../sdk/index.ts';

/** The language of the texts, which is also that of numbers and times. */
const LOCALE = 'en';

const integers = new Intl.NumberFormat(LOCALE);
const decimals = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 });
const moments = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const days = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const daysAndTimes = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const months = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric' });
const times = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });

/** An amount as people write it: €12.50. */
export function money(minorUnits: number, currency: string | null): string {
  return formatMinorUnits(minorUnits, currency, LOCALE);
}

/** A number of points, with its thousands apart. */
export function number(value: number): string {
  return integers.format(value);
}

/** A number that may be a fraction, such as a rate: 0.125. */
export function decimal(value: number): string {
  return decimals.format(value);
}

/** How many minor units the unit of a currency is: 100 cents. */
export function unitOf(currency: string): number {
  return 10 ** decimalsOf(currency);
}

/** The day and the time of a moment, where the person is. */
export function moment(iso: string): string {
  return moments.format(new Date(iso));
}

/** The day of a moment, where the person is. */
export function day(iso: string): string {
  return days.format(new Date(iso));
}

/** The day and the time of a moment whose year is said already: Nov 24, 7:10 PM. */
export function dayAndTime(iso: string): string {
  return daysAndTimes.format(new Date(iso));
}

/** The month of a moment, where the person is: November 2026. */
export function monthOf(iso: string): string {
  return months.format(new Date(iso));
}

/** The time of day of a moment, where the person is. */
export function timeOfDay(iso: string): string {
  return times.format(new Date(iso));
}

/**
 * Reads an amount that a person typed, such as 12.50, as minor units of a currency; undefined if it
 * is none, or has more digits than the currency.
 */
export function minorUnitsOf(text: string, currency: string): number | undefined {
  const digits = decimalsOf(currency);
  const [, whole = '', fraction = ''] = /^\s*(\d{1,12})(?:[.,](\d+))?\s*$/.exec(text) ?? [];
  if (whole === '' || fraction.length > digits) return undefined;
  return Number(whole + fraction.padEnd(digits, '0'));
}

const regions = new Intl.DisplayNames(LOCALE, { type: 'region' });
const currencies = new Intl.DisplayNames(LOCALE, { type: 'currency' });

const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });

/** The time of day to the second, where the person is. */
export function exactTime(at: Date): string {
  return clock.format(at);
}

/** The name of a country by its code: Germany. */
export function countryName(code: string): string {
  return regions.of(code) ?? code;
}

/** The name of a currency by its code: Euro. */
export function currencyName(code: string): string {
  return currencies.of(code) ?? code;
}

/** The name of a time zone by its code: Eastern Time (New York). */
export function zoneName(timeZone: string): string {
  const format = new Intl.DateTimeFormat(LOCALE, { timeZone, timeZoneName: 'longGeneric' });
  const name = format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value;
  const place = timeZone.split('/').at(-1)?.replaceAll('_', ' ');
  return place === undefined || place === name ? timeZone : `${name} (${place})`;
}
