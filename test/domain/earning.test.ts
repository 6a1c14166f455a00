import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CALCULATION_VERSION,
  earn,
  earnByVersion,
  isCappedToLimit,
  MAX_EARNED_POINTS,
} from '../../domain/earning.ts';
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

const from = (minSpendMinorUnits: number) => ({ minSpendMinorUnits });
const cap = (maxPointsPerTransaction: number) => ({ maxPointsPerTransaction });
const tenth = { conversionRate: '0.1' };
const highest = { conversionRate: '1000000' };

describe('earn', () => {
  it.each(
    // biome-ignore format: a table of spend, rate, roundingPolicy, points, because
    [
      [100, '0.29', floor, 29, 'not 28.999999999999996'],
      [100, '0.57', floor, 57, 'not 56.99999999999999'],
      [100, '0.07', ceil, 7, 'not 7.000000000000001'],
      [100, '1.1', ceil, 110, 'not 110.00000000000001'],
      [100, '1.15', floor, 115, 'not 114.99999999999999'],
      [3, '0.1', ceil, 1, '0.3 rounds up to 1'],
      [1005, '0.1', round, 101, '100.5 rounds up'],
      [1015, '0.1', round, 102, 'a half never rounds to even'],
      [1004, '0.1', round, 100, '100.4 rounds down'],
      [5, '0.1', round, 1, 'half a point rounds up'],
      [1, '0.499999', round, 0, 'not quite a half'],
      [1009, '0.1', floor, 100, '100.9 rounds down'],
      [1, '1.000000', floor, 1, 'trailing zeros are ignored'],
      [1, '0.000001', ceil, 1, 'the lowest rate, rounded up'],
      [1_000_000, '0.000001', floor, 1, 'the lowest rate'],
      [2_147, '1000000', floor, 2_147_000_000, 'the highest rate'],
      [2_147_485_794, '0.999999', floor, 2_147_483_646, 'one below the limit'],
    ] as const,
  )('%s × %s, %s: %s points, %s', (spend, conversionRate, roundingPolicy, points, _because) => {
    expect(earn(spend, terms({ conversionRate, roundingPolicy }))).toMatchObject({
      points,
      rounded: points,
      zeroReason: points === 0 ? 'rounded_to_zero' : null,
    });
  });

  it.each(
    // biome-ignore format: a table of spend, points, because, rule, zeroReason
    [
      [99, 0, 'one below the minimum', from(100), 'below_minimum'],
      [100, 100, 'the minimum is enough', from(100), null],
      [0, 0, 'nothing was paid', {}, 'zero_amount'],
      [0, 0, 'zero is checked before the minimum', from(100), 'zero_amount'],
      [1, 0, 'the minimum is checked before rounding', { ...tenth, ...from(2) }, 'below_minimum'],
      [1, 0, 'rounding is applied before the cap', { ...tenth, ...cap(0) }, 'rounded_to_zero'],
      [100, 0, 'the cap is 0', cap(0), 'capped_to_zero'],
      [100, 99, 'the cap applies', cap(99), null],
      [100, 100, 'the cap is reached', cap(100), null],
      [100, 100, 'the cap is not reached', cap(101), null],
      [MOST, 5, 'a capped credit is a safe integer', { ...highest, ...cap(5) }, null],
    ] as const,
  )('%s earns %s points: %s', (spend, points, _because, rule, zeroReason) => {
    expect(earn(spend, terms(rule))).toMatchObject({ points, zeroReason });
  });

  it('returns the exact and the rounded product when the points are fewer', () => {
    const rule = terms({ conversionRate: '0.295', maxPointsPerTransaction: 10 });
    expect(earn(101, rule)).toEqual({ points: 10, exact: '29.795', rounded: 29, zeroReason: null });
    expect(earn(101, { ...rule, minSpendMinorUnits: 102 })).toEqual({
      points: 0,
      exact: '29.795',
      rounded: 0,
      zeroReason: 'below_minimum',
    });
  });

  it('returns no more than the limit, whatever amount and rule are, and says so', () => {
    for (const [spend, conversionRate] of [
      [MAX_EARNED_POINTS + 1, '1'],
      [MOST, '1.000001'],
      [MOST, '1000000'],
    ] as const) {
      const earning = earn(spend, terms({ conversionRate }));
      expect(earning).toMatchObject({ points: MAX_EARNED_POINTS, zeroReason: null });
      expect(isCappedToLimit(earning)).toBe(true);
    }
    expect(isCappedToLimit(earn(MAX_EARNED_POINTS, terms()))).toBe(false);
    expect(isCappedToLimit(earn(MOST, terms(cap(5))))).toBe(false);
  });
});

