import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newMemberNumber, qrTextOf, readMemberNumber } from '../../domain/member-number.ts';

describe('a member number', () => {
  it('is of twelve digits, is read as it is written, and differs', () => {
    const numbers = Array.from({ length: 200 }, () => newMemberNumber(() => randomInt(10)));
    expect(new Set(numbers).size).toBe(200);
    for (const number of numbers) {
      expect(number).toMatch(/^\d{12}$/);
      expect(readMemberNumber(number)).toBe(number);
      expect(readMemberNumber(qrTextOf(number))).toBe(number);
    }
  });

  it('is read with blanks, and with what stands before it in a QR code', () => {
    // The example of ISO/IEC 7812-1, with a digit more in front.
    const number = '079927398713';
    for (const text of [number, ' 0799 2739 8713 ', 'LP1:079927398713', 'lp1: 0799 27398713']) {
      expect(readMemberNumber(text)).toBe(number);
    }
  });

  it('is told from one with a wrong digit, or two that are exchanged', () => {
    const number = '079927398713';
    for (let nth = 0; nth < number.length; nth++) {
      const wrong = (Number(number[nth]) + 1) % 10;
      const text = number.slice(0, nth) + wrong + number.slice(nth + 1);
      expect(readMemberNumber(text)).toBeUndefined();
    }
    expect(readMemberNumber('079927398731')).toBeUndefined();
  });

  it.each([
    '',
    '07992739871',
    '0799273987130',
    // The last digit would be the right one for the first eleven.
    '0799273987153',
    '0799LP1:27398713',
    'LP2:079927398713',
    '9F86D081884C',
  ])('is not read from %j', (text) => expect(readMemberNumber(text)).toBeUndefined());
});
