import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cut,
  daysBefore,
  dayTextOf,
  INTERVALS,
  parseMonth,
  partsOfToday,
  spanBefore,
  startOfLastDays,
  usualOf,
} from '../../domain/intervals.ts';

const span = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const inUtc = { timeZone: 'UTC', most: 10 };
const starts = (...given: Parameters<typeof cut>) =>
  cut(...given).map(({ from }) => from.toISOString().replace('.000Z', 'Z'));
const hoursOf = (...given: Parameters<typeof cut>) =>
  cut(...given).map(({ from, to }) => (to.getTime() - from.getTime()) / 3_600_000);

describe('cut', () => {
  it.each([
    {
      interval: 'day',
      of: span('2026-02-27T12:00:00Z', '2026-03-02T00:00:00Z'),
      at: ['2026-02-27T12:00:00Z', '2026-02-28T00:00:00Z', '2026-03-01T00:00:00Z'],
      because: 'a day begins at midnight in UTC, and the end is not part of the span',
    },
    {
      interval: 'day',
      of: span('2026-03-29T00:00:00+02:00', '2026-03-30T00:00:00+02:00'),
      at: ['2026-03-28T22:00:00Z', '2026-03-29T00:00:00Z'],
      because: 'the changes of clocks somewhere do not count',
    },
    {
      interval: 'week',
      of: span('2026-01-01T00:00:00Z', '2026-01-13T00:00:00Z'),
      at: ['2026-01-01T00:00:00Z', '2026-01-05T00:00:00Z', '2026-01-12T00:00:00Z'],
      because: 'the fifth and the twelfth are Mondays',
    },
    {
      interval: 'week',
      of: span('2026-01-04T23:59:59.999Z', '2026-01-05T00:00:00.001Z'),
      at: ['2026-01-04T23:59:59.999Z', '2026-01-05T00:00:00Z'],
      because: 'Sunday is the last day of a week',
    },
    {
      interval: 'month',
      of: span('2027-12-31T00:00:00Z', '2028-03-01T00:00:00Z'),
      at: ['2027-12-31T00:00:00Z', '2028-01-01T00:00:00Z', '2028-02-01T00:00:00Z'],
      because: 'months are of any length, and follow over the end of a year',
    },
    {
      interval: 'month',
      of: span('0001-01-01T00:00:00Z', '0001-02-01T00:00:00Z'),
      at: ['0001-01-01T00:00:00Z'],
      because: 'the first century is not the twentieth',
    },
  ] as const)('by $interval: $because', ({ interval, of, at }) => {
    expect(starts(of, { ...inUtc, interval })).toEqual(at);
  });

  it('has no part when the span is empty or ends before it begins', () => {
    const at = '2026-01-01T00:00:00Z';
    expect(cut(span(at, at), { ...inUtc, interval: 'day' })).toEqual([]);
    expect(cut(span(at, '2025-01-01T00:00:00Z'), { ...inUtc, interval: 'day' })).toEqual([]);
  });

  it('stops after as many parts as are wanted', () => {
    const all = span('0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z');
    for (const timeZone of ['UTC', 'America/New_York']) {
      expect(cut(all, { interval: 'day', timeZone, most: 401 })).toHaveLength(401);
    }
  });

  it.each([
    ['Europe/Berlin', '2026-03-28T23:00:00Z', [23, 24], 'spring forward at two'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', [25, 24], 'fall back at three'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z', [23, 24], 'skip midnight'],
    ['America/Sao_Paulo', '2018-02-17T02:00:00Z', [25, 24], 'fall back at midnight'],
    ['America/Havana', '2025-11-02T04:00:00Z', [25, 24], 'show midnight twice'],
    ['America/St_Johns', '2006-10-29T02:30:00Z', [25, 24], 'return to the day before'],
    ['America/St_Johns', '2006-10-29T02:45:00Z', [24.75, 24], 'show its last hour again'],
    ['Pacific/Apia', '2011-12-29T10:00:00Z', [24, 24], 'leave out the thirtieth'],
    ['Pacific/Kiritimati', '2026-01-01T10:00:00Z', [24, 24], 'are furthest ahead'],
    ['Pacific/Niue', '2026-01-01T11:00:00Z', [24, 24], 'are furthest behind'],
    ['Asia/Kathmandu', '2026-01-01T18:15:00Z', [24, 24], 'differ by a quarter'],
  ])('by days of %s, from %s: clocks that %s', (timeZone, from, hours) => {
    const of = { from: new Date(from), to: new Date(Date.parse(from) + 3 * 86_400_000) };
    expect(hoursOf(of, { interval: 'day', timeZone, most: 2 })).toEqual(hours);
  });

  it('by weeks and months of a time zone', () => {
    const of = span('2026-02-28T05:00:00Z', '2026-03-10T12:00:00Z');
    const timeZone = 'America/New_York';
    expect(starts(of, { interval: 'week', timeZone, most: 10 })).toEqual([
      '2026-02-28T05:00:00Z',
      '2026-03-02T05:00:00Z',
      '2026-03-09T04:00:00Z',
    ]);
    expect(starts(of, { interval: 'month', timeZone, most: 10 })).toEqual([
      '2026-02-28T05:00:00Z',
      '2026-03-01T05:00:00Z',
    ]);
  });

  it('leaves no gap, and each part lies in one interval', () => {
    const time = fc.date({ min: new Date('1999-01-01'), max: new Date('2001-12-31') });
    const zone = fc.constantFrom('UTC', 'America/St_Johns', 'America/Sao_Paulo', 'Asia/Kathmandu');
    fc.assert(
      fc.property(
        time,
        time,
        fc.constantFrom(...INTERVALS),
        zone,
        (one, other, interval, timeZone) => {
          const [from, to] = one < other ? [one, other] : [other, one];
          const parts = cut({ from, to }, { interval, timeZone, most: 10_000 });
          if (from < to) expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([from, to]);
          const wrong = parts.filter((part, nth) => {
            const isAfterGap = nth > 0 && part.from !== parts[nth - 1]?.to;
            const isOne = cut(part, { interval, timeZone, most: 2 }).length === 1;
            return isAfterGap || part.from >= part.to || !isOne;
          });
          expect(wrong).toEqual([]);
        },
      ),
    );
  });
});

