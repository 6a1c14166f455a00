import { expect, it } from 'vitest';
import { one } from '../../db/one.ts';

it('returns the first row', () => {
  expect(one([{ id: 1 }, { id: 2 }], 'invite')).toEqual({ id: 1 });
  expect(one([0], 'count')).toBe(0);
});

it('throws without a row, and names what is missing', () => {
  expect(() => one([], 'invite')).toThrow('The invite was not returned.');
});
