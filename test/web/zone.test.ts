import { afterEach, describe, expect, it } from 'vitest';
import { day, moment } from '../../web/shared/format.ts';
import { inZone, periodOf } from '../../web/shared/period.ts';
import { addDays, dayOf, placeOf, shownZone, showTimesIn, startOf } from '../../web/shared/zone.ts';

afterEach(() => showTimesIn(null));

describe('times that are shown', () => {
  it('are those of the shop, and where it has none, or an unknown one, of the browser', () => {
    const here = shownZone();
    showTimesIn('Pacific/Kiritimati');
    expect(moment('2026-01-15T11:30:00Z')).toMatch(/Jan 16, 2026, 1:30/);
    expect(day('2026-01-15T11:30:00Z')).toBe('Jan 16, 2026');
    expect(dayOf(new Date('2026-01-15T11:30:00Z'))).toBe('2026-01-16');
    showTimesIn('Nowhere/Land');
    expect(shownZone()).toBe(here);
    showTimesIn(null);
    expect(shownZone()).toBe(here);
  });

  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 'the day on which clocks change'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z', 'the day after it'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 'a day without a midnight'],
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00.000Z', 'a day with two midnights'],
    ['UTC', '2026-01-01', '2026-01-01T00:00:00.000Z', 'any day'],
  ])('begin a day of %s, %s, at %s: %s', (zone, date, start) => {
    showTimesIn(zone);
    expect(startOf(date).toISOString()).toBe(start);
  });

  it('make a period of days, the last one included', () => {
    showTimesIn('America/New_York');
    const period = { from: '2026-03-08T05:00:00.000Z', to: '2026-03-09T04:00:00.000Z' };
    expect(periodOf({ from: '2026-03-08', to: '2026-03-08' })).toEqual(period);
    expect(periodOf({ from: '', to: '2026-03-08' })).toEqual({ to: period.to });
    const timeZone = 'America/New_York';
    expect(inZone({ from: '2026-03-08', to: '2026-03-08' })).toEqual({ ...period, timeZone });
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(placeOf(timeZone)).toBe('New York');
  });
});
