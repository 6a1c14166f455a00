import { describe, expect, it } from 'vitest';
import { formatMinorUnits } from '../../sdk/index.ts';

describe('formatMinorUnits', () => {
  it.each([
    { amount: 1250, currency: 'EUR', locale: 'en', text: '€12.50' },
    { amount: 1250, currency: 'EUR', locale: 'de', text: '12,50 €' },
    { amount: 1250, currency: 'JPY', locale: 'en', text: '¥1,250' },
    { amount: 1250, currency: 'KWD', locale: 'en', text: 'KWD 1.250' },
    { amount: 1250, currency: null, locale: 'en', text: '1,250' },
  ])('$amount of $currency in $locale is $text', ({ amount, currency, locale, text }) => {
    expect(formatMinorUnits(amount, currency, locale).replace(/\s/g, ' ')).toBe(text);
  });
});
