import { Big } from 'big.js';
import { type Awards, MAX_EARNED_POINTS, multiplied, multipliedExactly } from '../earning.ts';
import type { DecisionRecord } from '../ingestion.ts';
import type { EarningTerms } from '../reward-rule.ts';
import type { CodedSentence } from './coded-sentence.ts';

/**
 * Says what a payment earned besides its rule's points: by the one multiplier that counted, and by
 * the bonus of each campaign, in all as many points as are given.
 */
export function awardSteps(
  sale: DecisionRecord & { awards: Awards },
  rule: EarningTerms,
  points: number,
): CodedSentence[] {
  const { awards, names } = sale;
  const nameOf = (id: string) => names?.[id] ?? id;
  const steps: CodedSentence[] = [];
  const { tier } = awards;
  let isCut = false;
  if (tier !== undefined) {
    const params = multiplication(sale, rule, tier.multiplier);
    steps.push({ code: 'tier_multiplies', params: { tier: nameOf(tier.key), ...params } });
    isCut = Number(params.rounded) - awards.base > tier.points;
  }
  for (const { id, ...award } of awards.campaigns) {
    const campaign = nameOf(id);
    isCut ||= award.cut === true;
    if (award.kind === 'bonus') {
      steps.push({ code: 'campaign_adds', params: { campaign, points: award.points } });
      continue;
    }
    const params = multiplication(sale, rule, award.multiplier);
    steps.push({ code: 'campaign_multiplies', params: { campaign, ...params } });
  }
  const cap = points === MAX_EARNED_POINTS ? 'capped_to_limit' : 'capped_by_rule';
  return isCut ? [...steps, { code: cap, params: { points } }] : steps;
}

function multiplication(
  { amountMinorUnits, currency, awards }: DecisionRecord & { awards: Awards },
  rule: EarningTerms,
  multiplier: number,
) {
  const { conversionRate, roundingPolicy } = rule;
  return {
    multiplier,
    amountMinorUnits,
    currency,
    conversionRate: new Big(conversionRate).toFixed(),
    exact: multipliedExactly(amountMinorUnits, conversionRate, multiplier).toFixed(),
    rounded: String(multiplied(amountMinorUnits, rule, multiplier)),
    roundingPolicy,
    instead: awards.base,
  };
}
