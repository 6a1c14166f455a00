import { describe, expect, it } from 'vitest';
import { Country } from '../../domain/country.ts';

describe('Country', () => {
  it.each([
    ['DE', 'DE'],
    ['de', 'DE'],
    [' ch ', 'CH'],
    ['aq', 'AQ'],
    ['ZW', 'ZW'],
  ])('parses %j as %s', (text, code) => {
    expect(Country.parse(text)).toBe(code);
  });

  it.each(['', 'D', 'DEU', 'EU', 'UK', 'XX', 'ZZ', 'D1', 'ß', 'ı', 49, null])(
    'rejects %j',
    (text) => {
      expect(Country.safeParse(text).success).toBe(false);
    },
  );

  it.each(['deu', 'ZZ'])('says once what %s must be', (text) => {
    const issues = Country.safeParse(text).error?.issues.map(({ message }) => message);
    expect(issues).toEqual(['must be a country code of ISO 3166-1 alpha-2, such as DE']);
  });
});