const SCALE = 1_000_000n;
const someSpend = fc.integer({ min: 0, max: 9_000_000_000 });
/** Any rate that a rule can have, in millionths. */
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

/** The points by the same rule, in integers of millionths. */
function oracle(spend: number, rule: EarningTerms): bigint {
  if (spend < rule.minSpendMinorUnits) return 0n;
  const millionths = BigInt(rule.conversionRate.replace('.', '')) * BigInt(spend);
  const down = millionths / SCALE;
  const rest = millionths % SCALE;
  const isUp = { floor: false, ceil: rest > 0n, round: rest * 2n >= SCALE }[rule.roundingPolicy];
  const rounded = isUp ? down + 1n : down;
  const cap = rule.maxPointsPerTransaction;
  const most = BigInt(cap ?? MAX_EARNED_POINTS);
  return rounded > most ? most : rounded;
}

describe('earn, for any payment and rule', () => {
  it('returns the points of integer arithmetic', () => {
    fc.assert(
      fc.property(someSpend, someTerms, (spend, rule) => {
        expect(BigInt(earn(spend, rule).points)).toBe(oracle(spend, rule));
      }),
      { numRuns: 2_000 },
    );
  });

  it('returns points between zero and the cap, and a reason for zero', () => {
    fc.assert(
      fc.property(someSpend, someTerms, (spend, rule) => {
        const { points, zeroReason } = earn(spend, rule);
        expect(points).toBeGreaterThanOrEqual(0);
        expect(points).toBeLessThanOrEqual(rule.maxPointsPerTransaction ?? MAX_EARNED_POINTS);
        expect(zeroReason === null).toBe(points > 0);
      }),
    );
  });

  it('returns floor ≤ round ≤ ceil, at most one apart, around the exact product', () => {
    fc.assert(
      fc.property(someSpend, someRate, (spend, millionths) => {
        const product = millionths * BigInt(spend);
        const by = (roundingPolicy: EarningTerms['roundingPolicy']) =>
          BigInt(
            earn(spend, terms({ conversionRate: inDecimals(millionths), roundingPolicy })).points,
          );
        const [down, half, up] = [by('floor'), by('round'), by('ceil')];
        fc.pre(up < BigInt(MAX_EARNED_POINTS));
        expect(down * SCALE <= product && product <= up * SCALE).toBe(true);
        expect(down <= half && half <= up && up - down <= 1n).toBe(true);
      }),
    );
  });
});

describe('earnByVersion', () => {
  it.each(
    // biome-ignore format: a table of version, spend, rule, points, exact, rounded, zeroReason
    [
      [1, 1255, { ...tenth, ...cap(100) }, 100, '125.5', 125, null],
      [1, 1005, { ...tenth, roundingPolicy: round }, 101, '100.5', 101, null],
      [1, 9, tenth, 0, '0.9', 0, 'rounded_to_zero'],
      [1, 99, from(100), 0, '99', 0, 'below_minimum'],
      [1, 0, {}, 0, '0', 0, 'zero_amount'],
      [1, 3, cap(0), 0, '3', 3, 'capped_to_zero'],
      [1, 2 ** 32, {}, 2 ** 31 - 1, '4294967296', 2 ** 32, null],
    ] as const,
  )(
    'version %s: what %s earned stays as it was stored',
    (version, spend, rule, points, exact, rounded, zeroReason) => {
      const earning = { points, exact, rounded, zeroReason };
      expect(earnByVersion(version, spend, { terms: terms(rule), awards: undefined })).toEqual(
        earning,
      );
    },
  );

  it('knows the version that new decisions name', () => {
    const kept = { terms: terms(), awards: undefined };
    expect(earnByVersion(CALCULATION_VERSION, 1255, kept)).toEqual(earn(1255, terms()));
    expect(() => earnByVersion(0, 1255, kept)).toThrow(
      'does not know. Run the release that stored it, or a later one.',
    );
  });
});