describe('startOfLastDays', () => {
  it.each([
    ['2026-01-30T12:00:00Z', 'UTC', '2026-01-01T00:00:00.000Z'],
    ['2026-01-31T00:00:00Z', 'UTC', '2026-01-01T00:00:00.000Z'],
    ['2026-01-31T00:00:00.001Z', 'UTC', '2026-01-02T00:00:00.000Z'],
    // The clocks changed on the first of November.
    ['2026-11-15T04:00:00Z', 'America/New_York', '2026-10-16T04:00:00.000Z'],
    ['2026-11-15T05:00:00Z', 'America/New_York', '2026-10-16T04:00:00.000Z'],
    ['2026-11-15T05:00:00.001Z', 'America/New_York', '2026-10-17T04:00:00.000Z'],
  ])('is the start of 30 days of which the last ends with %s in %s', (to, zone, from) => {
    expect(startOfLastDays(30, new Date(to), zone).toISOString()).toBe(from);
  });
});

describe('daysBefore', () => {
  it.each([
    // The clocks changed on the eighth of March, and on the first of November.
    [7, '2026-03-10T16:00:00Z', 'America/New_York', '2026-03-03T17:00:00.000Z'],
    [30, '2026-11-15T05:00:00Z', 'America/New_York', '2026-10-16T04:00:00.000Z'],
    [1, '2026-03-30T00:30:00Z', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    [1, '2026-01-01T00:00:00Z', 'UTC', '2025-12-31T00:00:00.000Z'],
  ])('%d days before %s by the clocks of %s', (days, time, zone, before) => {
    expect(daysBefore(days, new Date(time), zone).toISOString()).toBe(before);
  });
});

describe('spanBefore', () => {
  const later = new Date('2027-01-01T00:00:00Z');

  it('is as many days earlier, and ends where the span begins, also when clocks change', () => {
    const week = span('2026-10-27T04:00:00Z', '2026-11-03T05:00:00Z');
    expect(spanBefore(week, later, 'America/New_York')).toEqual(
      span('2026-10-20T04:00:00Z', '2026-10-27T04:00:00Z'),
    );
  });

  it('ends at the same time of the day as now, where the span has not ended', () => {
    const week = span('2026-01-12T00:00:00Z', '2026-01-19T00:00:00Z');
    const now = new Date('2026-01-18T10:00:00Z');
    expect(spanBefore(week, now, 'UTC')).toEqual(
      span('2026-01-05T00:00:00Z', '2026-01-11T10:00:00Z'),
    );
  });

  it.each(['06:00', '18:00'])('ends before the last 30 days do begin, at %s', (time) => {
    const now = new Date(`2026-05-30T${time}:00Z`);
    const days = { from: startOfLastDays(30, now, 'UTC'), to: now };
    expect(spanBefore(days, now, 'UTC')).toEqual(
      span('2026-04-01T00:00:00Z', `2026-04-30T${time}:00Z`),
    );
  });

  it('is a day earlier for less than a day', () => {
    const hour = span('2026-01-12T09:00:00Z', '2026-01-12T10:00:00Z');
    expect(spanBefore(hour, later, 'UTC')).toEqual(
      span('2026-01-11T09:00:00Z', '2026-01-11T10:00:00Z'),
    );
  });
});

describe('partsOfToday', () => {
  it('are of the same day of the week, until the same time of the day', () => {
    const { today, before } = partsOfToday(new Date('2026-03-10T14:00:00Z'), 'America/New_York');
    expect(today).toEqual(span('2026-03-10T04:00:00Z', '2026-03-10T14:00:00Z'));
    expect(before).toEqual([
      span('2026-03-03T05:00:00Z', '2026-03-03T15:00:00Z'),
      span('2026-02-24T05:00:00Z', '2026-02-24T15:00:00Z'),
      span('2026-02-17T05:00:00Z', '2026-02-17T15:00:00Z'),
      span('2026-02-10T05:00:00Z', '2026-02-10T15:00:00Z'),
    ]);
  });
});

describe('dayTextOf', () => {
  it.each([
    ['UTC', '2026-03-01T23:59:59.999Z', '2026-03-01'],
    ['UTC', '2026-03-02T00:00:00.000Z', '2026-03-02'],
    ['America/St_Johns', '2006-10-29T02:29:59.999Z', '2006-10-28'],
    ['America/St_Johns', '2006-10-29T02:30:00.000Z', '2006-10-29'],
    // Clocks were set back at 00:01, and show 23:15 of the 28th once more.
    ['America/St_Johns', '2006-10-29T02:45:00.000Z', '2006-10-29'],
  ])('in %s, %s is on %s', (timeZone, time, day) => {
    expect(dayTextOf(new Date(time), timeZone)).toBe(day);
  });
});

describe('parseMonth', () => {
  it.each(['2026-03', '2026-03-01', '2026-03-31'])('reads %s', (text) => {
    expect(parseMonth(text)).toBe(2026 * 12 + 2);
  });

  it.each([
    '',
    '2026',
    '2026-00',
    '2026-13',
    '12026-03',
    '2026-031',
    '2026-03-1',
    '2026-03-x1',
    '2026-03-1x',
    '2026-03-01T00:00Z',
  ])('reads nothing from %j', (text) => {
    expect(parseMonth(text)).toBeUndefined();
  });
});

describe('usualOf', () => {
  it.each([
    [[30, 25, 22, 26], 25],
    [[100, 25, 1, 26], 25],
    [[25, 0, 22, 26], undefined],
    [[7], 7],
    [[], undefined],
  ])('%j: %s', (numbers, usual) => {
    expect(usualOf(numbers)).toBe(usual);
  });
});
