import { expect, it } from 'vitest';
import { doClocksAgree, secondsApart } from '../../domain/clock-gap.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const asked = { askedAt: at(0), answeredAt: at(4) };

it.each([
  ['within the time of the question', { ...asked, theirs: at(2) }, 0],
  ['behind by less than it says', { ...asked, theirs: at(-1), precisionMs: 1000 }, 0],
  ['behind', { ...asked, theirs: at(-90) }, 90],
  ['behind, in whole seconds', { ...asked, theirs: at(-90), precisionMs: 1000 }, 89],
  ['ahead', { ...asked, theirs: at(100) }, 96],
])('a clock %s', (_, reading, seconds) => {
  expect(secondsApart(reading)).toBe(seconds);
});

it('clocks agree as far as the times in tokens are forgiven', () => {
  expect([60, 60.5].map(doClocksAgree)).toEqual([true, false]);
});
