import { describe, expect, it } from 'vitest';
import { AdjustmentInput, adjustedBalance, requireWithinLimit } from '../../domain/adjustment.ts';

const MOST = 2 ** 31 - 1;

describe('adjustedBalance', () => {
  it.each([
    { balance: 0, points: 1, left: 1, because: 'a credit adds' },
    { balance: 100, points: -100, left: 0, because: 'a debit may empty it' },
    { balance: 100, points: -101, left: 'INSUFFICIENT_BALANCE', because: 'a point is missing' },
    { balance: 0, points: -1, left: 'INSUFFICIENT_BALANCE', because: 'it is empty' },
    { balance: 0, owed: 30, points: 50, left: 20, because: 'what it owes is paid first' },
    { balance: 0, owed: 30, points: 10, left: 0, because: 'it still owes some' },
    { balance: 0, owed: 30, points: -1, left: 'INSUFFICIENT_BALANCE', because: 'it only owes' },
    {
      balance: Number.MAX_SAFE_INTEGER - 1,
      points: 1,
      left: Number.MAX_SAFE_INTEGER,
      because: 'it is the largest safe integer',
    },
    {
      balance: Number.MAX_SAFE_INTEGER,
      points: 1,
      left: 'RULE_REJECTED',
      because: 'the sum is not a safe integer',
    },
  ])('returns $left for $balance and $points because $because', ({ points, left, ...wallet }) => {
    const adjusted = () => adjustedBalance({ owed: 0, ...wallet }, points);
    if (typeof left === 'number') expect(adjusted()).toBe(left);
    else expect(adjusted).toThrow(expect.objectContaining({ code: left }));
  });
});

it.each([
  {
    balance: 4,
    points: -5,
    message: 'The wallet holds only 4 points.',
    issues: [{ code: 'insufficient_balance', params: { balance: 4 } }],
  },
  {
    balance: Number.MAX_SAFE_INTEGER,
    points: 1,
    message: 'The wallet cannot hold that many points.',
  },
])('adjustedBalance says why: $message', ({ balance, points, message, issues }) => {
  const refusal = expect.objectContaining({ message, ...(issues && matching(issues)) });
  expect(() => adjustedBalance({ balance, owed: 0 }, points)).toThrow(refusal);
});

const matching = (issues: object[]) => ({
  issues: issues.map((issue) => expect.objectContaining(issue)),
});

describe('requireWithinLimit', () => {
  const before = { credited: 60, debited: 90 };

  it.each([
    { points: 40, limit: 100, because: 'exactly so many credits are left' },
    { points: -10, limit: 100, because: 'exactly so many debits are left' },
    { points: 1_000_000, limit: 0, because: 'there is no limit' },
  ])('allows $points of $limit: $because', ({ points, limit }) => {
    expect(() => requireWithinLimit(points, before, limit)).not.toThrow();
  });

  it.each([
    { points: 41, limit: 100, kind: 'credit', left: 40 },
    { points: -11, limit: 100, kind: 'debit', left: 10 },
    { points: 1, limit: 50, kind: 'credit', left: 0 },
  ])('refuses $points of $limit, of which $left are left', ({ points, limit, kind, left }) => {
    expect(() => requireWithinLimit(points, before, limit)).toThrow(
      expect.objectContaining({
        code: 'FORBIDDEN',
        message:
          `You may ${kind} ${limit} points in 24 hours; ${left} are left. ` +
          'Ask another administrator.',
        ...matching([{ code: 'limit_per_day', params: { limit, left } }]),
      }),
    );
  });
});

describe('AdjustmentInput', () => {
  it.each([
    [{ points: 1, reason: 'x' }, true],
    [{ points: MOST, reason: 'x'.repeat(500) }, true],
    [{ points: -MOST, reason: ' x ' }, true],
    [{ points: 0, reason: 'x' }, false],
    [{ points: -0, reason: 'x' }, false],
    [{ points: MOST + 1, reason: 'x' }, false],
    [{ points: -MOST - 1, reason: 'x' }, false],
    [{ points: 1.5, reason: 'x' }, false],
    [{ points: '1', reason: 'x' }, false],
    [{ points: 1, reason: '' }, false],
    [{ points: 1, reason: '  ' }, false],
    [{ points: 1, reason: 'x'.repeat(501) }, false],
    [{ points: 1 }, false],
    [{ reason: 'x' }, false],
  ])('parses %j: %s', (input, accepted) => {
    expect(AdjustmentInput.safeParse(input).success).toBe(accepted);
  });
});

it('says that an adjustment must not be zero', () => {
  const { error } = AdjustmentInput.safeParse({ points: 0, reason: 'x' });
  expect(error?.issues.map(({ message }) => message)).toEqual(['must not be zero']);
});
