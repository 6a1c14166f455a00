import { expect, it, vi } from 'vitest';
import { changesSince, createLiveLines, type Line } from '../../../sandbox/developer/live-lines.ts';

const line = (id: string, markup = id) => ({ id, markup });

it('tells what has changed since somebody was told, and the order of all', () => {
  const sent = new Map<string, string>();
  expect(changesSince(sent, [line('b'), line('a')])).toEqual({
    order: ['b', 'a'],
    changed: { a: 'a', b: 'b' },
  });
  expect(changesSince(sent, [line('b'), line('a')])).toBeUndefined();
  expect(changesSince(sent, [line('c'), line('b', 'other')])).toEqual({
    order: ['c', 'b'],
    changed: { c: 'c', b: 'other' },
  });
  expect(changesSince(sent, [line('b', 'other'), line('c')])).toEqual({
    order: ['b', 'c'],
    changed: {},
  });
  expect([...sent.keys()]).toEqual(['b', 'c']);
});

it('reads once for all, goes on after a failure, and rests when nobody follows', async () => {
  let reads = 0;
  const live = createLiveLines({
    pauseMs: 1,
    async read() {
      reads += 1;
      if (reads === 2) throw new Error('The database is away.');
      return [line(String(reads))];
    },
  });
  const seen: (readonly Line[])[] = [];
  const stops = [live.follow((lines) => seen.push(lines)), live.follow(() => undefined)];
  await vi.waitUntil(() => seen.length > 2);
  expect(seen.slice(0, 2)).toEqual([[line('1')], [line('3')]]);
  for (const stop of stops) stop();
  await vi.waitUntil(() => {
    const before = reads;
    return new Promise((resolve) => setTimeout(() => resolve(before === reads), 20));
  });
  const [again] = await new Promise<readonly Line[]>((resolve) => live.follow(resolve));
  expect(Number(again?.id)).toBe(reads);
});
