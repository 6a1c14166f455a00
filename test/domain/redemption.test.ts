import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, Refusal } from '../../domain/errors.ts';
import {
  availableOf,
  isLimited,
  leastRedeemable,
  quoteRedemption,
  quoteReward,
  type RedemptionRequest,
  type RedemptionTerms,
  redeemableOf,
  worthMinorUnits,
} from '../../domain/redemption.ts';

const terms: RedemptionTerms = {
  version: 1,
  minBalanceToRedeem: 0,
  maxRedemptionPercentage: '100',
};
const request = (
  given: Partial<Omit<RedemptionRequest, 'rule'>> & { rule?: Partial<RedemptionTerms> | null },
): RedemptionRequest => ({
  pointsToRedeem: 1,
  balance: 1000,
  pending: 0,
  nextRelease: null,
  recent: 0,
  status: 'active',
  tenantStatus: 'active',
  ...given,
  rule: given.rule === null ? null : { ...terms, ...given.rule },
});

function refusalOf(given: RedemptionRequest): Refusal | undefined {
  try {
    quoteRedemption(given);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

describe('quoteRedemption', () => {
  it('returns the points, their value and the new balance', () => {
    expect(quoteRedemption(request({ pointsToRedeem: 300, rule: { version: 7 } }))).toEqual({
      eligiblePoints: 300,
      discountValueMinorUnits: 300,
      currentBalance: 1000,
      newBalance: 700,
      ruleVersion: 7,
    });
  });

  it.each<{
    given: Parameters<typeof request>[0];
    code: ErrorCode | undefined;
    because: string;
  }>([
    { given: { pointsToRedeem: 1000 }, code: undefined, because: 'all may be redeemed' },
    {
      given: { pointsToRedeem: 1001 },
      code: 'INSUFFICIENT_BALANCE',
      because: 'the points exceed the balance',
    },
    {
      given: { pointsToRedeem: 1001, rule: null },
      code: 'INSUFFICIENT_BALANCE',
      because: 'the balance is checked before the rule',
    },
    { given: { rule: null }, code: 'RULE_REJECTED', because: 'no rule is in effect' },
    {
      given: { rule: { minBalanceToRedeem: 1001 } },
      code: 'RULE_REJECTED',
      because: 'the balance is below the minimum',
    },
    {
      given: { rule: { minBalanceToRedeem: 1000 } },
      code: undefined,
      because: 'the balance equals the minimum',
    },
    {
      given: { pointsToRedeem: 501, rule: { maxRedemptionPercentage: '50' } },
      code: 'RULE_REJECTED',
      because: 'the points exceed half of the balance',
    },
    {
      given: { pointsToRedeem: 500, rule: { maxRedemptionPercentage: '50' } },
      code: undefined,
      because: 'the points are half of the balance',
    },
    {
      given: { pointsToRedeem: 323, rule: { maxRedemptionPercentage: '32.3' } },
      code: undefined,
      because: '32.3 % of 1000 is exactly 323, but less in floating point',
    },
    {
      given: { pointsToRedeem: 1, balance: 99, rule: { maxRedemptionPercentage: '1' } },
      code: 'RULE_REJECTED',
      because: 'the share is rounded down to 0',
    },
    { given: { status: 'frozen' }, code: 'FORBIDDEN', because: 'the wallet is frozen' },
    {
      given: { status: 'frozen', pointsToRedeem: 1001, rule: null },
      code: 'FORBIDDEN',
      because: 'the status is checked first',
    },
  ])('has the refusal code $code because $because', ({ given, code }) => {
    expect(refusalOf(request(given))?.code).toBe(code);
  });

  it('names the limit in the refusal', () => {
    const share = { pointsToRedeem: 501, rule: { maxRedemptionPercentage: '12.500000' } };
    expect(refusalOf(request(share))?.message).toBe(
      'At most 12.5 % of the balance can be redeemed in 24 hours; 125 points are left.',
    );
    expect(refusalOf(request({ rule: { minBalanceToRedeem: 2000 } }))?.message).toContain('2000');
  });

  it('accepts exactly the points within the balance and the rounded-down share', () => {
    const millionths = fc.integer({ min: 1, max: 100_000_000 });
    const amounts = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(millionths, amounts, fc.nat(10_000_000), (share, balance, extra) => {
        const maxRedemptionPercentage = (share / 1_000_000).toFixed(6);
        const most = (BigInt(balance) * BigInt(share)) / 100_000_000n;
        const pointsToRedeem = 1 + (extra % (balance + 2));
        const given = request({ balance, pointsToRedeem, rule: { maxRedemptionPercentage } });
        const code = refusalOf(given)?.code;
        if (pointsToRedeem > balance) expect(code).toBe('INSUFFICIENT_BALANCE');
        else expect(code).toBe(BigInt(pointsToRedeem) > most ? 'RULE_REJECTED' : undefined);
        if (code === undefined) {
          const quote = quoteRedemption(given);
          expect(quote.newBalance + quote.eligiblePoints).toBe(balance);
          expect(quote.newBalance).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('gives in any number of codes what it gives in one', () => {
    const amounts = fc.integer({ min: 0, max: 100_000 });
    const codes = fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), amounts, codes, (tenths, points, asked) => {
        const rule = { maxRedemptionPercentage: (tenths / 10).toFixed(1) };
        const first = redeemableOf(request({ balance: points, rule })).max;
        let [balance, recent] = [points, 0];
        for (const pointsToRedeem of asked) {
          const given = request({ balance, recent, pointsToRedeem, rule });
          const { max } = redeemableOf(given);
          expect(max + recent).toBe(first);
          if (refusalOf(given) !== undefined) continue;
          balance -= pointsToRedeem;
          recent += pointsToRedeem;
        }
      }),
    );
  });

  it('never gives more than the balance, nor less than nothing after a higher share', () => {
    const half = { maxRedemptionPercentage: '50' };
    expect(redeemableOf(request({ balance: 100, recent: 900, rule: half })).max).toBe(0);
    expect(redeemableOf(request({ balance: 900, recent: 100, rule: half })).max).toBe(400);
    expect(redeemableOf(request({ balance: 100, recent: 900 })).max).toBe(100);
  });

  it('is exact for the largest balances', () => {
    const balance = Number.MAX_SAFE_INTEGER;
    const rule = { maxRedemptionPercentage: '99.999999' };
    const most = Number((BigInt(balance) * 99_999_999n) / 100_000_000n);
    expect(refusalOf(request({ balance, pointsToRedeem: most, rule }))).toBeUndefined();
    expect(refusalOf(request({ balance, pointsToRedeem: most + 1, rule }))?.code).toBe(
      'RULE_REJECTED',
    );
  });
});

describe('quoteReward', () => {
  const reward = { pricePoints: 1000, valueMinorUnits: 900 };
  const strict = { version: 7, minBalanceToRedeem: 5000, maxRedemptionPercentage: '1' };

  it.each([
    ['amount', 900, 'its value is taken off'],
    ['item', 0, 'it is handed out instead'],
  ] as const)('costs its price, whatever share may be redeemed: %s, %d: %s', (kind, value, _) => {
    expect(quoteReward(request({ rule: strict }), { ...reward, kind })).toEqual({
      eligiblePoints: 1000,
      discountValueMinorUnits: value,
      currentBalance: 1000,
      newBalance: 0,
      ruleVersion: 7,
    });
  });

  it.each([
    [{ balance: 999 }, 'insufficient_balance'],
    [{ pending: 1 }, 'points_pending'],
    [{ status: 'frozen' }, 'wallet_frozen'],
    [{ rule: null }, 'no_rule'],
  ] as const)('is refused where points cannot be used: %j', (given, code) => {
    expect(() => quoteReward(request(given), { ...reward, kind: 'item' })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ code })] }),
    );
  });
});

