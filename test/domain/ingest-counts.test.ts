import { describe, expect, it } from 'vitest';
import {
  addCounts,
  countsOf,
  describeCounts,
  type IngestCounts,
  NO_COUNTS,
} from '../../domain/ingest-counts.ts';
import { EVENT_OUTCOMES } from '../../domain/outcomes.ts';

const each: IngestCounts = {
  credited: 1,
  points: 20,
  stored_anonymous: 3,
  duplicate: 4,
  no_rule_no_credit: 5,
  ignored: 6,
  failed: 7,
  refund_reversed: 8,
};

describe('countsOf', () => {
  it('counts each outcome, and adds the points up', () => {
    const decided = EVENT_OUTCOMES.map((outcome) => ({ outcome, points: 2 }));
    const once = Object.fromEntries(EVENT_OUTCOMES.map((outcome) => [outcome, 1]));
    const twice = { ...NO_COUNTS, credited: 2, points: 7 };
    const credits = [
      { outcome: 'credited', points: 3 },
      { outcome: 'credited', points: 4 },
    ] as const;
    expect(countsOf(decided)).toEqual({ ...NO_COUNTS, ...once, points: 2 * decided.length });
    expect(countsOf(credits)).toEqual(twice);
  });
});

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
      '1 credited with 20 points, 3 stored anonymous, 4 duplicate, 5 without a rule, ' +
        '8 refunds reversed, 6 ignored, 7 failed, left to the sweep',
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
