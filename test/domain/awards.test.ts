import { describe, expect, it } from 'vitest';
import {
  CALCULATION_WITH_AWARDS,
  type CampaignOffer,
  earn,
  earnByVersion,
  earnWith,
  MAX_EARNED_POINTS,
  NO_OFFERS,
  type Offers,
  sumOf,
} from '../../domain/earning.ts';
import { CampaignId } from '../../domain/ids.ts';
import type { EarningTerms } from '../../domain/reward-rule.ts';

const A = CampaignId.parse('00000000-0000-4000-8000-00000000000a');
const B = CampaignId.parse('00000000-0000-4000-8000-00000000000b');
const C = CampaignId.parse('00000000-0000-4000-8000-00000000000c');
const GOLD = { key: 'gold', multiplier: 1.5 };

const terms = (some: Partial<EarningTerms> = {}): EarningTerms => ({
  conversionRate: '0.1',
  minSpendMinorUnits: 0,
  maxPointsPerTransaction: null,
  roundingPolicy: 'floor',
  ...some,
});
const times = (id: CampaignId, multiplier: number): CampaignOffer => ({
  id,
  multiplier,
  points: null,
});
const plus = (id: CampaignId, points: number): CampaignOffer => ({
  id,
  multiplier: null,
  points,
});
const offers = (campaigns: CampaignOffer[], tier: Offers['tier'] = null): Offers => ({
  tier,
  campaigns,
});

