import { describe, expect, it } from 'vitest';
import { earn } from '../../../domain/earning.ts';
import { RewardRuleInput } from '../../../domain/reward-rule.ts';
import { decimalsOf } from '../../../domain/texts/wording.ts';
import {
  draftOf,
  exampleOf,
  FIRST_DRAFT,
  percentOf,
  type RuleDraft,
  rateText,
  readDraft,
} from '../../../web/portal/rules/draft.ts';
import { minorUnitsOf, unitOf } from '../../../web/shared/format.ts';
import { acceptedCurrencies } from '../../support/currencies.ts';

// What the portal makes of the amounts and rates that a merchant types.

describe('a whole unit', () => {
  it('has as many minor units as the service counts, in every currency', () => {
    const differing = acceptedCurrencies.filter((code) => unitOf(code) !== 10 ** decimalsOf(code));
    expect(differing).toEqual([]);
  });

  it.each([
    ['12.50', 'EUR', 1_250],
    ['12,5', 'HUF', 1_250],
    ['12.500', 'KWD', 12_500],
    ['1250', 'JPY', 1_250],
    ['12.5', 'JPY', undefined],
    ['12.505', 'HUF', undefined],
  ])('%s of %s is %s minor units', (text, currency, minorUnits) => {
    expect(minorUnitsOf(text, currency)).toBe(minorUnits);
  });
});

const points = (text: string): RuleDraft => ({ ...FIRST_DRAFT, rate: { kind: 'points', text } });
const percent = (text: string): RuleDraft => ({ ...FIRST_DRAFT, rate: { kind: 'percent', text } });

/** The terms of a draft, which must be one that the service takes. */
function termsOf(draft: RuleDraft, currency: string) {
  const read = readDraft(draft, currency);
  if (!('terms' in read)) throw new Error(`Refused: ${JSON.stringify(read.problems)}`);
  RewardRuleInput.parse(read.terms);
  return read.terms;
}

describe('a rule', () => {
  it('of a point for each forint, from 500 on, gives a thousand for a sale of a thousand', () => {
    const terms = termsOf({ ...points('1'), minSpend: '500' }, 'HUF');
    expect(terms).toMatchObject({ conversionRate: 0.01, minSpendMinorUnits: 50_000 });
    const earned = earn(100_000, { ...terms, conversionRate: String(terms.conversionRate) });
    expect(earned.points).toBe(1_000);
    expect(exampleOf(terms, 100_000)).toBe(1_000);
  });

  it.each([
    ['10', 'EUR', 0.1, '10'],
    ['10', 'JPY', 0.1, '0.1'],
    ['10', 'KWD', 0.1, '100'],
    ['0,07', 'USD', 0.0007, '0.07'],
    ['0.0001', 'USD', 0.000001, '0.0001'],
    ['100000000', 'USD', 1_000_000, '100000000'],
  ])('of %s percent in %s is a rate of %s, or %s points a unit', (text, currency, rate, each) => {
    const draft = percent(text);
    expect(termsOf(draft, currency).conversionRate).toBe(rate);
    expect(rateText(draft.rate, 'points', currency)).toBe(each);
    expect(rateText(draft.rate, 'percent', currency)).toBe(text);
    expect(termsOf(points(each), currency).conversionRate).toBe(rate);
    expect(percentOf({ conversionRate: rate })).toBe(Number(text.replace(',', '.')));
  });

  it.each(['', 'ten', '0', '-1', '0.00001', '100000001'])('of %j percent is refused', (text) => {
    expect(readDraft(percent(text), 'USD')).toEqual({ problems: { rate: expect.any(String) } });
    expect(rateText(percent(text).rate, 'points', 'USD')).toBe('');
  });

  it.each([
    ['EUR', '1250.50'],
    ['JPY', '1250'],
    ['KWD', '1250.500'],
  ])('is shown an amount of %s that it would take', (currency, example) => {
    const read = readDraft({ ...points('1'), minSpend: '1.2.3' }, currency);
    expect(read).toMatchObject({ problems: { minSpend: expect.stringContaining(` ${example}.`) } });
    expect(readDraft({ ...points('1'), minSpend: example }, currency)).toHaveProperty('terms');
  });

  it('is refused for a time that has passed', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const at = (when: string) => readDraft({ ...FIRST_DRAFT, when }, 'USD', now);
    expect(at('2020-01-01T00:00')).toEqual({ problems: { when: expect.any(String) } });
    expect(at('2026-03-05T00:00')).toHaveProperty('effectiveFrom');
    expect(at('')).not.toHaveProperty('effectiveFrom');
  });

  it('is the same when what it says is typed again', () => {
    const terms = {
      conversionRate: 0.07,
      minSpendMinorUnits: 1_205,
      maxPointsPerTransaction: 12_000,
      minBalanceToRedeem: 1_500,
      maxRedemptionPercentage: 33.5,
      roundingPolicy: 'ceil',
    } as const;
    for (const currency of ['USD', 'JPY', 'KWD']) {
      expect(termsOf(draftOf(terms, currency), currency)).toEqual(terms);
    }
  });
});
