import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earn } from '../../domain/earning.ts';
import { type EarningTerms, ROUNDING_POLICIES } from '../../domain/reward-rule.ts';

const MOST = Number.MAX_SAFE_INTEGER;

function terms(some: Partial<EarningTerms> = {}): EarningTerms {
  return {
    conversionRate: '1',
    minSpendMinorUnits: 0,
    maxPointsPerTransaction: null,
    roundingPolicy: 'floor',
    ...some,
  };
}

const [floor, ceil, round] = ROUNDING_POLICIES;

describe('earn', () => {
  it.each([
    {
      spend: 100,
      rate: '0.29',
      roundingPolicy: floor,
      points: 29,
      because: 'not 28.999999999999996',
    },
    {
      spend: 100,
      rate: '0.57',
      roundingPolicy: floor,
      points: 57,
      because: 'not 56.99999999999999',
    },
    { spend: 100, rate: '0.07', roundingPolicy: ceil, points: 7, because: 'not 7.000000000000001' },
    {
      spend: 100,
      rate: '1.1',
      roundingPolicy: ceil,
      points: 110,
      because: 'not 110.00000000000001',
    },
    {
      spend: 100,
      rate: '1.15',
      roundingPolicy: floor,
      points: 115,
      because: 'not 114.99999999999999',
    },
    { spend: 3, rate: '0.1', roundingPolicy: ceil, points: 1, because: '0.3 rounds up to 1' },
    { spend: 1005, rate: '0.1', roundingPolicy: round, points: 101, because: '100.5 rounds up' },
    {
      spend: 1015,
      rate: '0.1',
      roundingPolicy: round,
      points: 102,
      because: 'half is never to even',
    },
    { spend: 1004, rate: '0.1', roundingPolicy: round, points: 100, because: '100.4 rounds down' },
    { spend: 5, rate: '0.1', roundingPolicy: round, points: 1, because: 'a half point is one' },
    { spend: 1, rate: '0.499999', roundingPolicy: round, points: 0, because: 'not quite a half' },
    { spend: 1009, rate: '0.1', roundingPolicy: floor, points: 100, because: '100.9 rounds down' },
    { spend: 1, rate: '1.000000', roundingPolicy: floor, points: 1, because: 'zeros do not count' },
    { spend: 1, rate: '0.000001', roundingPolicy: ceil, points: 1, because: 'the least rate, up' },
    {
      spend: 1_000_000,
      rate: '0.000001',
      roundingPolicy: floor,
      points: 1,
      because: 'the least rate',
    },
    {
      spend: 9_007_199_254,
      rate: '1000000',
      roundingPolicy: floor,
      points: 9_007_199_254_000_000,
      because: 'the highest rate',
    },
    { spend: MOST, rate: '1', roundingPolicy: round, points: MOST, because: 'the highest amount' },
    {
      spend: MOST,
      rate: '0.999999',
      roundingPolicy: floor,
      points: 9_007_190_247_541_736,
      because: 'more digits than a float has',
    },
  ])(
    '$spend × $rate, $roundingPolicy, is $points: $because',
    ({ spend, rate, points, ...rule }) => {
      expect(earn(spend, terms({ conversionRate: rate, ...rule }))).toMatchObject({
        points,
        rounded: points,
        zeroReason: points === 0 ? 'rounded_to_zero' : null,
      });
    },
  );

  it.each([
    {
      spend: 99,
      rule: { minSpendMinorUnits: 100 },
      points: 0,
      zeroReason: 'below_minimum',
      because: 'one short of the minimum',
    },
    {
      spend: 100,
      rule: { minSpendMinorUnits: 100 },
      points: 100,
      zeroReason: null,
      because: 'the minimum is enough',
    },
    { spend: 0, rule: {}, points: 0, zeroReason: 'zero_amount', because: 'nothing was paid' },
    {
      spend: 0,
      rule: { minSpendMinorUnits: 100 },
      points: 0,
      zeroReason: 'zero_amount',
      because: 'zero comes before the minimum',
    },
    {
      spend: 1,
      rule: { conversionRate: '0.1', minSpendMinorUnits: 2 },
      points: 0,
      zeroReason: 'below_minimum',
      because: 'the minimum comes before rounding',
    },
    {
      spend: 1,
      rule: { conversionRate: '0.1', maxPointsPerTransaction: 0 },
      points: 0,
      zeroReason: 'rounded_to_zero',
      because: 'rounding comes before the cap',
    },
    {
      spend: 100,
      rule: { maxPointsPerTransaction: 0 },
      points: 0,
      zeroReason: 'capped_to_zero',
      because: 'a cap of nothing',
    },
    {
      spend: 100,
      rule: { maxPointsPerTransaction: 99 },
      points: 99,
      zeroReason: null,
      because: 'the cap bites',
    },
    {
      spend: 100,
      rule: { maxPointsPerTransaction: 100 },
      points: 100,
      zeroReason: null,
      because: 'the cap is reached',
    },
    {
      spend: 100,
      rule: { maxPointsPerTransaction: 101 },
      points: 100,
      zeroReason: null,
      because: 'the cap is out of reach',
    },
    {
      spend: MOST,
      rule: { conversionRate: '1000000', maxPointsPerTransaction: 5 },
      points: 5,
      zeroReason: null,
      because: 'a capped credit can be counted, whatever the product',
    },
  ] as const)('$spend earns $points: $because', ({ spend, rule, points, zeroReason }) => {
    expect(earn(spend, terms(rule))).toMatchObject({ points, zeroReason });
  });

  it('shows the product and what it was rounded to, also where the points are fewer', () => {
    const rule = terms({ conversionRate: '0.295', maxPointsPerTransaction: 10 });
    expect(earn(101, rule)).toEqual({ points: 10, exact: '29.795', rounded: 29, zeroReason: null });
    expect(earn(101, { ...rule, minSpendMinorUnits: 102 })).toEqual({
      points: 0,
      exact: '29.795',
      rounded: 0,
      zeroReason: 'below_minimum',
    });
  });

  it('refuses points that cannot be counted exactly', () => {
    expect(() => earn(MOST, terms({ conversionRate: '1.000001' }))).toThrow(RangeError);
    expect(() => earn(MOST, terms({ conversionRate: '1000000' }))).toThrow('cannot be counted');
  });
});

