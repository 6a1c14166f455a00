import { describe, expect, it } from 'vitest';
import { Currency } from '../../domain/currency.ts';

describe('Currency', () => {
  it.each([
    ['EUR', 'EUR'],
    [' usd ', 'USD'],
    ['kwd', 'KWD'],
  ])('reads %j as %s', (text, code) => {
    expect(Currency.parse(text)).toBe(code);
  });

  it.each(['', 'EU', 'EURO', 'E1R', 'ABC', 'XXX', 'XAU', 'ßA', null, 978])(
    'refuses %j',
    (value) => {
      expect(Currency.safeParse(value).success).toBe(false);
    },
  );
});
