import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { operatorOf } from '../../ops/operator.ts';

it.each([
  { OPERATOR: 'ada', is: 'ada' },
  { OPERATOR: ' Ada\u0000\nByron ', is: 'Ada Byron' },
  { OPERATOR: 'x'.repeat(300), is: 'x'.repeat(200) },
  { OPERATOR: ' ', is: userInfo().username },
  { OPERATOR: undefined, is: userInfo().username },
])('$OPERATOR is $is', ({ OPERATOR, is }) => {
  expect(operatorOf(OPERATOR)).toBe(is);
});
