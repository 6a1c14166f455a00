import { describe, expect, it } from 'vitest';
import { formatCount, formatMoney, momentOf } from '../../domain/mail-formats.ts';

const NBSP = '\u00a0';

describe('formatMoney', () => {
  it.each([
    { minorUnits: 1250, currency: 'USD', text: '$12.50' },
    { minorUnits: 5, currency: 'EUR', text: '€0.05' },
    { minorUnits: 1250, currency: 'JPY', text: '¥1,250' },
    { minorUnits: 1250, currency: 'KWD', text: `KWD${NBSP}1.250` },
    // Intl alone writes these with other decimals than their minor unit has.
    { minorUnits: 1250, currency: 'IQD', text: `IQD${NBSP}1.250` },
    { minorUnits: 1250, currency: 'LBP', text: `LBP${NBSP}12.50` },
    { minorUnits: Number.MAX_SAFE_INTEGER, currency: 'USD', text: '$90,071,992,547,409.91' },
  ])('$minorUnits $currency: $text', ({ minorUnits, currency, text }) => {
    expect(formatMoney(minorUnits, currency, 'en')).toBe(text);
  });

  it('follows the language', () => {
    expect(formatMoney(125_050, 'EUR', 'de')).toBe(`1.250,50${NBSP}€`);
  });
});

describe('formatCount', () => {
  it('groups the digits as the language does', () => {
    expect([formatCount(500, 'en'), formatCount(12_500, 'en')]).toEqual(['500', '12,500']);
    expect(formatCount(12_500, 'de')).toBe('12.500');
  });
});

describe('momentOf', () => {
  it('has every part of the time, by a clock of 24 hours', () => {
    expect(momentOf(new Date('2026-01-05T00:07:59.999Z'), 'en')).toEqual({
      day: '5',
      month: 'January',
      year: '2026',
      hour: '00',
      minute: '07',
      offset: '+00:00',
    });
    expect(momentOf(new Date('2026-03-15T22:10:00Z'), 'de').month).toBe('März');
  });
});
