import { describe, expect, it } from 'vitest';
import { initialsOf, maskContacts } from '../../domain/privacy.ts';

describe('maskContacts', () => {
  it.each([
    ['anna@example.com', 'a***@example.com'],
    ['an@example.com', 'a***@example.com'],
    ['a@example.com', '***@example.com'],
    ['"a@b"@example.com', '"***@example.com'],
    ['𝒜@example.com', '***@example.com'],
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

describe('initialsOf', () => {
  it.each([
    { name: 'Ada Lovelace', email: 'x@example.com', initials: 'AL' },
    { name: '  ada   king lovelace ', email: null, initials: 'AL' },
    { name: 'Zoë', email: null, initials: 'Z' },
    { name: 'émile zola', email: null, initials: 'ÉZ' },
    { name: 'ßeta', email: null, initials: 'S' },
    { name: '𝒜da 𝓛', email: null, initials: '𝒜𝓛' },
    { name: '王 小明', email: null, initials: '王小' },
    { name: '  ', email: 'grace@example.com', initials: 'G' },
    { name: null, email: '"_7x"@example.com', initials: '7' },
    { name: '<b> --', email: null, initials: 'B' },
    { name: null, email: null, initials: '?' },
    { name: '--', email: '_@-.-', initials: '?' },
  ])('$name, $email: $initials', ({ initials, ...person }) => {
    expect(initialsOf(person)).toBe(initials);
  });
});
