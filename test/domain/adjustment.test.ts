import { describe, expect, it } from 'vitest';
import { AdjustmentInput, adjustedBalance } from '../../domain/adjustment.ts';

const MOST = 2 ** 31 - 1;

describe('adjustedBalance', () => {
  it.each([
    { balance: 0, points: 1, left: 1, because: 'a credit adds' },
    { balance: 100, points: -100, left: 0, because: 'a debit may empty it' },
    { balance: 100, points: -101, left: 'INSUFFICIENT_BALANCE', because: 'a point is missing' },
    { balance: 0, points: -1, left: 'INSUFFICIENT_BALANCE', because: 'it is empty' },
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
  ])('returns $left for $balance and $points because $because', ({ balance, points, left }) => {
    if (typeof left === 'number') expect(adjustedBalance(balance, points)).toBe(left);
    else {
      expect(() => adjustedBalance(balance, points)).toThrow(
        expect.objectContaining({ code: left }),
      );
    }
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
