import { expect, it } from 'vitest';
import { AccountCurrency, AccountName } from '../../../../gateways/providers/shared/account.ts';

it.each([
  ['Corner Café', 'Corner Café'],
  ['  Corner\r\n\u2028Café\t ', 'Corner Café'],
  ['\u202eCafé', 'Café'],
  ['x'.repeat(200), 'x'.repeat(120)],
  [' \n', null],
  [undefined, null],
  [null, null],
  [7, null],
])('reads the name %j as one line', (name, read) => {
  expect(AccountName.parse(name)).toBe(read);
});

it.each([
  ['EUR', 'EUR'],
  ['XXX', null],
  [undefined, null],
  [978, null],
])('reads the currency %j as one that is known', (currency, read) => {
  expect(AccountCurrency.parse(currency)).toBe(read);
});
