import { z } from 'zod';
import { kept } from './kept.ts';

/** IANA's names of the zones that runtimes still call by an older one. */
const RENAMED = new Map(
  Object.entries({
    'Africa/Asmera': 'Africa/Asmara',
    'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
    'America/Catamarca': 'America/Argentina/Catamarca',
    'America/Coral_Harbour': 'America/Atikokan',
    'America/Cordoba': 'America/Argentina/Cordoba',
    'America/Godthab': 'America/Nuuk',
    'America/Indianapolis': 'America/Indiana/Indianapolis',
    'America/Jujuy': 'America/Argentina/Jujuy',
    'America/Louisville': 'America/Kentucky/Louisville',
    'America/Mendoza': 'America/Argentina/Mendoza',
    'Asia/Calcutta': 'Asia/Kolkata',
    'Asia/Katmandu': 'Asia/Kathmandu',
    'Asia/Rangoon': 'Asia/Yangon',
    'Asia/Saigon': 'Asia/Ho_Chi_Minh',
    'Atlantic/Faeroe': 'Atlantic/Faroe',
    'Europe/Kiev': 'Europe/Kyiv',
    'Pacific/Enderbury': 'Pacific/Kanton',
    'Pacific/Ponape': 'Pacific/Pohnpei',
    'Pacific/Truk': 'Pacific/Chuuk',
  }),
);

/** IANA's name of a zone, which a browser or runtime may call by an older one. */
export const ianaName = (zone: string): string => RENAMED.get(zone) ?? zone;

/** The main zones of countries of one time that are not the first by their letters. */
const MAIN = ['Asia/Nicosia', 'Pacific/Majuro'];
const WEEK_MS = 7 * 24 * 3_600_000;

/** Whether a text is the name of a time zone: an area and a place, or UTC; no offset, no EST. */
export function isTimeZone(name: string): boolean {
  if (!/^(UTC|[A-Z]\w+(\/[A-Z][\w+-]+)+)$/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Runtimes read any mixture of small and capital letters.
    const names = [timeZone, ianaName(timeZone)];
    return names.includes(name) || !names.some((one) => one.toLowerCase() === name.toLowerCase());
  } catch {
    return false;
  }
}

/** Lists the time zones of a country by IANA's names, the main one first where all agree. */
export const zonesOf = kept((country: string): readonly string[] => {
  const locale = new Intl.Locale(`und-${country}`);
  // Earlier versions of Node.js have a property instead of the method.
  const method: unknown = Reflect.get(locale, 'getTimeZones');
  const given: unknown =
    typeof method === 'function' ? method.call(locale) : Reflect.get(locale, 'timeZones');
  const zones = z.array(z.string()).catch([]).parse(given);
  const rank = (zone: string) => (MAIN.includes(zone) ? '' : zone);
  return zones.map(ianaName).sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
});

/**
 * Returns the time zone of a shop: the one that was set, else that of its country if all clocks
 * there show the same throughout this and the next year; undefined if it has neither.
 */
export function timeZoneOf(
  shop: { timeZone: string | null; country: string | null },
  now: Date,
): string | undefined {
  if (shop.timeZone !== null) return shop.timeZone;
  if (shop.country === null) return undefined;
  return onlyZoneOf(shop.country, String(now.getUTCFullYear()));
}

const onlyZoneOf = kept((country: string, year: string): string | undefined => {
  const [first, ...others] = zonesOf(country);
  if (first === undefined || others.length === 0) return first;
  const [begin, end] = [Date.UTC(Number(year), 0), Date.UTC(Number(year) + 2, 0)];
  for (let at = begin; at < end; at += WEEK_MS) {
    const time = new Date(at);
    const offset = offsetOf(first, time);
    if (others.some((other) => offsetOf(other, time) !== offset)) return undefined;
  }
  return first;
});

const offsetFormat = kept(
  (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
);

/** How far the clocks of a time zone are ahead of UTC at a time, as in `+01:00`. */
export function offsetOf(timeZone: string, time: Date): string {
  const text = offsetFormat(timeZone).format(time);
  return text.slice(text.indexOf('GMT') + 'GMT'.length) || '+00:00';
}

/** How far the clocks of a time zone are ahead of UTC at a time, in milliseconds. */
export function offsetMs(timeZone: string, time: Date): number {
  const text = offsetOf(timeZone, time);
  const [hours = 0, minutes = 0, seconds = 0] = text.slice(1).split(':').map(Number);
  const ahead = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  return text.startsWith('-') ? -ahead : ahead;
}

/** What the clocks of a time zone show at a time, as in `2026-01-15 11:00`. */
export function shownAt(timeZone: string, time: Date): string {
  const shown = new Date(time.getTime() + offsetMs(timeZone, time));
  return shown.toISOString().slice(0, 16).replace('T', ' ');
}
