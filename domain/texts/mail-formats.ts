import { kept } from '../kept.ts';
import { offsetOf } from '../time-zones.ts';
import { decimalsOf } from './wording.ts';

const moneyFormat = kept((language: string, currency: string) => {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
});

const numberFormat = kept(
  (language: string) => new Intl.NumberFormat(language, { maximumFractionDigits: 20 }),
);

const momentFormat = kept(
  (language: string, timeZone: string) =>
    new Intl.DateTimeFormat(language, {
      timeZone,
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);

/**
 * Writes an amount as the language does, with as many decimals as the currency has: `$12.50`,
 * `¥1,250`, `KWD 1.250`. The currency is a code of three capital letters.
 */
export function formatMoney(minorUnits: number, currency: string, language: string): string {
  const decimals = decimalsOf(currency);
  const scale = 10 ** decimals;
  // Divided, a large amount would lose its last digits.
  const rest = minorUnits % scale;
  const fraction = String(Math.abs(rest)).padStart(decimals, '0');
  return moneyFormat(language, currency)
    .formatToParts((minorUnits - rest) / scale)
    .map(({ type, value }) => (type === 'fraction' ? fraction : value))
    .join('');
}

/** Writes a number as the language does: `12,500`, `0.25`. */
export function formatNumber(value: number, language: string): string {
  return numberFormat(language).format(value);
}

/** A time in parts, for a language to put together; the offset is like `+01:00`, empty for UTC. */
export type Moment = Record<'day' | 'month' | 'year' | 'hour' | 'minute' | 'offset', string>;

/** Splits a time into its parts by the clocks of a time zone; the month is a name. */
export function momentOf(time: Date, language: string, timeZone: string): Moment {
  const parts = momentFormat(language, timeZone).formatToParts(time);
  const part = (wanted: Intl.DateTimeFormatPartTypes) =>
    parts.find(({ type }) => type === wanted)?.value ?? '';
  const offset = offsetOf(timeZone, time);
  return {
    day: part('day'),
    month: part('month'),
    year: part('year'),
    hour: part('hour'),
    minute: part('minute'),
    offset: offset === '+00:00' ? '' : offset,
  };
}