const SCALE = 1_000_000n;
const someSpend = fc.integer({ min: 0, max: 9_000_000_000 });
/** A rate in millionths: every rate that a rule can have. */
const someRate = fc.oneof(
  fc.bigInt({ min: 1n, max: 3n * SCALE }),
  fc.bigInt({ min: 1n, max: 1_000_000n * SCALE }),
);
const someCap = fc.option(fc.integer({ min: 0, max: 2 ** 31 - 1 }));
const someTerms = fc.record({
  conversionRate: someRate.map(inDecimals),
  minSpendMinorUnits: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 ** 31 - 1 })),
  maxPointsPerTransaction: someCap,
  roundingPolicy: fc.constantFrom(...ROUNDING_POLICIES),
});

function inDecimals(millionths: bigint): string {
  const digits = String(millionths).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** The same rule in whole numbers of millionths. */
function oracle(spend: number, rule: EarningTerms): bigint {
  if (spend < rule.minSpendMinorUnits) return 0n;
  const millionths = BigInt(rule.conversionRate.replace('.', '')) * BigInt(spend);
  const down = millionths / SCALE;
  const rest = millionths % SCALE;
  const isUp = { floor: false, ceil: rest > 0n, round: rest * 2n >= SCALE }[rule.roundingPolicy];
  const rounded = isUp ? down + 1n : down;
  const cap = rule.maxPointsPerTransaction;
  return cap !== null && rounded > BigInt(cap) ? BigInt(cap) : rounded;
}

describe('whatever the payment and the rule', () => {
  it('the points are those of whole-number arithmetic', () => {
    fc.assert(
      fc.property(someSpend, someTerms, (spend, rule) => {
        expect(BigInt(earn(spend, rule).points)).toBe(oracle(spend, rule));
      }),
      { numRuns: 2_000 },
    );
  });

  it('they lie between nothing and the cap, and nothing always has a reason', () => {
    fc.assert(
      fc.property(someSpend, someTerms, (spend, rule) => {
        const { points, zeroReason } = earn(spend, rule);
        expect(points).toBeGreaterThanOrEqual(0);
        expect(points).toBeLessThanOrEqual(rule.maxPointsPerTransaction ?? MOST);
        expect(zeroReason === null).toBe(points > 0);
      }),
    );
  });

  it('floor ≤ round ≤ ceil, less than one apart, with the exact product between', () => {
    fc.assert(
      fc.property(someSpend, someRate, (spend, millionths) => {
        const product = millionths * BigInt(spend);
        const by = (roundingPolicy: EarningTerms['roundingPolicy']) =>
          BigInt(
            earn(spend, terms({ conversionRate: inDecimals(millionths), roundingPolicy })).points,
          );
        const [down, half, up] = [by('floor'), by('round'), by('ceil')];
        expect(down * SCALE <= product && product <= up * SCALE).toBe(true);
        expect(down <= half && half <= up && up - down <= 1n).toBe(true);
      }),
    );
  });
});
