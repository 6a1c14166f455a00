import { describe, expect, it } from 'vitest';
import { maskContacts } from '../../domain/privacy.ts';

describe('maskContacts', () => {
  it.each([
    ['anna@example.com', 'a***@example.com'],
    ['an@example.com', 'a***@example.com'],
    ['a@example.com', '***@example.com'],
    ['"a@b"@example.com', '"***@example.com'],
    ['émile@example.com', 'é***@example.com'],
    ['👩‍🚀x@example.com', '👩***@example.com'],
    [null, null],
  ])('masks the e-mail %s as %s', (email, shown) => {
    expect(maskContacts({ email, phone: null })).toEqual({ email: shown, phone: null });
  });

  it.each([
    ['+4915112345678', '***678'],
    ['+12125552368', '***368'],
    [null, null],
  ])('masks the phone %s as %s', (phone, shown) => {
    expect(maskContacts({ email: null, phone })).toEqual({ email: null, phone: shown });
  });
});
