import { describe, expect, it } from 'vitest';
import {
  CODE_LIFETIME_MS,
  isWellFormed,
  normaliseCode,
  refusalOfClosed,
} from '../../domain/redemption.ts';

describe('refusalOfClosed', () => {
  const at = new Date('2026-01-15T10:00:00Z');
  const params = (name: string) => ({ [name]: at.toISOString() });
  it.each([
    {
      code: { usedAt: at, cancelled: false, expiresAt: new Date(0) },
      message: 'This code has already been used. Take another.',
      issue: { code: 'code_used', params: params('usedAt') },
    },
    {
      code: { usedAt: null, cancelled: true, expiresAt: at },
      message: 'This code was cancelled. Take another.',
      issue: { code: 'code_cancelled' },
    },
    {
      code: { usedAt: null, cancelled: false, expiresAt: at },
      message: 'This code has expired. Take another.',
      issue: { code: 'code_expired', params: params('expiredAt') },
    },
  ])('$message', ({ code, message, issue }) => {
    const refusal = refusalOfClosed(code, 'Take another.');
    expect(refusal).toMatchObject({ code: 'RULE_REJECTED', message });
    expect(refusal.issues).toEqual([{ path: '', message, ...issue }]);
  });
});

describe('normaliseCode', () => {
  it.each([
    ['9f86d081884c', '9F86D081884C'],
    [' 9f86 d081\t884c\n', '9F86D081884C'],
    ['9F86\u00a0D081\u2009884C', '9F86D081884C'],
    ['   ', ''],
  ])('converts %j to %s', (typed, code) => {
    expect(normaliseCode(typed)).toBe(code);
  });
});

describe('CODE_LIFETIME_MS', () => {
  it('is 15 minutes', () => {
    expect(CODE_LIFETIME_MS).toBe(900_000);
  });
});

it.each([
  { code: '0123456789AB', is: true },
  { code: 'CDEF01234567', is: true },
  { code: '0123456789A', is: false },
  { code: '0123456789ABC', is: false },
  { code: 'x0123456789AB', is: false },
  { code: '0123456789AG', is: false },
  { code: '0123456789ab', is: false },
])('isWellFormed $code: $is', ({ code, is }) => {
  expect(isWellFormed(code)).toBe(is);
});
