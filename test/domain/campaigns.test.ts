import { describe, expect, it } from 'vitest';
import { CampaignInput, needsClocks, statusOf, termsOf } from '../../domain/campaigns.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';

const NOW = new Date('2026-03-02T12:00:00Z');
const input = (some: Record<string, unknown> = {}) =>
  CampaignInput.parse({ name: 'Summer', multiplier: 2, ...some });

describe('CampaignInput', () => {
  it.each([
    ['without either', { multiplier: undefined }],
    ['with both', { points: 5 }],
    ['that multiplies by 1', { multiplier: 1 }],
    ['with four decimals', { multiplier: 1.0001 }],
    ['that multiplies by more than 10', { multiplier: 10.001 }],
    ['without a name', { name: ' ' }],
    ['without days', { days: [] }],
    ['with an eighth day', { days: [8] }],
    ['with a day twice', { days: [1, 1] }],
    ['whose hours end before they begin', { hours: { from: '18:00', to: '08:00' } }],
    ['whose hours are empty', { hours: { from: '08:00', to: '08:00' } }],
    ['that begins at midnight of the next day', { hours: { from: '24:00', to: '24:00' } }],
    ['with minutes that no clock has', { hours: { from: '08:60', to: '09:00' } }],
    ['without a budget left', { budgetPoints: 0 }],
  ])('refuses one %s', (_, some) => {
    const parsed = CampaignInput.safeParse({ name: 'Summer', multiplier: 2, ...some });
    expect(parsed.success).toBe(false);
  });

  it('says everything, with defaults', () => {
    expect(input({ name: ' Summer ', hours: { from: '08:00', to: '24:00' } })).toEqual({
      name: 'Summer',
      multiplier: 2,
      endsAt: null,
      days: null,
      hours: { from: '08:00', to: '24:00' },
      minSpendMinorUnits: 0,
      audience: 'all',
      budgetPoints: null,
    });
  });
});

describe('termsOf', () => {
  it('begins at once by default, and has days in their order', () => {
    expect(termsOf(input({ days: [5, 1] }), NOW)).toMatchObject({
      startsAt: NOW,
      endsAt: null,
      points: null,
      days: [1, 5],
    });
  });

  it.each([
    ['startsAt', 'must not be in the past', { startsAt: '2026-03-02T11:58:59Z' }],
    ['endsAt', 'must be after startsAt', { endsAt: '2026-03-02T12:00:00Z' }],
    ['endsAt', 'must be at most 2 years after startsAt', { endsAt: '2028-03-02T12:00:01Z' }],
    [
      'endsAt',
      'must be after startsAt',
      { startsAt: '2026-04-01T00:00:00Z', endsAt: '2026-03-31T00:00:00Z' },
    ],
  ])('refuses a wrong %s: it %s', (path, message, some) => {
    expect(() => termsOf(input(some), NOW)).toThrow(invalidField(path, message));
  });

  it('takes times that are just in time', () => {
    const [startsAt, endsAt] = ['2026-03-02T11:59:00.000Z', '2028-03-02T11:59:00.000Z'];
    const terms = termsOf(input({ startsAt, endsAt }), NOW);
    expect(terms).toMatchObject({ startsAt: new Date(startsAt), endsAt: new Date(endsAt) });
  });

  it('never gives more than the sale is worth', () => {
    const bonus = { multiplier: undefined, points: 500 };
    const generous = input({ ...bonus, minSpendMinorUnits: 499, audience: 'first_purchase' });
    const message =
      '500 points for a sale of 499 minor units are worth more than the sale. ' +
      'Ask for `minSpendMinorUnits` of at least as much.';
    expect(() => termsOf(generous, NOW)).toThrow(
      new Refusal('VALIDATION_ERROR', message, 'too_generous'),
    );
    expect(termsOf(input({ ...bonus, minSpendMinorUnits: 500 }), NOW)).toMatchObject({
      points: 500,
      multiplier: null,
    });
  });
});

it.each([
  [{}, false],
  [{ days: [1] }, true],
  [{ hours: { from: '08:00', to: '09:00' } }, true],
])('a campaign of %j goes by the clocks of the shop: %s', (some, does) => {
  expect(needsClocks(input(some))).toBe(does);
});

describe('statusOf', () => {
  const open = { ...termsOf(input({ budgetPoints: 100 }), NOW), endedAt: null };
  const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

  it.each([
    ['running', open, 99, later(0)],
    ['exhausted', open, 100, later(0)],
    ['running', { ...open, budgetPoints: null }, 100, later(0)],
    ['scheduled', { ...open, startsAt: later(1) }, 0, later(0)],
    ['exhausted', { ...open, startsAt: later(1) }, 100, later(0)],
    ['ended', { ...open, endedAt: later(0) }, 100, later(0)],
    ['ended', { ...open, endsAt: later(5) }, 0, later(5)],
    ['running', { ...open, endsAt: later(5) }, 0, later(4)],
  ] as const)('%s', (status, campaign, spentPoints, now) => {
    expect(statusOf(campaign, { spentPoints }, now)).toBe(status);
  });
});
