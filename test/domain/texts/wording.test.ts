import { describe, expect, it } from 'vitest';
import { money, pointsOf } from '../../../domain/texts/wording.ts';

describe('pointsOf', () => {
  it.each([
    { points: 0, text: '0 points' },
    { points: 1, text: '1 point' },
    { points: 2, text: '2 points' },
    { points: 12_345, text: '12345 points' },
  ])('$points: $text', ({ points, text }) => {
    expect(pointsOf(points)).toBe(text);
  });
});

describe('money', () => {
  it.each([
    { minorUnits: 1234, currency: 'USD', text: '12.34 USD' },
    { minorUnits: 5, currency: 'EUR', text: '0.05 EUR' },
    { minorUnits: -250, currency: 'GBP', text: '-2.50 GBP' },
    { minorUnits: 1234, currency: 'JPY', text: '1234 JPY' },
    { minorUnits: 1234, currency: 'KWD', text: '1.234 KWD' },
    { minorUnits: 1234, currency: 'IQD', text: '1.234 IQD' },
    { minorUnits: 1234, currency: 'ISK', text: '1234 ISK' },
    { minorUnits: 1234, currency: 'LBP', text: '12.34 LBP' },
    { minorUnits: Number.MAX_SAFE_INTEGER, currency: 'USD', text: '90071992547409.91 USD' },
    { minorUnits: 1234, currency: '', text: '1234 ' },
    { minorUnits: 1234, currency: 'usd', text: '1234 usd' },
    { minorUnits: 1234, currency: 'USDX', text: '1234 USDX' },
    { minorUnits: 1234, currency: 'xUSD', text: '1234 xUSD' },
  ])('$minorUnits $currency: $text', ({ minorUnits, currency, text }) => {
    expect(money(minorUnits, { currency })).toBe(text);
  });
});
