import { describe, expect, it } from 'vitest';
import { costOf } from '../../../web/portal/rules/cost.ts';
import { backText, changesOf, limitsOf, multipliedText } from '../../../web/portal/rules/words.ts';

// What a rule says and costs, in words and money.

const terms = {
  conversionRate: 0.1,
  minSpendMinorUnits: 0,
  maxPointsPerTransaction: null,
  minBalanceToRedeem: 0,
  maxRedemptionPercentage: 100,
  roundingPolicy: 'floor',
} as const;

describe('what a rule gives back', () => {
  it.each([
    [0.1, '10% back'],
    [0.07, '7% back'],
    [0.000001, '0.0001% back'],
    [10, '1,000% back'],
  ])('at a rate of %s is %s', (conversionRate, text) => {
    expect(backText({ ...terms, conversionRate })).toBe(text);
  });

  it.each([
    [0.1, '3', 'With the rule in effect: 30% back.'],
    [0.07, '3', 'With the rule in effect: 21% back.'],
    [0.05, '1.25', 'With the rule in effect: 6.25% back.'],
    [1, '10', 'With the rule in effect: 1,000% back.'],
    [0.1, '', undefined],
    [0.1, 'two', undefined],
  ])('at a rate of %s, multiplied by “%s”, is %s', (conversionRate, typed, text) => {
    expect(multipliedText({ ...terms, conversionRate }, typed)).toBe(text);
    expect(multipliedText(undefined, typed)).toBeUndefined();
  });

  it('is the rate of what was paid, and at most that if a sale may earn less', () => {
    const known = { count: 3, amountMinorUnits: 412_000 };
    expect(costOf(terms, known)).toEqual({ minorUnits: 41_200, isAtMost: false });
    const fromFive = { ...terms, minSpendMinorUnits: 500 };
    expect(costOf(fromFive, known)).toEqual({ minorUnits: 41_200, isAtMost: true });
  });

  it('is no more than the most of a sale, for each sale', () => {
    const capped = { ...terms, maxPointsPerTransaction: 1_000 };
    const known = { count: 3, amountMinorUnits: 412_000 };
    expect(costOf(capped, known)).toEqual({ minorUnits: 3_000, isAtMost: true });
  });
});

describe('what changes', () => {
  it('is nothing between a rule and itself', () => {
    expect(changesOf(terms, { ...terms }, 'USD')).toEqual([]);
  });

  it('is said part by part, in words', () => {
    const after = { ...terms, conversionRate: 0.12, maxPointsPerTransaction: 500 };
    expect(changesOf(terms, after, 'USD')).toEqual([
      {
        name: 'Customers get',
        before: '10% back: 10 points for each $1.00',
        after: '12% back: 12 points for each $1.00',
      },
      { name: 'Most of one sale', before: 'no limit', after: '500 points' },
    ]);
  });

  it('is never passed over because it is small', () => {
    const after = { ...terms, conversionRate: 0.100001 };
    expect(changesOf(terms, after, 'USD')).toHaveLength(1);
    expect(changesOf(terms, after, 'KWD')).toHaveLength(1);
    expect(changesOf(terms, after, 'JPY')).toHaveLength(1);
  });
});

describe('the limits of a rule', () => {
  it('are those that it has', () => {
    expect(limitsOf(terms, 'USD')).toEqual([]);
    const limited = { ...terms, minSpendMinorUnits: 500, maxRedemptionPercentage: 50 };
    expect(limitsOf(limited, 'USD')).toEqual([
      'from a sale of $5.00',
      'at most 50% of the points in 24 hours',
    ]);
  });
});
