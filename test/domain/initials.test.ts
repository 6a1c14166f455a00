import { describe, expect, it } from 'vitest';
import { initialsOf } from '../../domain/initials.ts';

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
  ])('returns $initials for $name, $email', ({ initials, ...person }) => {
    expect(initialsOf(person)).toBe(initials);
  });
});
