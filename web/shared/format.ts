import { decimalsOf, formatMinorUnits } from '../../sdk/index.ts';
import { language } from '../texts/en/language.ts';
import { placeOf, shownZone } from './zone.ts';

/** How numbers and times are written: in the language of the texts, as where the person is. */
const LOCALE = localeOf(new Intl.DateTimeFormat().resolvedOptions().locale);

function localeOf(own: string): string {
  return own.split('-')[0] === language ? own : language;
}

const integers = new Intl.NumberFormat(LOCALE);
const decimals = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });

const STYLES = {
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
  time: { timeStyle: 'short' },
  exactTime: { timeStyle: 'medium' },
  shortDay: { day: 'numeric', month: 'short' },
  dayAndTime: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes a moment by the clocks that are shown. */
function written(iso: string, style: keyof typeof STYLES): string {
  const timeZone = shownZone();
  const key = `${style} ${timeZone}`;
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(LOCALE, { ...STYLES[style], timeZone });
  formats.set(key, format);
  return format.format(new Date(iso));
}

/** An amount as people write it: €12.50. */
export function money(minorUnits: number, currency: string | null): string {
  return formatMinorUnits(minorUnits, currency, LOCALE);
}

/** A code as people read it out: in groups of four. */
export function grouped(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1 ');
}

const weekdays = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' });
const A_SUNDAY = 4;

/** A day of the week by its number, from Monday as 1: Mon. */
export function weekdayName(day: number): string {
  return weekdays.format(Date.UTC(1970, 0, A_SUNDAY + day));
}

/** A number of points, with its thousands apart. */
export function number(value: number): string {
  return integers.format(value);
}

/** A number that may be a fraction, such as a rate: 0.125. */
export function decimal(value: number): string {
  return decimals.format(value);
}

/**
 * A number as it stands in a field, at least with so many decimals: without its thousands apart,
 * so that it is read as it was written.
 */
export function asTyped(value: number, places = 0): string {
  return new Intl.NumberFormat(LOCALE, {
    useGrouping: false,
    minimumFractionDigits: places,
    maximumFractionDigits: 6,
  }).format(value);
}

/** How many minor units the unit of a currency is: 100 cents. */
export function unitOf(currency: string): number {
  return 10 ** decimalsOf(currency);
}

/** A share of 1 in percent, with at most so many decimals: 47%. */
export function percent(share: number, maximumFractionDigits = 0): string {
  return new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits }).format(share);
}

/** The day of a time, without its year; undefined if the other time is on the same day. */
export function otherDay(iso: string, other: string): string | undefined {
  return day(iso) === day(other) ? undefined : shortDay(iso);
}

/** A number in little room: 1.2K. */
export function shortNumber(value: number): string {
  return new Intl.NumberFormat(LOCALE, { notation: 'compact' }).format(value);
}

/** An amount in little room, without the part behind the point where it is nothing: €1.2K, €5. */
export function shortMoney(minorUnits: number, currency: string | null): string {
  if (currency === null) return money(minorUnits, currency);
  const units = minorUnits / unitOf(currency);
  if (!Number.isInteger(units)) return money(minorUnits, currency);
  const options = { style: 'currency', currency, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(LOCALE, {
    ...options,
    notation: 'compact',
    trailingZeroDisplay: 'stripIfInteger',
  }).format(units);
}

/** The day and the time of a moment, by the clocks that are shown. */
export function moment(iso: string): string {
  return written(iso, 'moment');
}

/** The day of a moment, by the clocks that are shown. */
export function day(iso: string): string {
  return written(iso, 'day');
}

const dates = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day that is the shop's, whatever clocks are shown, by its first moment in UTC. */
export function dateOf(utcMs: number): string {
  return dates.format(utcMs);
}

/** The day and the time of a moment whose year is said already: Nov 24, 7:10 PM. */
export function dayAndTime(iso: string): string {
  return written(iso, 'dayAndTime');
}

/** The month of a moment, by the clocks that are shown: November 2026. */
export function monthOf(iso: string): string {
  return written(iso, 'month');
}

/** The day of a moment without its year. */
export function shortDay(iso: string): string {
  return written(iso, 'shortDay');
}

/** The month of a moment in little room: Nov 2026. */
export function shortMonth(iso: string): string {
  return written(iso, 'shortMonth');
}

/** The time of day of a moment, by the clocks that are shown. */
export function timeOfDay(iso: string): string {
  return written(iso, 'time');
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago a moment was: 3 min. ago. */
export function ago(iso: string, nowMs: number): string {
  const ms = Math.max(0, nowMs - Date.parse(iso));
  const [unit, size] = UNITS.find(([, length]) => ms >= length) ?? (['second', ms + 1] as const);
  return relative.format(-Math.floor(ms / size), unit);
}

/** How long it has been since a moment, at least a minute, in the largest unit: 3 days. */
export function age(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso);
  const [unit, size] = UNITS.find(([, length]) => ms >= length) ?? UNITS[2];
  const format = new Intl.NumberFormat(LOCALE, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.floor(ms / size)));
}

const DECIMAL_SIGN = decimals.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value;
const THOUSAND_DIGITS = 3;

/**
 * Reads the digits of a number that a person typed, before and behind either decimal sign;
 * undefined if it is none. Of three digits behind the sign that is not the language's nobody knows
 * whether they are thousands: that is no number either.
 */
export function digitsOf(text: string): { whole: string; fraction: string } | undefined {
  const [, whole, sign, fraction = ''] = /^\s*(\d{1,12})(?:([.,])(\d+))?\s*$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const isForeign = sign !== undefined && sign !== DECIMAL_SIGN;
  return isForeign && fraction.length === THOUSAND_DIGITS ? undefined : { whole, fraction };
}

/**
 * Reads an amount that a person typed, such as 12.50, as minor units of a currency; undefined if it
 * is none, or has more digits than the currency.
 */
export function minorUnitsOf(text: string, currency: string): number | undefined {
  const digits = decimalsOf(currency);
  const { whole, fraction = '' } = digitsOf(text) ?? {};
  if (whole === undefined || fraction.length > digits) return undefined;
  return Number(whole + fraction.padEnd(digits, '0'));
}

const regions = new Intl.DisplayNames(LOCALE, { type: 'region' });
const currencies = new Intl.DisplayNames(LOCALE, { type: 'currency' });

/** The time of day to the second, by the clocks that are shown. */
export function exactTime(at: Date): string {
  return written(at.toISOString(), 'exactTime');
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
  const place = placeOf(timeZone);
  return place === name ? timeZone : `${name} (${place})`;
}
