import { describe, expect, it } from 'vitest';
import { Country } from '../../domain/country.ts';
import { countries, currencies, meantBy } from '../../web/portal/places.ts';
import { acceptedCurrencies } from '../support/currencies.ts';

// The countries and currencies that a merchant chooses by their names.

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

describe('what can be chosen', () => {
  it('is every country that the service takes, and no other', () => {
    const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
    const accepted = codes.filter((code) => Country.safeParse(code).success);
    expect(
      countries()
        .map(({ code }) => code)
        .sort(),
    ).toEqual(accepted);
  });

  it('is every currency that the service takes, and no other', () => {
    expect(
      currencies()
        .map(({ code }) => code)
        .sort(),
    ).toEqual(acceptedCurrencies);
  });

  it('has a name of its own for each', () => {
    for (const choices of [countries(), currencies()]) {
      expect(choices.filter(({ code, name }) => code === name)).toEqual([]);
      expect(new Set(choices.map(({ name }) => name)).size).toBe(choices.length);
    }
  });
});

describe('a typed country', () => {
  it.each([
    ['Germany', 'DE'],
    ['germ', 'DE'],
    ['de', 'DE'],
    ['GE', 'GE'],
    ['Georgia', 'GE'],
    ['reunion', 'RE'],
    ['cote d’ivoire', 'CI'],
    ['United States', 'US'],
    ['Niger', 'NE'],
    ['Ge', 'GE'],
    ['united', undefined],
    ['Atlantis', undefined],
  ])('%j means %s', (typed, code) => {
    expect(meantBy(countries(), typed)?.code).toBe(code);
  });
});