it.each([
  ['100', false],
  ['100.000000', false],
  ['99.999999', true],
])('a rule by which %s %% can be redeemed limits it: %s', (maxRedemptionPercentage, is) => {
  expect(isLimited({ ...terms, maxRedemptionPercentage })).toBe(is);
});

describe('leastRedeemable', () => {
  it.each([
    { rule: {}, least: 1 },
    { rule: { minBalanceToRedeem: 500 }, least: 500 },
    { rule: { maxRedemptionPercentage: '30' }, least: 4 },
    { rule: { maxRedemptionPercentage: '50', minBalanceToRedeem: 2 }, least: 2 },
    { rule: { maxRedemptionPercentage: '0.1' }, least: 1_000 },
  ])('is the first balance of which something can be redeemed: $least', ({ rule, least }) => {
    expect(leastRedeemable({ ...terms, ...rule })).toBe(least);
    expect(redeemableOf(request({ balance: least, rule })).max).toBeGreaterThan(0);
    expect(redeemableOf(request({ balance: least - 1, rule })).max).toBe(0);
  });
});

describe('points that wait', () => {
  const nextRelease = new Date('2026-03-15T09:00:00Z');

  it('are refused after the balance, and before the rule, with what can be used', () => {
    const waiting = { balance: 70, pending: 50, nextRelease };
    const refused = (given: Parameters<typeof request>[0]) =>
      refusalOf(request({ ...waiting, ...given }))?.issues;
    const params = { available: 20, pending: 50, nextRelease: '2026-03-15T09:00:00.000Z' };
    const pending = [{ path: '', code: 'points_pending', message: expect.any(String), params }];
    expect(refused({ pointsToRedeem: 71, rule: null })).toMatchObject([
      { code: 'insufficient_balance' },
    ]);
    expect(refused({ pointsToRedeem: 21, rule: null })).toEqual(pending);
    expect(refused({ pointsToRedeem: 70 })).toEqual(pending);
    expect(refused({ pointsToRedeem: 20, rule: null })).toMatchObject([{ code: 'no_rule' }]);
    expect(refused({ pointsToRedeem: 20 })).toBeUndefined();
  });

  it('may be more than the balance: then nothing can be used', () => {
    const given = request({ balance: 10, pending: 60, nextRelease });
    expect(availableOf(given)).toBe(0);
    expect(redeemableOf(given)).toEqual({ min: 0, max: 0 });
    expect(refusalOf(given)?.issues).toMatchObject([{ code: 'points_pending' }]);
  });

  it('are redeemed by no request that is accepted', () => {
    const amounts = fc.nat(1_000);
    fc.assert(
      fc.property(amounts, amounts, amounts, (balance, pending, more) => {
        const given = request({ balance, pending, nextRelease, pointsToRedeem: 1 + more });
        if (refusalOf(given) !== undefined) return;
        expect(quoteRedemption(given).newBalance).toBeGreaterThanOrEqual(pending);
      }),
    );
  });
});

