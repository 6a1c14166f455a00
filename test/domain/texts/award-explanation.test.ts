import { describe, expect, it } from 'vitest';
import type { Offers } from '../../../domain/earning.ts';
import { CampaignId, UserId } from '../../../domain/ids.ts';
import { type DecisionRecord, decide } from '../../../domain/ingestion.ts';
import type { EarningTerms } from '../../../domain/reward-rule.ts';
import { explainPayment } from '../../../domain/texts/explanation.ts';

const A = CampaignId.parse('00000000-0000-4000-8000-00000000000a');
const B = CampaignId.parse('00000000-0000-4000-8000-00000000000b');
const names = { gold: 'Gold', [A]: 'Summer', [B]: 'Opening' };
const tier = { key: 'gold', multiplier: 1.5 };
const twice = { id: A, multiplier: 2, points: null };
const plus = (points: number) => ({ id: B, multiplier: null, points });

type Sale = {
  amount?: number;
  rule?: Partial<EarningTerms>;
  offers: Partial<Offers>;
  /** As the record has them: null in one that has none. */
  known?: DecisionRecord['names'] | null;
};

/** What of the explanation of a sale is said after the points by the rule alone. */
function said({ amount = 1255, rule = {}, offers, known = names }: Sale) {
  const { outcome, points, record } = decide(
    {
      amountMinorUnits: amount,
      tipMinorUnits: 0,
      refundedMinorUnits: 0,
      currency: 'EUR',
      occurredAt: new Date('2026-01-15T10:00:00Z'),
      email: 'ada@example.com',
      phone: null,
    },
    {
      userByEmail: UserId.parse('00000000-0000-4000-8000-0000000000ad'),
      userByPhone: null,
      currency: null,
      isSuspended: false,
      rule: {
        version: 3,
        conversionRate: '0.100000',
        minSpendMinorUnits: 0,
        maxPointsPerTransaction: null,
        roundingPolicy: 'floor',
        ...rule,
      },
      offers: { tier: null, campaigns: [], ...offers },
    },
    'reverse',
  );
  const decided = {
    outcome,
    reason: null,
    points,
    record: { ...record, ...(known && { names: known }) },
  };
  const { steps, coded } = explainPayment(decided, 'merchant');
  const after = 1 + coded.steps.findIndex(({ code }) => code === 'calculated');
  return { points, steps: steps.slice(after), coded: coded.steps.slice(after) };
}

const asGold =
  'As a Gold member the consumer earns 1.5 times as much: ' +
  '1255 × 0.1 × 1.5 = 188.25, rounded down: 188 instead of 125.';
const doubled = 'The campaign “Summer” multiplies it by 2: 1255 × 0.1 × 2 = 251 instead of 125.';

describe('what a sale earned besides its rule', () => {
  it.each<Sale & { about: string; points: number; steps: string[] }>([
    { about: 'a tier', offers: { tier }, points: 188, steps: [asGold] },
    {
      about: 'a tier, as far as the rule gives it',
      offers: { tier },
      rule: { maxPointsPerTransaction: 187 },
      points: 187,
      steps: [asGold, 'That is more than the rule gives: 187.'],
    },
    {
      about: 'a tier, exactly as much as the rule gives',
      offers: { tier },
      rule: { maxPointsPerTransaction: 188 },
      points: 188,
      steps: [asGold],
    },
    {
      about: 'a campaign that multiplies, and one that adds',
      offers: { campaigns: [twice, plus(50)] },
      points: 301,
      steps: [doubled, 'The campaign “Opening” adds 50 points.'],
    },
    {
      about: 'a tier and a campaign, which the rule cuts',
      offers: { tier, campaigns: [plus(50)] },
      rule: { maxPointsPerTransaction: 189 },
      points: 189,
      steps: [
        asGold,
        'The campaign “Opening” adds 1 point.',
        'That is more than the rule gives: 189.',
      ],
    },
    {
      about: 'a campaign, up to what any payment can earn',
      amount: 2_147_483_600,
      rule: { conversionRate: '1' },
      offers: { campaigns: [plus(48)] },
      points: 2_147_483_647,
      steps: [
        'The campaign “Opening” adds 47 points.',
        'That is more than any payment can earn: 2147483647.',
      ],
    },
    {
      about: 'a campaign whose name is not known',
      known: { [A]: 'Summer' },
      offers: { campaigns: [plus(50)] },
      points: 175,
      steps: [`The campaign “${B}” adds 50 points.`],
    },
    {
      about: 'a tier, without any names',
      known: null,
      offers: { tier },
      points: 188,
      steps: [asGold.replace('Gold', 'gold')],
    },
  ])('is explained: $about', ({ points, steps, about: _, ...sale }) => {
    expect(said(sale)).toMatchObject({ points, steps });
  });

  it('has the currency and the rate among its values, for sentences of an app', () => {
    const multiplied = {
      amountMinorUnits: 1255,
      currency: 'EUR',
      conversionRate: '0.1',
      roundingPolicy: 'floor',
      instead: 125,
    };
    const ofTier = { ...multiplied, tier: 'Gold', multiplier: 1.5, exact: '188.25' };
    const ofCampaign = { ...multiplied, campaign: 'Summer', multiplier: 2, exact: '251' };
    expect([said({ offers: { tier } }), said({ offers: { campaigns: [twice] } })]).toMatchObject([
      { coded: [{ code: 'tier_multiplies', params: { ...ofTier, rounded: '188' } }] },
      { coded: [{ code: 'campaign_multiplies', params: { ...ofCampaign, rounded: '251' } }] },
    ]);
  });
});
