import { describe, expect, it } from 'vitest';
import { decimalsOf as decimalsInTexts, money } from '../../domain/texts/wording.ts';
import { decimalsOf, formatMinorUnits } from '../../sdk/index.ts';
import { acceptedCurrencies, numberIn } from '../support/currencies.ts';

describe('formatMinorUnits', () => {
  it.each([
    { amount: 1250, currency: 'EUR', locale: 'en', text: '€12.50' },
    { amount: 1250, currency: 'EUR', locale: 'de', text: '12,50 €' },
    { amount: 1250, currency: 'JPY', locale: 'en', text: '¥1,250' },
    { amount: 1250, currency: 'KWD', locale: 'en', text: 'KWD 1.250' },
    { amount: 123_456, currency: 'HUF', locale: 'hu', text: '1234,56 Ft' },
    { amount: 123_456, currency: 'IQD', locale: 'en', text: 'IQD 123.456' },
    { amount: 1250, currency: null, locale: 'en', text: '1,250' },
  ])('$amount of $currency in $locale is $text', ({ amount, currency, locale, text }) => {
    expect(formatMinorUnits(amount, currency, locale).replace(/\s/g, ' ')).toBe(text);
  });
});

describe('every currency that a shop can have', () => {
  it('has the decimals that the service counts with', () => {
    expect(acceptedCurrencies.length).toBeGreaterThan(150);
    const differing = acceptedCurrencies.filter(
      (code) => decimalsOf(code) !== decimalsInTexts(code),
    );
    expect(differing).toEqual([]);
  });

  it('is shown with the amount that mails and explanations say', () => {
    const differing = acceptedCurrencies.filter(
      (currency) =>
        numberIn(formatMinorUnits(123_456, currency, 'en')) !==
        numberIn(money(123_456, { currency })),
    );
    expect(differing).toEqual([]);
  });
});
