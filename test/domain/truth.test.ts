import { describe, expect, it } from 'vitest';
import { dayBefore, dayTextOf, spanOfDay } from '../../domain/intervals.ts';
import {
  agrees,
  type ComparedSale,
  comparedSpan,
  compareSales,
  daysToCompare,
  isRepaired,
} from '../../domain/truth.ts';

const ever = new Date('2020-01-01T00:00:00Z');
const at = (text: string) => new Date(text);

describe('the days of a shop', () => {
  it.each([
    ['Pacific/Kiritimati', '2026-03-09T10:00:00.000Z', '2026-03-10T10:00:00.000Z'],
    ['Pacific/Niue', '2026-03-10T11:00:00.000Z', '2026-03-11T11:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-09T18:15:00.000Z', '2026-03-10T18:15:00.000Z'],
    ['Europe/Berlin', '2026-03-09T23:00:00.000Z', '2026-03-10T23:00:00.000Z'],
  ])('in %s begin and end at its midnights', (timeZone, from, to) => {
    expect(spanOfDay('2026-03-10', timeZone)).toEqual({ from: at(from), to: at(to) });
    expect(dayTextOf(at(from), timeZone)).toBe('2026-03-10');
    expect(dayTextOf(new Date(at(from).getTime() - 1), timeZone)).toBe('2026-03-09');
    expect(dayTextOf(new Date(at(to).getTime() - 1), timeZone)).toBe('2026-03-10');
  });

  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    // Clocks are set forward over midnight, and back over it.
    ['America/Sao_Paulo', '2018-11-04', 23],
    ['America/Sao_Paulo', '2018-02-17', 25],
  ])('in %s, %s is of %i hours', (timeZone, day, hours) => {
    const { from, to } = spanOfDay(day, timeZone);
    expect((to.getTime() - from.getTime()) / 3_600_000).toBe(hours);
    for (let time = from.getTime(); time < to.getTime(); time += 600_000) {
      expect(dayTextOf(new Date(time), timeZone)).toBe(day);
    }
  });

  it('count back over the ends of months and years', () => {
    expect(dayBefore('2024-03-01', 1)).toBe('2024-02-29');
    expect(dayBefore('2026-01-01', 1)).toBe('2025-12-31');
  });
});

describe('daysToCompare', () => {
  const shop = { timeZone: 'Europe/Berlin', earnsFrom: ever, known: new Set<string>() };
  const known = new Set(['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07']);

  it('is yesterday from half past four on', () => {
    const others = { ...shop, known: new Set([...known, '2026-03-02', '2026-03-08']) };
    expect(daysToCompare(others, at('2026-03-10T03:29:59.999Z')).due).toEqual([]);
    expect(daysToCompare(others, at('2026-03-10T03:30:00Z')).due).toEqual(['2026-03-09']);
  });

  it('are those of a week that were not compared yet; older ones are given up', () => {
    const days = daysToCompare({ ...shop, known }, at('2026-03-10T12:00:00Z'));
    expect(days).toEqual({ due: ['2026-03-08', '2026-03-09'], lost: ['2026-03-02'] });
    expect(daysToCompare(shop, at('2026-03-10T12:00:00Z'))).toEqual({
      due: [...known, '2026-03-08', '2026-03-09'],
      lost: ['2026-03-02'],
    });
  });

  it('leaves out a day at whose last midnight the tenant got the account', () => {
    const midnight = at('2026-03-08T23:00:00Z');
    const { due } = daysToCompare({ ...shop, earnsFrom: midnight }, at('2026-03-10T12:00:00Z'));
    expect(due).toEqual(['2026-03-09']);
    const { timeZone } = shop;
    expect(comparedSpan('2026-03-08', { timeZone, earnsFrom: midnight })).toBeUndefined();
    const justBefore = new Date(midnight.getTime() - 1);
    expect(comparedSpan('2026-03-08', { timeZone, earnsFrom: justBefore })).toEqual({
      from: justBefore,
      to: midnight,
    });
  });

  it('leaves out days that ended before the tenant had the account', () => {
    const earnsFrom = at('2026-03-08T12:00:00Z');
    const days = daysToCompare({ ...shop, earnsFrom }, at('2026-03-10T12:00:00Z'));
    expect(days).toEqual({ due: ['2026-03-08', '2026-03-09'], lost: [] });
    expect(comparedSpan('2026-03-08', { timeZone: 'UTC', earnsFrom })).toEqual({
      from: earnsFrom,
      to: at('2026-03-09T00:00:00Z'),
    });
    expect(comparedSpan('2026-03-07', { timeZone: 'UTC', earnsFrom })).toBeUndefined();
    const { timeZone } = shop;
    expect(comparedSpan('2026-03-09', { timeZone, earnsFrom })).toEqual(
      spanOfDay('2026-03-09', timeZone),
    );
  });
});

describe('compareSales', () => {
  const sale = (id: string, some: Partial<ComparedSale> = {}): ComparedSale => ({
    id,
    amountMinorUnits: 100,
    refundedMinorUnits: 0,
    currency: 'EUR',
    ...some,
  });
  const byId = (...sales: ComparedSale[]) => new Map(sales.map((each) => [each.id, each]));
  const none: ComparedSale[] = [];

  it('finds what is missing, changed and unknown', () => {
    const listed = byId(
      sale('same'),
      sale('missing'),
      sale('amount', { amountMinorUnits: 90 }),
      sale('refund', { refundedMinorUnits: 40 }),
      sale('currency', { currency: 'USD' }),
    );
    const ours = byId(sale('same'), sale('amount'), sale('refund'), sale('currency'));
    const found = compareSales(listed, { ours, unknown: [sale('unknown')] }, 'EUR');
    expect(found).toEqual({
      provider: { count: 5, amountMinorUnits: 390, refundedMinorUnits: 40 },
      ours: { count: 5, amountMinorUnits: 500, refundedMinorUnits: 0 },
      missing: ['missing'],
      changed: ['amount', 'refund', 'currency'],
      unknown: ['unknown'],
    });
    expect(agrees(found)).toBe(false);
  });

  it.each([
    { found: {}, is: true },
    { found: { missing: ['a'] }, is: false },
    { found: { changed: ['a'] }, is: false },
    { found: { unknown: ['a'] }, is: false },
    { found: { missing: ['a'], changed: ['b'] }, is: false },
    { found: { changed: ['a'], unknown: ['b'] }, is: false },
    { found: { missing: ['a'], unknown: ['b'] }, is: false },
  ])('agrees where nothing is found: $found', ({ found, is }) => {
    const totals = { count: 1, amountMinorUnits: 100, refundedMinorUnits: 0 };
    const nothing = { provider: totals, ours: totals, missing: [], changed: [], unknown: [] };
    expect(agrees({ ...nothing, ...found })).toBe(is);
  });

  it('takes no tip that was given back for more than the sale', () => {
    const listed = byId(sale('tipped', { refundedMinorUnits: 120 }));
    const ours = byId(sale('tipped', { refundedMinorUnits: 100 }));
    const found = compareSales(listed, { ours, unknown: none }, 'EUR');
    expect(agrees(found)).toBe(true);
    expect(found.provider).toEqual(found.ours);
  });
});

it.each([
  ['alpha', { alpha: true, beta: false }],
  ['both', { alpha: true, beta: true }],
  ['none', { alpha: false, beta: false }],
] as const)('repairs %s', (repairs, of) => {
  expect({ alpha: isRepaired('alpha', repairs), beta: isRepaired('beta', repairs) }).toEqual(of);
});
