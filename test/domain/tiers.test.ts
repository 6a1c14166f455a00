import { describe, expect, it } from 'vitest';
import { decideTier, qualifyingDays, type Standing, TiersInput } from '../../domain/tiers.ts';

const tier = (key: string, thresholdMinorUnits: number, multiplier = 1) => ({
  key,
  name: key,
  thresholdMinorUnits,
  multiplier,
});
const TIERS = [tier('silver', 50_000, 1.25), tier('gold', 100_000, 1.5)];
const DAY = '2026-05-17';
const standing = (tierKey: string, keptUntil: string): Standing => ({
  tierKey,
  since: '2025-06-01',
  keptUntil,
});

describe('TiersInput', () => {
  it.each([
    [[], null],
    [TIERS, null],
    [[tier('silver', 1, 2), tier('gold', 2, 2)], null],
    [[tier('Silver', 1)], [0, 'key']],
    [[tier('s'.repeat(21), 1)], [0, 'key']],
    [[tier('silver', 0)], [0, 'thresholdMinorUnits']],
    [[tier('silver', 2 ** 31)], [0, 'thresholdMinorUnits']],
    [[tier('silver', 1, 0.9)], [0, 'multiplier']],
    [[tier('silver', 1, 10.001)], [0, 'multiplier']],
    [[tier('silver', 1, 1.0001)], [0, 'multiplier']],
    [[{ ...tier('silver', 1), name: ' ' }], [0, 'name']],
    [['a', 'b', 'c', 'd', 'e', 'f'].map((key, nth) => tier(key, nth + 1)), []],
  ])('%j: refused at %j', (tiers, path) => {
    expect(TiersInput.safeParse(tiers).error?.issues[0]?.path ?? null).toEqual(path);
  });

  const silver = tier('silver', 50_000, 1.25);
  it.each([
    ['key', tier('silver', 60_000, 1.25), 'must not be that of another tier'],
    [
      'thresholdMinorUnits',
      tier('gold', 50_000, 1.25),
      'must be more than that of the tier before',
    ],
    ['multiplier', tier('gold', 60_000, 1.2), 'must not be less than that of the tier before'],
  ])('refuses the %s of the second: %j %s', (field, second, message) => {
    expect(TiersInput.safeParse([silver, second]).error?.issues).toEqual([
      { code: 'custom', path: [1, field], message },
    ]);
  });
});

describe('qualifyingDays', () => {
  it('are a year, which ends two weeks before, or when nothing can be returned any more', () => {
    expect(qualifyingDays(DAY, 0)).toEqual({ first: '2025-05-03', last: '2026-05-02' });
    expect(qualifyingDays(DAY, 14)).toEqual({ first: '2025-05-03', last: '2026-05-02' });
    expect(qualifyingDays(DAY, 90)).toEqual({ first: '2025-02-16', last: '2026-02-15' });
  });
});

describe('decideTier', () => {
  const decided = (spent: number, its: Standing | null, tiers = TIERS) =>
    decideTier(tiers, { day: DAY, spent, standing: its });
  const reached = (tierKey: string, from: string | null) => ({
    standing: { tierKey, since: DAY, keptUntil: '2027-05-17' },
    from,
    to: tierKey,
    cause: 'reached',
  });

  it('gives the highest tier that is earned, for a year', () => {
    expect(decided(49_999, null)).toBeNull();
    expect(decided(50_000, null)).toEqual(reached('silver', null));
    expect(decided(100_000, null)).toEqual(reached('gold', null));
    expect(decided(100_000, standing('silver', '2026-12-01'))).toEqual(reached('gold', 'silver'));
    // Also on the day on which the term ends.
    expect(decided(100_000, standing('silver', DAY))).toEqual(reached('gold', 'silver'));
  });

  it('leaves it until its term ends, whatever was refunded', () => {
    expect(decided(0, standing('gold', '2026-05-18'))).toBeNull();
    expect(decided(60_000, standing('gold', '2026-05-18'))).toBeNull();
    expect(decided(100_000, standing('gold', '2026-05-18'))).toBeNull();
  });

  it('decides anew once it has ended: the same, a lower one, or none', () => {
    const ended = { since: DAY, keptUntil: '2027-05-17' };
    expect(decided(100_000, standing('gold', DAY))).toEqual({
      standing: { tierKey: 'gold', since: '2025-06-01', keptUntil: '2027-05-17' },
      from: 'gold',
      to: 'gold',
      cause: 'term_ended',
    });
    expect(decided(50_000, standing('gold', '2026-05-01'))).toEqual({
      standing: { tierKey: 'silver', ...ended },
      from: 'gold',
      to: 'silver',
      cause: 'term_ended',
    });
    expect(decided(0, standing('gold', DAY))).toEqual({
      standing: null,
      from: 'gold',
      to: null,
      cause: 'term_ended',
    });
  });

  it('counts a tier that the programme has no more as none, and keeps it noted', () => {
    const platinum = standing('platinum', '2026-05-18');
    expect(decided(0, platinum)).toBeNull();
    expect(decided(50_000, platinum)).toEqual(reached('silver', null));
    expect(decided(0, standing('platinum', DAY))).toMatchObject({ standing: null, from: null });
    expect(decided(1_000_000, standing('gold', '2026-12-01'), [])).toBeNull();
  });
});
