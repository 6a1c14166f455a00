import { describe, expect, it } from 'vitest';
import {
  ExpiryCalendar,
  type MonthPoints,
  NEVER,
  overAbsorbed,
  pointsAbsorbable,
  pointsDue,
  pointsLeft,
} from '../../domain/expiry.ts';
import { monthText, parseMonth } from '../../domain/intervals.ts';

const BERLIN = 'Europe/Berlin';
const month = (text: string) => parseMonth(text) ?? Number.NaN;
const lots = (all: Record<string, number>): MonthPoints[] =>
  Object.entries(all).map(([text, points]) => ({ month: month(text), points }));
const calendarOf = (versions: Record<string, number | null>, timeZone = BERLIN) =>
  new ExpiryCalendar(
    timeZone,
    Object.entries(versions).map(([at, validityMonths]) => {
      return { publishedAt: new Date(at), validityMonths };
    }),
  );
const dueIn = (calendar: ExpiryCalendar, earned: string, until: string) => {
  const due = calendar.dueOf(month(earned), month(until));
  return due === NEVER ? null : monthText(due);
};
const at = (calendar: ExpiryCalendar, until: string) => ({
  month: month(until),
  dueOf: (earned: number) => calendar.dueOf(earned, month(until)),
});

describe('when points are due', () => {
  const two = calendarOf({ '2025-12-10T12:00Z': 2 });

  it('is the end of so many months later (E1)', () => {
    const left = pointsLeft(
      { balance: 110, lots: lots({ '2026-01': 100, '2026-02': 40, '2026-03': 30 }) },
      (earned) => two.dueOf(earned, month('2026-03')),
    );
    expect(left.map((each) => [monthText(each.month), each.points])).toEqual([
      ['2026-03', 40],
      ['2026-04', 40],
      ['2026-05', 30],
    ]);
  });

  it('takes what is left of the lots that are due (E1)', () => {
    const held = lots({ '2026-01': 100, '2026-02': 40, '2026-03': 30 });
    const first = pointsDue({ balance: 110, lots: held }, at(two, '2026-03'));
    expect(first).toEqual({ points: 40, longer: 70, earnedBy: month('2026-01') });
    expect(pointsDue({ balance: 70, lots: held }, at(two, '2026-03'))).toBeNull();
    expect(pointsDue({ balance: 70, lots: held }, at(two, '2026-04'))?.points).toBe(40);
    // Of several months at once, it names the last.
    expect(pointsDue({ balance: 110, lots: held }, at(two, '2026-04'))).toEqual({
      points: 80,
      longer: 30,
      earnedBy: month('2026-02'),
    });
  });

  it('leaves out months of which nothing is left', () => {
    const held = lots({ '2026-01': 100, '2026-02': 40, '2026-03': 30 });
    const left = pointsLeft({ balance: 30, lots: held }, (earned) => earned + 2);
    expect(left).toEqual(lots({ '2026-05': 30 }));
  });

  it('counts an open code against what is due soonest (E3)', () => {
    const held = lots({ '2026-01': 100, '2026-02': 40, '2026-03': 30 });
    expect(pointsDue({ balance: 80, lots: held }, at(two, '2026-03'))?.points).toBe(10);
    expect(pointsDue({ balance: 100, lots: held }, at(two, '2026-03'))?.points).toBe(30);
  });

  it('begins anew for what never expired (E4)', () => {
    const calendar = calendarOf({
      '2025-12-10T12:00Z': 2,
      '2026-03-10T12:00Z': null,
      '2026-06-10T12:00Z': 12,
    });
    expect(dueIn(calendar, '2026-01', '2026-03')).toBe('2026-03');
    expect(dueIn(calendar, '2026-01', '2026-09')).toBe('2026-03');
    for (const earned of ['2026-02', '2026-03']) {
      expect(dueIn(calendar, earned, '2026-05')).toBeNull();
      expect(dueIn(calendar, earned, '2026-08')).toBe('2027-07');
    }
  });

  it('is at least three months after the first version (E5)', () => {
    const calendar = calendarOf({ '2026-01-10T12:00Z': 2 });
    expect(['2025-12', '2026-01'].map((each) => dueIn(calendar, each, '2026-02'))).toEqual([
      '2026-05',
      '2026-05',
    ]);
    expect(dueIn(calendar, '2026-02', '2026-02')).toBe('2026-04');
  });

  it('is not before what was promised (E6)', () => {
    const calendar = calendarOf({
      '2025-01-01T00:00Z': 12,
      '2025-12-20T00:00Z': null,
      '2026-01-20T00:00Z': 1,
    });
    expect(dueIn(calendar, '2025-12', '2026-02')).toBe('2026-12');
  });

  it('is not before what was promised since (E6)', () => {
    const calendar = calendarOf({
      '2025-12-10T12:00Z': 2,
      '2026-01-10T12:00Z': 12,
      '2026-02-10T12:00Z': null,
      '2026-03-10T12:00Z': 1,
    });
    expect(dueIn(calendar, '2026-01', '2026-04')).toBe('2027-01');
  });

  it.each([
    { versions: {}, months: null },
    { versions: { '2025-12-10T12:00Z': 2, '2026-01-10T12:00Z': 6 }, months: 6 },
    { versions: { '2025-12-10T12:00Z': 2, '2026-01-10T12:00Z': null }, months: null },
  ])('is told by the newest version, also before its month: $versions', ({ versions, months }) => {
    expect(calendarOf(versions).activeValidity).toBe(months);
  });

  it.each([
    { change: [12, 24] as const, due: '2027-01', because: 'a longer validity prolongs' },
    { change: [24, 12] as const, due: '2027-01', because: 'a shorter one does not shorten' },
  ])('from $change: $because', ({ change: [before, after], due }) => {
    const calendar = calendarOf({ '2024-12-10T00:00Z': before, '2025-06-10T00:00Z': after });
    expect(dueIn(calendar, '2025-01', '2026-12')).toBe(due);
  });

  it('goes by the version from before the first instant of a month, on the shop’s clocks', () => {
    const just = calendarOf({ '2025-12-31T22:59:59.999Z': 1 });
    const late = calendarOf({ '2025-12-31T23:00:00.000Z': 1 });
    expect([just, late].map((each) => each.validityOf(month('2026-01')))).toEqual([1, null]);
    const twice = calendarOf({ '2025-12-01T00:00Z': 5 });
    const corrected = new ExpiryCalendar(BERLIN, [
      { publishedAt: new Date('2025-12-01T00:00Z'), validityMonths: 5 },
      { publishedAt: new Date('2025-12-01T00:00Z'), validityMonths: 6 },
    ]);
    const january = month('2026-01');
    expect([twice, corrected].map((each) => each.validityOf(january))).toEqual([5, 6]);
  });

  it('can be no month before a validity has passed once', () => {
    expect(['2026-02', '2026-03'].map((each) => two.canBeDueBy(month(each)))).toEqual([
      false,
      true,
    ]);
    expect(calendarOf({ '2025-12-10T12:00Z': null }).canBeDueBy(month('2099-01'))).toBe(false);
    expect(calendarOf({}).canBeDueBy(month('2099-01'))).toBe(false);
  });
});