describe('redeemableOf', () => {
  it.each([
    { given: {}, redeemable: { min: 1, max: 1000 } },
    { given: { rule: { maxRedemptionPercentage: '32.3' } }, redeemable: { min: 1, max: 323 } },
    { given: { rule: null }, redeemable: { min: 0, max: 0 } },
    { given: { status: 'frozen' }, redeemable: { min: 0, max: 0 } },
    { given: { tenantStatus: 'suspended' }, redeemable: { min: 0, max: 0 } },
    { given: { rule: { minBalanceToRedeem: 1001 } }, redeemable: { min: 0, max: 0 } },
    { given: { rule: { minBalanceToRedeem: 1000 } }, redeemable: { min: 1, max: 1000 } },
    { given: { balance: 0 }, redeemable: { min: 0, max: 0 } },
    {
      given: { balance: 99, rule: { maxRedemptionPercentage: '1' } },
      redeemable: { min: 0, max: 0 },
    },
  ] as const)('$given: $redeemable', ({ given, redeemable }) => {
    expect(redeemableOf(request(given))).toEqual(redeemable);
  });

  it('is the most that is accepted, and nothing more is', () => {
    const shares = fc.integer({ min: 1, max: 100_000_000 });
    const amounts = fc.integer({ min: 0, max: 10_000_000 });
    const status = fc.constantFrom('active', 'frozen');
    fc.assert(
      fc.property(shares, amounts, amounts, status, (share, balance, minimum, standing) => {
        const maxRedemptionPercentage = (share / 1_000_000).toFixed(6);
        const rule = { maxRedemptionPercentage, minBalanceToRedeem: minimum };
        const given = request({ balance, status: standing, rule });
        const { min, max } = redeemableOf(given);
        expect(min).toBe(Math.min(1, max));
        if (max > 0) expect(refusalOf({ ...given, pointsToRedeem: max })).toBeUndefined();
        expect(refusalOf({ ...given, pointsToRedeem: max + 1 })).toBeDefined();
      }),
    );
  });
});

