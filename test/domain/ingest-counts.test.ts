import { describe, expect, it } from 'vitest';
import {
  addCounts,
  describeCounts,
  type IngestCounts,
  NO_COUNTS,
} from '../../domain/ingest-counts.ts';

const each: IngestCounts = {
  credited: 1,
  points: 20,
  storedAnonymous: 3,
  duplicate: 4,
  noRuleNoCredit: 5,
  ignored: 6,
  failed: 7,
  refundReversed: 8,
};

describe('addCounts', () => {
  it('adds every field', () => {
    const doubled = Object.entries(each).map(([name, count]) => [name, 2 * count]);
    expect(addCounts(each, each)).toEqual(Object.fromEntries(doubled));
    expect(addCounts(NO_COUNTS, each)).toEqual(each);
    expect(addCounts(each, NO_COUNTS)).toEqual(each);
  });

  it('does not change its arguments', () => {
    addCounts(NO_COUNTS, each);
    expect(Object.values(NO_COUNTS)).toEqual(Object.values(NO_COUNTS).map(() => 0));
  });
});

describe('describeCounts', () => {
  it('names every count', () => {
    expect(describeCounts(each)).toBe(
      '1 credited with 20 points, 8 refunds reversed, 4 duplicate, 3 stored anonymous, ' +
        '5 without a rule, 6 ignored, 7 failed, left to the sweep',
    );
  });

  it.each([
    { counts: {}, words: 'nothing left to do' },
    { counts: { duplicate: 9 }, words: '9 duplicate' },
    { counts: { credited: 2 }, words: '2 credited with 0 points' },
  ])('omits counts of zero: $words', ({ counts, words }) => {
    expect(describeCounts({ ...NO_COUNTS, ...counts })).toBe(words);
  });
});