describe('months', () => {
  it.each([
    { zone: 'Pacific/Kiritimati', start: '2026-02-28T10:00:00.000Z' },
    { zone: 'Pacific/Niue', start: '2026-03-01T11:00:00.000Z' },
    { zone: 'Asia/Kathmandu', start: '2026-02-28T18:15:00.000Z' },
    { zone: 'America/Sao_Paulo', start: '2026-03-01T03:00:00.000Z' },
    { zone: 'Europe/Berlin', start: '2026-02-28T23:00:00.000Z' },
  ])('begin on the clocks of $zone', ({ zone, start }) => {
    const calendar = calendarOf({}, zone);
    const march = month('2026-03');
    expect(calendar.startOf(march).toISOString()).toBe(start);
    const first = new Date(start);
    expect(calendar.monthOf(first)).toBe(march);
    expect(calendar.monthOf(new Date(first.getTime() - 1))).toBe(march - 1);
  });

  it.each([
    // Midnight twice.
    'America/Havana',
    // On 1 November 2009, 23:01 to 24:00 of 31 October twice, the second time after it.
    'America/St_Johns',
  ])('agree with their starts where clocks show the end of one again: %s', (zone) => {
    const calendar = calendarOf({}, zone);
    for (const text of ['2009-11', '2025-11', '2026-03', '2026-11', '2028-02']) {
      const start = calendar.startOf(month(text));
      for (const minutes of [-90, -30, -1, 0, 1, 30, 90]) {
        const time = new Date(start.getTime() + minutes * 60_000);
        expect(calendar.monthOf(time)).toBe(month(text) - (minutes < 0 ? 1 : 0));
      }
    }
  });
});

describe('what a refund absorbs', () => {
  const of = (expired: Record<string, number>, absorbed: Record<string, number> = {}) => ({
    expired: lots(expired),
    absorbed: lots(absorbed),
  });
  const march = month('2026-03');

  it.each([
    { points: of({ '2026-03': 40, '2026-04': 40 }), due: '2026-03', most: 80 },
    { points: of({ '2026-03': 40, '2026-04': 40 }), due: '2026-04', most: 40 },
    { points: of({ '2026-03': 40 }), due: '2026-04', most: 0 },
    { points: of({}), due: '2026-03', most: 0 },
    { points: of({ '2026-03': 40 }, { '2026-03': 30 }), due: '2026-03', most: 10 },
    // What absorbed of a later month has used up what an earlier one could absorb of it.
    { points: of({ '2026-03': 40, '2026-04': 40 }, { '2026-04': 40 }), due: '2026-03', most: 40 },
    { points: of({ '2026-03': 1, '2026-04': 9 }, { '2026-03': 10 }), due: '2026-04', most: 0 },
  ])('is at most $most of what is due by $due', ({ points, due, most }) => {
    expect(pointsAbsorbable(points, month(due))).toBe(most);
  });

  it('is none of what never expires', () => {
    expect(pointsAbsorbable(of({ '2026-03': 40 }), NEVER)).toBe(0);
  });

  it('can be found to be more than has expired', () => {
    expect(overAbsorbed(of({ '2026-03': 40 }, { '2026-03': 40 }))).toBeUndefined();
    expect(overAbsorbed(of({ '2026-02': 40 }, { '2026-03': 1 }))).toBe(march);
    expect(overAbsorbed(of({}, { '2026-05': 1, '2026-03': 1, '2026-04': 1 }))).toBe(march);
  });
});
