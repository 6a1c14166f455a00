import { expect, it } from 'vitest';
import { kept } from '../../domain/kept.ts';

it('makes one thing for each key, and tells keys of the same letters apart', () => {
  const keys: string[][] = [];
  const format = kept((...key: [string, string]) => {
    keys.push(key);
    return key.join('/');
  });
  expect([format('en', 'EUR'), format('enE', 'UR'), format('en', 'EUR')]).toEqual([
    'en/EUR',
    'enE/UR',
    'en/EUR',
  ]);
  expect(keys).toHaveLength(2);
});
