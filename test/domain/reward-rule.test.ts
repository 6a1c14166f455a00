import { describe, expect, it } from 'vitest';
import { RewardRuleInput } from '../../domain/reward-rule.ts';

const MAX_INTEGER = 2_147_483_647;
const parse = (input: object) => RewardRuleInput.safeParse({ conversionRate: 1, ...input });
const pathsOf = (input: object) => parse(input).error?.issues.map((issue) => issue.path.join('.'));

describe('RewardRuleInput', () => {
  it('requires a rate and defaults the rest', () => {
    expect(RewardRuleInput.parse({ conversionRate: 0.5 })).toEqual({
      conversionRate: 0.5,
      minSpendMinorUnits: 0,
      maxPointsPerTransaction: null,
      minBalanceToRedeem: 0,
      maxRedemptionPercentage: 100,
      roundingPolicy: 'floor',
    });
    expect(pathsOf({ conversionRate: undefined })).toEqual(['conversionRate']);
  });

  const integers = ['minSpendMinorUnits', 'maxPointsPerTransaction', 'minBalanceToRedeem'];
  it.each([
    { fields: ['conversionRate'], values: [0.000001, 1, 0.29, 1.15, 999_999.999999, 1_000_000] },
    { fields: ['maxRedemptionPercentage'], values: [0.000001, 33.333333, 100] },
    { fields: integers, values: [0, 1, MAX_INTEGER] },
    { fields: ['maxPointsPerTransaction'], values: [null] },
    { fields: ['roundingPolicy'], values: ['floor', 'ceil', 'round'] },
    {
      fields: ['effectiveFrom'],
      values: ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00.123+02:00', '2024-02-29T00:00:00Z'],
    },
  ])('accepts $values for $fields', ({ fields, values }) => {
    for (const field of fields) {
      for (const value of values) {
        expect(parse({ [field]: value }).data).toMatchObject({ [field]: value });
      }
    }
  });

  it.each([
    { fields: ['conversionRate'], values: [0, -1, 0.0000001, 1_000_000.000001, 1_000_001] },
    { fields: ['conversionRate'], values: [0.1234567, 0.1 + 0.2, '1', null, Number.NaN, Infinity] },
    { fields: ['maxRedemptionPercentage'], values: [0, -1, 100.000001, 101, 0.1234567, '5', null] },
    { fields: integers, values: [-1, 0.5, MAX_INTEGER + 1, '1', Number.NaN] },
    { fields: ['minSpendMinorUnits', 'minBalanceToRedeem'], values: [null] },
    { fields: ['roundingPolicy'], values: ['up', 'FLOOR', null] },
    {
      fields: ['effectiveFrom'],
      values: ['2026-01-15', '15.1.2026', '2026-01-15T10:00:00', '2026-02-30T10:00:00Z', 0, null],
    },
  ])('rejects $values for $fields, and names the field', ({ fields, values }) => {
    for (const field of fields) {
      for (const value of values) {
        expect(new Set(pathsOf({ [field]: value })), `${field} ${value}`).toEqual(new Set([field]));
      }
    }
  });

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'])(
    'rejects the date %s because Postgres cannot store it unchanged',
    (effectiveFrom) => {
      expect(pathsOf({ effectiveFrom })).toEqual(['effectiveFrom']);
    },
  );

  it('names every invalid field at once', () => {
    const input = { conversionRate: 0, minSpendMinorUnits: -1, roundingPolicy: 'up' };
    expect(pathsOf(input)).toEqual(['conversionRate', 'minSpendMinorUnits', 'roundingPolicy']);
  });
});
