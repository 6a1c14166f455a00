import { expect, it } from 'vitest';
import { isEqualInConstantTime } from '../../../gateways/crypto/constant-time.ts';

it.each([
  { given: 'secret', expected: 'secret', isEqual: true },
  { given: '', expected: '', isEqual: true },
  { given: 'ключ ☕', expected: 'ключ ☕', isEqual: true },
  { given: 'secre', expected: 'secret', isEqual: false },
  { given: 'secret ', expected: 'secret', isEqual: false },
  { given: 'Secret', expected: 'secret', isEqual: false },
  { given: '', expected: 'secret', isEqual: false },
])('"$given" for "$expected": $isEqual', ({ given, expected, isEqual }) => {
  expect(isEqualInConstantTime(given, expected)).toBe(isEqual);
});
