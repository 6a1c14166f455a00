import { describe, expect, it } from 'vitest';
import { describeReached, showProgress } from '../../../gateways/terminal/progress.ts';

describe('describeReached', () => {
  it.each([
    [
      { done: 25_000, total: 100_000, seconds: 5 },
      '25,000 of about 100,000 rows (25 %), 5,000/s, 15 s left',
    ],
    [{ done: 10, total: 100_000, seconds: 1 }, '10 of about 100,000 rows (0 %), 10/s, 2.8 h left'],
    [
      { done: 1_000, total: 100_000, seconds: 10 },
      '1,000 of about 100,000 rows (1 %), 100/s, 17 min left',
    ],
    // More than there was when it began, or than was estimated.
    [{ done: 120, total: 100, seconds: 1 }, '120 of about 100 rows (99 %), 120/s'],
    [{ done: 500, total: 0, seconds: 2 }, '500 rows, 250/s'],
    [{ done: 0, total: 100, seconds: 0 }, '0 of about 100 rows (0 %), 0/s'],
  ])('%o', (reached, text) => {
    expect(describeReached('rows', reached)).toBe(text);
  });
});

describe('showProgress', () => {
  it('writes over one line of a terminal, and clears it at the end', async () => {
    const written: string[] = [];
    const terminal = { isTTY: true, write: (text: string) => written.push(text) };
    const progress = await showProgress('rows', async () => 10, terminal);
    progress.at(5);
    progress.at(6);
    progress.end();
    expect(written).toHaveLength(2);
    expect(written[0]).toContain('\r\x1b[K5 of about 10 rows');
    expect(written[1]).toBe('\r\x1b[K');
  });

  it('writes nothing into a pipe, and counts nothing for it', async () => {
    const written: string[] = [];
    const count = () => Promise.reject(new Error('counted'));
    const progress = await showProgress('rows', count, { write: (text) => written.push(text) });
    progress.at(5);
    progress.end();
    expect(written).toEqual([]);
  });
});
