import { describe, expect, it } from 'vitest';
import { type CurrencySums, MOST_SUMMED, totalsOf } from '../../domain/list-totals.ts';

const sums = (currency: string | null, count: number): CurrencySums => ({
  currency,
  count,
  amountMinorUnits: 100 * count,
  refundedMinorUnits: 10 * count,
  points: 5 * count,
  pointsReversed: count,
});

describe('totalsOf', () => {
  it('adds up points and counts, and keeps amounts apart by currency', () => {
    expect(totalsOf([sums('EUR', 3), sums(null, 1)])).toEqual({
      count: 4,
      points: 20,
      pointsReversed: 4,
      amounts: [
        { currency: 'EUR', amountMinorUnits: 300, refundedMinorUnits: 30 },
        { currency: null, amountMinorUnits: 100, refundedMinorUnits: 10 },
      ],
    });
  });

  it('is of nothing for nothing, without an amount', () => {
    const nothing = { count: 0, points: 0, pointsReversed: 0, amounts: [] };
    expect(totalsOf([])).toEqual(nothing);
    expect(totalsOf([sums('EUR', 0)])).toEqual(nothing);
  });

  it('has none for more items than it sums', () => {
    const half = MOST_SUMMED / 2;
    expect(totalsOf([sums('EUR', half), sums('USD', half)])).toMatchObject({ count: MOST_SUMMED });
    expect(totalsOf([sums('EUR', half), sums('USD', half + 1)])).toBeNull();
  });
});
