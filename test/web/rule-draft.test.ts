import { describe, expect, it } from 'vitest';
import { earn } from '../../domain/earning.ts';
import { decimalsOf } from '../../domain/texts/wording.ts';
import { exampleOf, FIRST_DRAFT, oneUnit, readDraft } from '../../web/portal/rule-draft.ts';
import { minorUnitsOf } from '../../web/shared/format.ts';
import { acceptedCurrencies } from '../support/currencies.ts';

// What the portal makes of the amounts and rates that a merchant types.

describe('a whole unit', () => {
  it('has as many minor units as the service counts, in every currency', () => {
    const differing = acceptedCurrencies.filter((code) => oneUnit(code) !== 10 ** decimalsOf(code));
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

describe('a rule', () => {
  it('of a point for each forint, from 500 on, gives a thousand for a sale of a thousand', () => {
    const draft = readDraft({ ...FIRST_DRAFT, rate: '1', minSpend: '500' }, 'HUF');
    if (!('terms' in draft)) throw new Error('The draft was refused.');
    const { terms } = draft;
    expect(terms).toMatchObject({ conversionRate: 0.01, minSpendMinorUnits: 50_000 });
    const { points } = earn(100_000, { ...terms, conversionRate: String(terms.conversionRate) });
    expect(points).toBe(1_000);
    expect(exampleOf(terms, 100_000)).toBe(1_000);
  });
});
