import { describe, expect, it } from 'vitest';
import { type IssueCode, invalidField, Refusal } from '../../domain/errors.ts';
import {
  leftOf,
  RewardInput,
  requireReward,
  rewardStatusOf,
  rewardTermsOf,
} from '../../domain/rewards.ts';

const NOW = new Date('2026-03-02T12:00:00Z');
const coffee = { name: 'A coffee', kind: 'item', pricePoints: 300, valueMinorUnits: 350 };
const input = (some: Record<string, unknown> = {}) => RewardInput.parse({ ...coffee, ...some });
const stocked = { endsAt: null, endedAt: null, stock: 2, taken: 1 };
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe('rewardTermsOf', () => {
  it('says everything', () => {
    expect(rewardTermsOf(input(), NOW)).toEqual({ ...coffee, stock: null, endsAt: null });
  });

  it('gives at most ten minor units for a point', () => {
    expect(rewardTermsOf(input({ valueMinorUnits: 3_000 }), NOW).valueMinorUnits).toBe(3_000);
    const message = '300 points can be worth 3000 minor units at most. Ask for more points.';
    expect(() => rewardTermsOf(input({ valueMinorUnits: 3_001 }), NOW)).toThrow(
      new Refusal('VALIDATION_ERROR', message, 'too_generous'),
    );
  });

  it.each(['2026-03-02T12:00:00.001Z', '2028-03-02T12:00:00Z'])('can end at %s', (endsAt) => {
    expect(rewardTermsOf(input({ endsAt }), NOW).endsAt).toEqual(new Date(endsAt));
  });

  it.each(['2026-03-02T12:00:00Z', '2028-03-02T12:00:01Z'])('refuses to end at %s', (endsAt) => {
    expect(() => rewardTermsOf(input({ endsAt }), NOW)).toThrow(
      invalidField('endsAt', 'must be in the future, at most 2 years from now'),
    );
  });
});

describe('a reward', () => {
  it.each([
    ['offered', stocked],
    ['offered', { ...stocked, stock: null, taken: 5 }],
    ['sold_out', { ...stocked, taken: 2 }],
    ['ended', { ...stocked, taken: 2, endedAt: NOW }],
    ['offered', { ...stocked, endsAt: later(1) }],
    ['ended', { ...stocked, endsAt: NOW }],
  ])('is %s', (status, reward) => {
    expect(rewardStatusOf(reward, NOW)).toBe(status);
  });

  it('has some left, or no limit', () => {
    expect(leftOf(stocked)).toBe(1);
    expect(leftOf({ stock: null, taken: 1 })).toBeNull();
  });

  const texts = new Map<IssueCode, string>([
    ['reward_ended', 'The shop offers this no more. Choose another reward.'],
    ['reward_limit', 'You have an open code for this reward. Use or cancel it first.'],
    ['sold_out', 'None of these is left. Try again later.'],
  ]);
  it.each([
    [undefined, stocked, false],
    ['reward_limit', stocked, true],
    ['sold_out', { ...stocked, taken: 2 }, false],
    ['reward_limit', { ...stocked, taken: 2 }, true],
    ['reward_ended', { ...stocked, taken: 2, endedAt: NOW }, true],
  ] as const)('is refused in one order: %s', (code, reward, hasOpen) => {
    const attempt = () => requireReward(reward, { now: NOW, hasOpen });
    if (code === undefined) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(new Refusal('RULE_REJECTED', texts.get(code) ?? '', code));
  });
});
