import { describe, expect, it } from 'vitest';
import { isGuessable, READ_AS, readCustomerQuery } from '../../domain/customer-query.ts';

const berlin = { country: 'DE', currency: 'EUR' };
const nothing = Object.fromEntries(READ_AS.map((name) => [name, null]));

describe('readCustomerQuery', () => {
  it.each([
    [' Ada@Bücher.example ', { email: 'ada@xn--bcher-kva.example' }],
    ['+4915123456789@example.com', { email: '+4915123456789@example.com' }],
    ['0171 1234567', { phone: '+491711234567' }],
    ['0151 23456789', { phone: '+4915123456789', code: '015123456789' }],
    ['+49 151 23456789', { phone: '+4915123456789' }],
    ['9f86 d081 884c', { code: '9F86D081884C' }],
    ['12.50', { amount: 1250, paymentId: '12.50' }],
    ['12,5 €', { amount: 1250 }],
    ['$7', { amount: 700 }],
    ['R2B3Z8WMVt3EAmzYWLZvz7Y69EbZY', { paymentId: 'R2B3Z8WMVt3EAmzYWLZvz7Y69EbZY' }],
    [' R2B3Z8WMVt3EAmz ', { paymentId: 'R2B3Z8WMVt3EAmz' }],
    ['Ada', {}],
    ['ada@', {}],
    ['12.505', { paymentId: '12.505' }],
    ['1.234,50', { paymentId: '1.234,50' }],
    ['', {}],
  ])('reads %j as what it may be', (text, expected) => {
    expect(readCustomerQuery(text, berlin)).toEqual({ ...nothing, ...expected });
  });

  it('reads a member number as it is written on the card', () => {
    expect(readCustomerQuery('LP1:123456789015', berlin).memberNumber).toBe('123456789015');
    expect(readCustomerQuery('1234 5678 9015', berlin).memberNumber).toBe('123456789015');
  });

  it('reads an amount by the decimals of the currency, and none without one', () => {
    expect(readCustomerQuery('1250', { country: null, currency: 'JPY' }).amount).toBe(1250);
    expect(readCustomerQuery('12.5', { country: null, currency: 'JPY' }).amount).toBeNull();
    expect(readCustomerQuery('1.25', { country: null, currency: 'KWD' }).amount).toBe(1250);
    for (const text of ['12.50', '1250']) {
      expect(readCustomerQuery(text, { country: null, currency: null }).amount).toBeNull();
    }
  });

  it('reads no phone without a country code where the country is not known', () => {
    const nowhere = { country: null, currency: 'EUR' };
    expect(readCustomerQuery('0151 23456789', nowhere).phone).toBeNull();
    expect(readCustomerQuery('+4915123456789', nowhere).phone).toBe('+4915123456789');
  });
});

describe('isGuessable', () => {
  it('is what names a person or a code, and not what was paid', () => {
    const read = (text: string) => isGuessable(readCustomerQuery(text, berlin));
    const guessable = ['ada@example.com', '+4915123456789', '079927398713', '9F86D081884C'];
    expect(guessable.map(read)).toEqual([true, true, true, true]);
    expect(['12.50', 'R2B3Z8WMVt3EAmz', 'Ada'].map(read)).toEqual([false, false, false]);
  });
});
