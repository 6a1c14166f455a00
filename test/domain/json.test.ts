import { expect, it } from 'vitest';
import { parseJson } from '../../domain/json.ts';

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['{"a":', undefined],
  ['', undefined],
])('%s is parsed as %j', (text, expected) => {
  expect(parseJson(text)).toEqual(expected);
});
