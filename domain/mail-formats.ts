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

/** A time in parts, for a language to put together; the offset is `+00:00`. */
export type Moment = Record<'day' | 'month' | 'year' | 'hour' | 'minute' | 'offset', string>;

/** Splits a time into its parts in UTC, since nobody's time zone is known; the month is a name. */
export function momentOf(time: Date, language: string): Moment {
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
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
    offset: '+00:00',
  };
}
