import { expect, it } from 'vitest';
import { latestOf, newsIn } from '../../web/shared/news.ts';

const items = (ids: string) => [...ids].map((id) => ({ id }));

it.each([
  ['cba', 'cba', 0, 'nothing has come'],
  ['edcba', 'cba', 2, 'two have come'],
  ['edb', 'cba', 2, 'two have come, and one is not in the list any more'],
  ['fed', 'cba', 3, 'so many have come that none is known'],
  ['ba', '', 2, 'there was none'],
  ['', 'cba', 0, 'it was not read again yet'],
])('of %s where %s is shown, %i are new: %s', (later, shown, count) => {
  expect(newsIn(items(later), items(shown))).toBe(count);
});

it('nothing is new to a list that is not shown yet', () => {
  expect(newsIn(items('a'), undefined)).toBe(0);
});

it('shows what has changed where it was, and nothing that has come', () => {
  const item = (id: string, status: string) => ({ id, status });
  const shown = [item('b', 'open'), item('a', 'open')];
  const later = [item('c', 'open'), item('b', 'used')];
  expect(latestOf(later, shown)).toEqual([item('b', 'used'), item('a', 'open')]);
  expect(latestOf(later, undefined)).toBeUndefined();
});