it('a point is worth one minor unit', () => {
  expect(worthMinorUnits(1250)).toBe(1250);
  expect(quoteRedemption(request({ pointsToRedeem: 7 })).discountValueMinorUnits).toBe(
    worthMinorUnits(7),
  );
});

it.each([
  {
    given: { tenantStatus: 'suspended', status: 'frozen', pointsToRedeem: 1001 },
    message: 'This shop is suspended. Points stay as they are; ask support when it goes on.',
    code: 'FORBIDDEN',
    issue: { code: 'tenant_suspended' },
  },
  {
    given: { status: 'frozen' },
    message: 'The wallet is frozen. Ask the shop for help.',
    code: 'FORBIDDEN',
    issue: { code: 'wallet_frozen' },
  },
  {
    given: { pointsToRedeem: 1001 },
    message: 'The wallet holds 1000 points only.',
    code: 'INSUFFICIENT_BALANCE',
    issue: { code: 'insufficient_balance', params: { balance: 1000 } },
  },
  {
    given: { rule: null },
    message: 'The shop has no reward rule in effect.',
    code: 'RULE_REJECTED',
    issue: { code: 'no_rule' },
  },
  {
    given: { rule: { minBalanceToRedeem: 1001 } },
    message: 'Redeeming takes a balance of 1001 points.',
    code: 'RULE_REJECTED',
    issue: { code: 'below_minimum_balance' },
  },
  {
    given: { pointsToRedeem: 501, rule: { maxRedemptionPercentage: '50' } },
    message: 'At most 50 % of the balance can be redeemed in 24 hours; 500 points are left.',
    code: 'RULE_REJECTED',
    issue: { code: 'above_maximum_share', params: { max: 500 } },
  },
  {
    given: { pending: 1000, nextRelease: new Date('2026-03-15T09:00:00Z') },
    message:
      'Only 0 points can be used now. 1000 wait until the sales that earned them ' +
      'can no longer be returned.',
    code: 'INSUFFICIENT_BALANCE',
    issue: {
      code: 'points_pending',
      params: { available: 0, pending: 1000, nextRelease: '2026-03-15T09:00:00.000Z' },
    },
  },
  {
    given: { pending: 1001, pointsToRedeem: 2 },
    message:
      'Only 0 points can be used now. 1001 wait until the sales that earned them ' +
      'can no longer be returned.',
    code: 'INSUFFICIENT_BALANCE',
    issue: {
      code: 'points_pending',
      params: { available: 0, pending: 1001, nextRelease: null },
    },
  },
] as const)('a refusal says why: $message', ({ given, message, code, issue }) => {
  const refusal = refusalOf(request(given));
  expect(refusal).toMatchObject({ code, message });
  expect(refusal?.issues).toEqual([{ path: '', message, ...issue }]);
});
