import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, INTERVALS, startOfLastDays } from '../../domain/intervals.ts';

const span = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const starts = (...given: Parameters<typeof cut>) =>
  cut(...given).map(({ from }) => from.toISOString().replace('.000Z', 'Z'));

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
    expect(starts(of, interval, 10)).toEqual(at);
  });

  it('has no part when the span is empty or ends before it begins', () => {
    const at = '2026-01-01T00:00:00Z';
    expect(cut(span(at, at), 'day', 10)).toEqual([]);
    expect(cut(span(at, '2025-01-01T00:00:00Z'), 'day', 10)).toEqual([]);
  });

  it('stops after as many parts as are wanted', () => {
    expect(cut(span('0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z'), 'day', 401)).toHaveLength(401);
  });

  it('leaves no gap, and each part lies in one interval', () => {
    const time = fc.date({ min: new Date('1999-01-01'), max: new Date('2001-12-31') });
    fc.assert(
      fc.property(time, time, fc.constantFrom(...INTERVALS), (one, other, interval) => {
        const [from, to] = one < other ? [one, other] : [other, one];
        const parts = cut({ from, to }, interval, 10_000);
        if (from < to) expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([from, to]);
        const wrong = parts.filter((part, nth) => {
          const isAfterGap = nth > 0 && part.from !== parts[nth - 1]?.to;
          return isAfterGap || part.from >= part.to || cut(part, interval, 2).length !== 1;
        });
        expect(wrong).toEqual([]);
      }),
    );
  });
});

describe('startOfLastDays', () => {
  it.each([
    ['2026-01-30T12:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-31T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-31T00:00:00.001Z', '2026-01-02T00:00:00.000Z'],
  ])('is the start of 30 days of which the last ends with %s', (to, from) => {
    expect(startOfLastDays(30, new Date(to)).toISOString()).toBe(from);
  });
});
