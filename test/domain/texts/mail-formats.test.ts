import { describe, expect, it } from 'vitest';
import { formatMoney, formatNumber, momentOf } from '../../../domain/texts/mail-formats.ts';

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

  it('does not mix up languages and currencies that take turns', () => {
    const texts = (currency: string) =>
      ['en', 'de', 'en', 'de'].map((language) => formatMoney(1250, currency, language));
    expect(texts('USD')).toEqual(['$12.50', `12,50${NBSP}$`, '$12.50', `12,50${NBSP}$`]);
    expect(texts('JPY')).toEqual(['¥1,250', `1.250${NBSP}¥`, '¥1,250', `1.250${NBSP}¥`]);
  });
});

describe('formatNumber', () => {
  it('groups the digits as the language does', () => {
    expect([formatNumber(500, 'en'), formatNumber(12_500, 'en')]).toEqual(['500', '12,500']);
    expect(formatNumber(12_500, 'de')).toBe('12.500');
  });

  it('leaves out no decimals: what a rule gives may have many', () => {
    expect([formatNumber(0.000_125, 'en'), formatNumber(0.0625, 'de')]).toEqual([
      '0.000125',
      '0,0625',
    ]);
  });
});

describe('momentOf', () => {
  it('has every part of the time, by a clock of 24 hours', () => {
    expect(momentOf(new Date('2026-01-05T00:07:59.999Z'), 'en', 'UTC')).toEqual({
      day: '5',
      month: 'January',
      year: '2026',
      hour: '00',
      minute: '07',
      offset: '',
    });
    expect(momentOf(new Date('2026-03-15T22:10:00Z'), 'de', 'UTC').month).toBe('März');
  });

  it.each([
    ['Europe/Berlin', '2026-03-29T00:59:00Z', { day: '29', hour: '01', offset: '+01:00' }],
    ['Europe/Berlin', '2026-03-29T01:01:00Z', { day: '29', hour: '03', offset: '+02:00' }],
    ['Asia/Kolkata', '2026-12-31T18:30:00Z', { year: '2027', hour: '00', offset: '+05:30' }],
    ['America/St_Johns', '2026-01-01T00:00:00Z', { year: '2025', hour: '20', offset: '-03:30' }],
  ])('in %s at %s', (timeZone, time, parts) => {
    expect(momentOf(new Date(time), 'en', timeZone)).toMatchObject(parts);
  });

  it('of one time in several zones and languages, in turns', () => {
    const time = new Date('2026-03-15T22:10:00Z');
    const days = ['UTC', 'Asia/Tokyo', 'UTC'].map((zone) => momentOf(time, 'en', zone).day);
    expect(days).toEqual(['15', '16', '15']);
    const months = ['de', 'en', 'de'].map((language) => momentOf(time, language, 'UTC').month);
    expect(months).toEqual(['März', 'March', 'März']);
  });
});
