import { describe, expect, it, onTestFinished } from 'vitest';
import {
  isTimeZone,
  offsetMs,
  offsetOf,
  shownAt,
  timeZoneOf,
  zonesOf,
} from '../../domain/time-zones.ts';

const now = new Date('2026-06-15T12:00:00Z');

describe('isTimeZone', () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Asia/Kathmandu',
    // What a browser calls the same zone.
    'Asia/Katmandu',
    'Etc/GMT+5',
    // Another name of America/New_York.
    'US/Eastern',
  ])('accepts %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each([
    '',
    'utc',
    'europe/berlin',
    'Europe/berlin',
    'EUROPE/BERLIN',
    // Runtimes call them by another name.
    'ASIA/KOLKATA',
    'America/Argentina/BUENOS_AIRES',
    'america/Argentina/ComodRivadavia',
    'America/Argentina/comodRivadavia',
    'Europe/Nowhere',
    'Europe/',
    'Europe/Berlin ',
    '+02:00',
    'EST',
    'CET',
    'GMT',
    'Japan',
    'Berlin',
  ])('refuses %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});

describe('timeZoneOf', () => {
  it.each([
    ['DE', 'Europe/Berlin'],
    ['NP', 'Asia/Kathmandu'],
    ['IN', 'Asia/Kolkata'],
    ['VN', 'Asia/Ho_Chi_Minh'],
    ['JP', 'Asia/Tokyo'],
    ['NU', 'Pacific/Niue'],
    // Of several zones that show the same, the first of IANA's list.
    ['AR', 'America/Argentina/Buenos_Aires'],
    ['CY', 'Asia/Nicosia'],
    ['MH', 'Pacific/Majuro'],
    // Several times.
    ['US', undefined],
    ['BR', undefined],
    ['KI', undefined],
    ['UA', undefined],
    // Nobody lives there.
    ['BV', undefined],
    [null, undefined],
  ])('of a shop in %s is %s', (country, zone) => {
    expect(timeZoneOf({ timeZone: null, country }, now)).toBe(zone);
  });

  it('is what was set, wherever the shop is', () => {
    const timeZone = 'America/Sao_Paulo';
    expect(timeZoneOf({ timeZone, country: 'BR' }, now)).toBe(timeZone);
    expect(timeZoneOf({ timeZone, country: null }, now)).toBe(timeZone);
  });
});

describe('zonesOf', () => {
  it('lists them by names that are time zones', () => {
    const countries = ['AR', 'CA', 'DE', 'GL', 'KI', 'UA', 'US', 'VN'];
    const names = countries.flatMap(zonesOf);
    expect(names).toContain('Europe/Kyiv');
    expect(names).toContain('America/Nuuk');
    expect(names.filter((name) => !isTimeZone(name))).toEqual([]);
  });

  /** Has the runtime answer by a method, or by a property as earlier ones do. */
  function answer(name: 'getTimeZones' | 'timeZones', value: unknown): void {
    const { prototype } = Intl.Locale;
    const before = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, { configurable: true, value });
    onTestFinished(() => {
      if (before === undefined) Reflect.deleteProperty(prototype, name);
      else Object.defineProperty(prototype, name, before);
    });
  }

  // Each by a country of its own: what was listed once is kept.
  it.each([
    ['a method', 'XA', () => ['Asia/Nicosia', 'Asia/Famagusta', 'Asia/Calcutta'], undefined],
    ['a property', 'XB', undefined, ['Asia/Nicosia', 'Asia/Famagusta', 'Asia/Calcutta']],
  ])('asks the runtime by %s, and has the main zone first', (_, country, method, property) => {
    answer('getTimeZones', method);
    answer('timeZones', property);
    expect(zonesOf(country)).toEqual(['Asia/Nicosia', 'Asia/Famagusta', 'Asia/Kolkata']);
  });

  it('lists none where the runtime says nothing', () => {
    answer('getTimeZones', () => undefined);
    expect(zonesOf('XC')).toEqual([]);
  });
});

describe('the offset', () => {
  it.each([
    ['UTC', '2026-01-01T00:00:00Z', '+00:00', 0],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', '+05:45', 20_700_000],
    ['America/St_Johns', '2026-01-01T00:00:00Z', '-03:30', -12_600_000],
    ['Europe/Berlin', '2026-07-01T00:00:00Z', '+02:00', 7_200_000],
    // Before there were zones, clocks went by the sun.
    ['Europe/Amsterdam', '1890-01-01T00:00:00Z', '+00:17:30', 1_050_000],
  ])('of %s at %s is %s', (zone, time, text, milliseconds) => {
    expect(offsetOf(zone, new Date(time))).toBe(text);
    expect(offsetMs(zone, new Date(time))).toBe(milliseconds);
  });
});

describe('shownAt', () => {
  it.each([
    ['Europe/Berlin', '2026-07-01T22:05:59Z', '2026-07-02 00:05'],
    ['America/New_York', '2026-01-15T00:00:00Z', '2026-01-14 19:00'],
    ['UTC', '2026-01-15T00:00:00Z', '2026-01-15 00:00'],
  ])('by the clocks of %s, %s is %s', (timeZone, time, shown) => {
    expect(shownAt(timeZone, new Date(time))).toBe(shown);
  });
});