describe('earnWith', () => {
  const ofE8 = offers([times(A, 2), plus(B, 50)], GOLD);

  it('takes the greatest multiplier and each bonus', () => {
    expect(earnWith(1255, terms(), ofE8)).toEqual({
      points: 301,
      exact: '125.5',
      rounded: 125,
      zeroReason: null,
      awards: {
        base: 125,
        campaigns: [
          { id: A, kind: 'multiplier', multiplier: 2, points: 126 },
          { id: B, kind: 'bonus', points: 50 },
        ],
      },
      isCappedToLimit: false,
    });
  });

  it('cuts the last bonus first, then the multiplier', () => {
    const { points, awards } = earnWith(1255, terms({ maxPointsPerTransaction: 200 }), ofE8);
    const cut = { id: A, kind: 'multiplier', multiplier: 2, points: 75, cut: true };
    expect({ points, awards }).toEqual({ points: 200, awards: { base: 125, campaigns: [cut] } });
    const two = offers([plus(B, 50), plus(C, 40)]);
    const ofTwo = earnWith(1255, terms({ maxPointsPerTransaction: 190 }), two);
    expect(ofTwo.awards?.campaigns).toEqual([
      { id: B, kind: 'bonus', points: 50 },
      { id: C, kind: 'bonus', points: 15, cut: true },
    ]);
  });

  it('takes the tier where no campaign multiplies by more', () => {
    const tiered = offers([plus(B, 50)], GOLD);
    expect(earnWith(1255, terms(), tiered)).toMatchObject({ points: 238 });
    expect(earnWith(1255, terms({ maxPointsPerTransaction: 200 }), tiered)).toMatchObject({
      points: 200,
      awards: {
        base: 125,
        tier: { ...GOLD, points: 63 },
        campaigns: [{ id: B, kind: 'bonus', points: 12, cut: true }],
      },
    });
  });

  it('takes the tier alone', () => {
    expect(earnWith(1255, terms(), offers([], GOLD))).toEqual({
      points: 188,
      exact: '125.5',
      rounded: 125,
      zeroReason: null,
      awards: { base: 125, tier: { ...GOLD, points: 63 }, campaigns: [] },
      isCappedToLimit: false,
    });
  });

  it.each([
    ['multiplies by 1', { key: 'silver', multiplier: 1 }, null],
    ['the cap leaves nothing', GOLD, 100],
  ])('leaves out a tier that %s', (_, tier, maxPointsPerTransaction) => {
    const { awards } = earnWith(1255, terms({ maxPointsPerTransaction }), offers([], tier));
    expect(awards).toBeNull();
  });

  it.each([
    ['the tier of equals', offers([times(A, 1.5)], GOLD), { tier: { ...GOLD, points: 63 } }],
    [
      'the first of equal campaigns',
      offers([times(B, 2), times(C, 2)]),
      { campaigns: [{ id: B }] },
    ],
    ['what rounding makes equal', offers([times(B, 1.001), times(C, 1.002)]), null],
  ])('takes %s', (_, its, awards) => {
    const found = earnWith(1255, terms(), its).awards;
    if (awards === null) expect(found).toBeNull();
    else expect(found).toMatchObject(awards);
  });

  it.each([
    ['floor', 125],
    ['ceil', 126],
    ['round', 126],
  ] as const)('rounds the product once, by the rule: %s', (roundingPolicy, points) => {
    // 1252 × 0.1 = 125.2, and times 1.004 it is 125.7008.
    const found = earnWith(1252, terms({ roundingPolicy }), offers([times(A, 1.004)]));
    expect(found.points).toBe(points);
  });

  it('is what the rule gives without offers, and where nothing else applies', () => {
    const same = { awards: null, isCappedToLimit: false };
    for (const maxPointsPerTransaction of [null, 0, 1, 125, 126]) {
      for (const spend of [1255, 9, 0]) {
        const by = terms({ maxPointsPerTransaction });
        expect(earnWith(spend, by, NO_OFFERS)).toEqual({ ...earn(spend, by), ...same });
      }
    }
    for (const [spend, min] of [
      [0, 0],
      [99, 100],
    ] as const) {
      const by = terms({ minSpendMinorUnits: min });
      expect(earnWith(spend, by, ofE8)).toEqual({ ...earn(spend, by), ...same });
    }
  });

  it('judges on the sum why nothing was earned', () => {
    const bonus = offers([plus(B, 5)]);
    expect(earnWith(5, terms(), bonus)).toMatchObject({ points: 5, zeroReason: null });
    const nothing = terms({ maxPointsPerTransaction: 0 });
    const capped = { points: 0, zeroReason: 'capped_to_zero', awards: null };
    expect(earnWith(5, nothing, bonus)).toMatchObject(capped);
    const product = offers([times(A, 2)]);
    expect(earnWith(4, terms(), product)).toMatchObject({ zeroReason: 'rounded_to_zero' });
  });

  it('gives no more than a column holds', () => {
    const most = MAX_EARNED_POINTS * 10 - 10;
    expect(earnWith(most, terms(), offers([plus(B, 1)]))).toMatchObject({
      points: MAX_EARNED_POINTS,
      isCappedToLimit: false,
    });
    expect(earnWith(1255, terms({ maxPointsPerTransaction: 200 }), ofE8).isCappedToLimit).toBe(
      false,
    );
    const found = earnWith(most, terms(), offers([times(A, 2), plus(B, 50)]));
    expect(found).toMatchObject({
      points: MAX_EARNED_POINTS,
      isCappedToLimit: true,
      awards: { base: MAX_EARNED_POINTS - 1, campaigns: [{ id: A, points: 1, cut: true }] },
    });
    const beyond = earnWith(2 ** 53 - 1, terms({ conversionRate: '9' }), ofE8);
    expect(beyond).toMatchObject({
      points: MAX_EARNED_POINTS,
      isCappedToLimit: true,
      awards: null,
    });
  });
});

describe('what is kept of it', () => {
  it('adds up, the tier included', () => {
    const { awards } = earnWith(1255, terms(), offers([plus(B, 50)], GOLD));
    expect(awards === null ? null : sumOf(awards)).toBe(125 + 63 + 50);
  });

  it('is no points where nothing was kept', () => {
    const kept = { terms: terms(), awards: undefined };
    expect(earnByVersion(CALCULATION_WITH_AWARDS, 1255, kept).points).toBe(0);
  });

  it('adds up to what was earned', () => {
    const { awards, points, exact, rounded } = earnWith(
      1255,
      terms({ maxPointsPerTransaction: 280 }),
      offers([times(A, 2), plus(B, 50)], GOLD),
    );
    if (awards === null) throw new Error('nothing was awarded');
    expect(sumOf(awards)).toBe(points);
    const kept = { terms: terms({ maxPointsPerTransaction: 280 }), awards };
    expect(earnByVersion(CALCULATION_WITH_AWARDS, 1255, kept)).toEqual({
      points,
      exact,
      rounded,
      zeroReason: null,
    });
  });
});
