import { z } from 'zod';
import { decimalsOf } from './wording.ts';

/**
 * Writes an amount as the language does, with as many decimals as the currency has: `$12.50`,
 * `¥1,250`, `KWD 1.250`. The currency is a code of three capital letters.
 */
export function formatMoney(minorUnits: number, currency: string, language: string): string {
  const decimals = decimalsOf(currency);
  const scale = 10 ** decimals;
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  // Divided, a large amount would lose its last digits.
  const rest = minorUnits % scale;
  const fraction = String(Math.abs(rest)).padStart(decimals, '0');
  return format
    .formatToParts((minorUnits - rest) / scale)
    .map(({ type, value }) => (type === 'fraction' ? fraction : value))
    .join('');
}

/** Writes a whole number as the language does: `12,500`. */
export function formatCount(count: number, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(count);
}

/** A time in parts, for a language to put together; the offset is as in `+01:00`. */
export type Moment = Record<'day' | 'month' | 'year' | 'hour' | 'minute' | 'offset', string>;

/** Splits a time into its parts by the clocks of a time zone; the month is a name. */
export function momentOf(time: Date, language: string, timeZone: string): Moment {
  const format = new Intl.DateTimeFormat(language, {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = format.formatToParts(time);
  const part = (wanted: Intl.DateTimeFormatPartTypes) =>
    parts.find(({ type }) => type === wanted)?.value ?? '';
  return {
    day: part('day'),
    month: part('month'),
    year: part('year'),
    hour: part('hour'),
    minute: part('minute'),
    offset: offsetOf(timeZone, time),
  };
}

/**
 * The time zone by which a country's clocks go at that moment, or UTC when they do not all show the
 * same, or no country is known.
 */
export function timeZoneOf(country: string | null, time: Date): string {
  const [first, ...others] = country === null ? [] : zonesOf(country);
  if (first === undefined) return 'UTC';
  const offset = offsetOf(first, time);
  return others.every((other) => offsetOf(other, time) === offset) ? first : 'UTC';
}

function zonesOf(country: string): string[] {
  const locale = new Intl.Locale(`und-${country}`);
  // Earlier versions of Node.js have a property instead of the method.
  const method: unknown = Reflect.get(locale, 'getTimeZones');
  const zones: unknown =
    typeof method === 'function' ? method.call(locale) : Reflect.get(locale, 'timeZones');
  return z.array(z.string()).catch([]).parse(zones);
}

function offsetOf(timeZone: string, time: Date): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', '') || '+00:00';
}
