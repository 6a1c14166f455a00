import { describe, expect, it } from 'vitest';
import { daysOf, periodIn } from '../../web/shared/period.ts';
import { dayOf } from '../../web/shared/zone.ts';
import { periodTexts as german } from '../../web/texts/de/period.ts';
import { periodTexts } from '../../web/texts/en/period.ts';

describe('daysOf', () => {
  it.each([
    ['today', '2026-03-01', '2026-03-01', '2026-03-01'],
    ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
    ['7', '2026-03-01', '2026-02-23', '2026-03-01'],
    ['30', '2026-03-01', '2026-01-31', '2026-03-01'],
    ['month', '2026-03-01', '2026-03-01', '2026-03-01'],
    ['month', '2026-03-31', '2026-03-01', '2026-03-31'],
    ['last-month', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['last-month', '2026-01-15', '2025-12-01', '2025-12-31'],
    ['all', '2026-03-01', '', ''],
    ['custom', '2026-03-01', '', ''],
  ] as const)('%s of %s is from %s to %s', (name, today, from, to) => {
    expect(daysOf(name, today)).toEqual({ from, to });
  });
});

describe('periodIn', () => {
  const periodOf = (address: string) => periodIn(new URLSearchParams(address), 'all');
  const any = { name: 'all', days: { from: '', to: '' } };

  it('finds what was chosen, by its name or its days', () => {
    const today = dayOf(new Date());
    expect(periodOf('days=today')).toEqual({ name: 'today', days: { from: today, to: today } });
    expect(periodOf('from=2026-01-02&days=7')).toEqual({
      name: 'custom',
      days: { from: '2026-01-02', to: '' },
    });
  });

  it.each(['', 'days=never', 'from=yesterday', 'to=2026-13-01', 'from=2026-1-1'])(
    'passes over what is no period: %s',
    (address) => {
      expect(periodOf(address)).toEqual(any);
    },
  );
});

describe('by whose clocks times are', () => {
  it.each([
    ['Berlin', 'by the clocks of Berlin.', 'nach der Zeit in Berlin.'],
    ['UTC', 'in UTC.', 'in UTC.'],
  ])('is said of %s', (place, english, inGerman) => {
    expect(periodTexts.clocks(place)).toBe(`Days and times ${english}`);
    expect(german.clocks(place)).toBe(`Tage und Uhrzeiten ${inGerman}`);
  });
});
