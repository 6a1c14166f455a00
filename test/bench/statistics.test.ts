import { describe, expect, it } from 'vitest';
import { appendTo, percentile, spreadOf } from '../../bench/statistics.ts';

describe('percentile', () => {
  it.each([
    { values: [7], percent: 99, expected: 7, because: 'one value is every percentile' },
    { values: [3, 1, 2], percent: 50, expected: 2, because: 'the order does not matter' },
    {
      values: [1, 2, 3, 10],
      percent: 50,
      expected: 2.5,
      because: 'the median is the mean of the middle two',
    },
    { values: [1, 2, 3, 10], percent: 75, expected: 3, because: 'three of four are at most 3' },
    {
      values: [1, 2, 3, 10],
      percent: 76,
      expected: 10,
      because: 'three of four are less than 76 %',
    },
    { values: [5, 4], percent: 0, expected: 4, because: 'nothing is below the smallest' },
    { values: [10, 9, 100], percent: 100, expected: 100, because: 'values are sorted as numbers' },
  ])('$percent % of $values is $expected: $because', ({ values, percent, expected }) => {
    expect(percentile(values, percent)).toBe(expected);
  });

  it('the 99th percentile of 1…1,000 is 990', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => 1_000 - index);
    expect(percentile(values, 99)).toBe(990);
  });

  it('leaves the given list unchanged', () => {
    const values = [3, 1, 2];
    percentile(values, 50);
    expect(values).toEqual([3, 1, 2]);
  });

  it('throws for an empty list', () => {
    expect(() => percentile([], 50)).toThrow('measure first');
  });
});

describe('spreadOf', () => {
  it('minimum, median and maximum', () => {
    expect(spreadOf([30, 10, 20])).toEqual({ min: 10, median: 20, max: 30 });
  });
});

describe('appendTo', () => {
  it('adds to the list of a key, and starts one for a new key', () => {
    const lists = new Map([['a', [1]]]);
    appendTo(lists, 'a', 2);
    appendTo(lists, 'b', 3);
    expect([...lists]).toEqual([
      ['a', [1, 2]],
      ['b', [3]],
    ]);
  });
});
