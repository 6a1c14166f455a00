import { describe, expect, it } from 'vitest';
import { percentile, spreadOf } from '../../bench/statistics.ts';

describe('percentile', () => {
  it.each([
    { values: [7], percent: 99, expected: 7, because: 'one value is every percentile' },
    { values: [3, 1, 2], percent: 50, expected: 2, because: 'order does not matter' },
    { values: [1, 2, 3, 10], percent: 50, expected: 2.5, because: 'two are in the middle' },
    { values: [1, 2, 3, 10], percent: 75, expected: 3, because: 'three of four are at most 3' },
    { values: [1, 2, 3, 10], percent: 76, expected: 10, because: 'three of four are too few' },
    { values: [5, 4], percent: 0, expected: 4, because: 'nothing is below the smallest' },
    { values: [10, 9, 100], percent: 100, expected: 100, because: 'numbers are no texts' },
  ])('$percent % of $values is $expected: $because', ({ values, percent, expected }) => {
    expect(percentile(values, percent)).toBe(expected);
  });

  it('99 % of 1…1,000 is 990', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => 1_000 - index);
    expect(percentile(values, 99)).toBe(990);
  });

  it('leaves the values as they were', () => {
    const values = [3, 1, 2];
    percentile(values, 50);
    expect(values).toEqual([3, 1, 2]);
  });

  it('throws when nothing was measured', () => {
    expect(() => percentile([], 50)).toThrow('measure first');
  });
});

describe('spreadOf', () => {
  it('gives the smallest, the middle and the largest', () => {
    expect(spreadOf([30, 10, 20])).toEqual({ min: 10, median: 20, max: 30 });
  });
});
