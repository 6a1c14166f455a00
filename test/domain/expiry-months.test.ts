import { describe, expect, it } from 'vitest';
import { ExpiryCalendar } from '../../domain/expiry.ts';
import { type MonthsOfShop, monthsToTake, monthsToTell } from '../../domain/expiry-months.ts';
import { monthText, parseMonth } from '../../domain/intervals.ts';

const month = (text: string) => parseMonth(text) ?? Number.NaN;
const shop = (some: Partial<MonthsOfShop> = {}): MonthsOfShop => ({
  calendar: new ExpiryCalendar('Europe/Berlin', [
    { publishedAt: new Date('2025-12-10T12:00Z'), validityMonths: 2 },
  ]),
  finished: new Set(),
  told: new Map(),
  noticeDays: 14,
  tightenedAt: null,
  ...some,
});
const taken = (now: string, some?: Partial<MonthsOfShop>) =>
  monthsToTake(shop(some), new Date(now)).map(monthText);
const told = (now: string, some?: Partial<MonthsOfShop>) =>
  monthsToTell(shop(some), new Date(now)).map(monthText);

describe('the months to take', () => {
  it('are those that have ended on the clocks of the shop, oldest first', () => {
    expect(taken('2026-01-31T22:59:59.999Z')).toEqual(['2025-12']);
    expect(taken('2026-01-31T23:00:00Z')).toEqual(['2025-12', '2026-01']);
    const finished = new Set([month('2025-12'), month('2026-02')]);
    expect(taken('2026-04-05T00:00Z', { finished })).toEqual(['2026-01', '2026-03']);
  });

  it('are none without a programme', () => {
    const calendar = new ExpiryCalendar('UTC', []);
    expect(taken('2026-04-05T00:00Z', { calendar })).toEqual([]);
  });
});

describe('the months to tell of', () => {
  it.each([
    { now: '2026-03-17T08:59:59Z', months: [], because: 'it is before ten on that day' },
    { now: '2026-03-17T09:00:00Z', months: ['2026-03'], because: 'it is ten' },
    { now: '2026-03-30T22:00:00Z', months: ['2026-03'], because: 'it is late, with a day left' },
    { now: '2026-03-30T22:00:00.001Z', months: [], because: 'less than a day is left' },
    // After the clocks were put forward.
    { now: '2026-04-16T07:59:59Z', months: [], because: 'it is before ten in April' },
    { now: '2026-04-16T08:00:00Z', months: ['2026-04'], because: 'it is ten in April' },
  ])('are $months at $now: $because', ({ now, months }) => {
    expect(told(now)).toEqual(months);
  });

  it('are not told twice, nor where nothing can be due', () => {
    const march = new Map([[month('2026-03'), new Date('2026-03-17T09:00Z')]]);
    expect(told('2026-03-20T09:00Z', { told: march })).toEqual([]);
    expect(told('2026-02-20T09:00Z')).toEqual([]);
  });

  it('are several with a long notice, and after a rule by which less can be redeemed', () => {
    expect(told('2026-04-02T09:00Z', { noticeDays: 60 })).toEqual(['2026-04', '2026-05']);
    const tightenedAt = new Date('2026-04-02T08:00Z');
    expect(told('2026-04-02T09:00Z', { tightenedAt })).toEqual(['2026-04', '2026-05']);
    expect(told('2026-04-02T09:00Z')).toEqual([]);
  });

  it('are told again when their time comes, or after another such rule', () => {
    const tightenedAt = new Date('2026-04-02T08:00Z');
    const april = new Map([
      [month('2026-04'), tightenedAt],
      [month('2026-05'), tightenedAt],
    ]);
    const early = { told: april, tightenedAt };
    expect(told('2026-04-16T07:59:59Z', early)).toEqual([]);
    expect(told('2026-04-16T08:00:00Z', early)).toEqual(['2026-04']);
    const again = { told: april, tightenedAt: new Date('2026-04-03T08:00Z') };
    expect(told('2026-04-03T09:00Z', again)).toEqual(['2026-04', '2026-05']);
  });

  it('are after such a rule those that end within sixty days of it', () => {
    const toldAfter = (at: string) => told('2026-04-02T09:00Z', { tightenedAt: new Date(at) });
    expect(toldAfter('2026-04-01T22:00:00Z')).toEqual(['2026-04', '2026-05']);
    expect(toldAfter('2026-04-01T21:59:59.999Z')).toEqual(['2026-04']);
  });
});
