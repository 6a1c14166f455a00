import { decimal, money, number, percent, unitOf } from '../../shared/format.ts';
import { commonTexts } from '../../texts/en/common.ts';
import { ruleTexts } from '../../texts/en/rules.ts';
import { multipliedBy, numberOf, percentOf, type RuleTerms } from './draft.ts';

const { terms: texts } = ruleTexts;

/** So many percent, with all their decimals: 12.5%. */
export function percentText(value: number): string {
  return percent(value / 100, 6);
}

/** What customers get back, in a few words: 10% back. */
export function backText(terms: RuleTerms): string {
  return texts.back(percentText(percentOf(terms)));
}

/** What a typed multiplier makes of the rule in effect; undefined while it is not known. */
export function multipliedText(rule: RuleTerms | undefined, typed: string): string | undefined {
  const factor = numberOf(typed);
  if (rule === undefined || factor === undefined) return undefined;
  return ruleTexts.multiplied(backText(multipliedBy(rule, factor)));
}

/** A part of what a rule says: its name, and its value in words. */
type Term = { name: string; value: string };

/** All that a rule says, in words. */
export function termsOf(terms: RuleTerms, currency: string): Term[] {
  const { conversionRate, minSpendMinorUnits, maxPointsPerTransaction } = terms;
  const { minBalanceToRedeem, maxRedemptionPercentage, roundingPolicy } = terms;
  const unit = unitOf(currency);
  const points = (count: number) => commonTexts.points(count, decimal(count));
  return [
    {
      name: texts.rate,
      value: texts.rateOf(
        backText(terms),
        points(Number((conversionRate * unit).toFixed(6))),
        money(unit, currency),
      ),
    },
    {
      name: texts.minSpend,
      value: minSpendMinorUnits === 0 ? texts.any : money(minSpendMinorUnits, currency),
    },
    {
      name: texts.cap,
      value: maxPointsPerTransaction === null ? texts.noLimit : points(maxPointsPerTransaction),
    },
    { name: texts.rounding, value: ruleTexts.rounding[roundingPolicy] },
    {
      name: texts.minBalance,
      value: minBalanceToRedeem === 0 ? texts.any : points(minBalanceToRedeem),
    },
    {
      name: texts.share,
      value: percentText(maxRedemptionPercentage),
    },
  ];
}

/** What a rule says besides its rate, as far as it differs from saying nothing. */
export function limitsOf(terms: RuleTerms, currency: string): string[] {
  const { minSpendMinorUnits, maxPointsPerTransaction } = terms;
  const { minBalanceToRedeem, maxRedemptionPercentage } = terms;
  const { limits } = ruleTexts;
  return [
    ...(minSpendMinorUnits > 0 ? [limits.minSpend(money(minSpendMinorUnits, currency))] : []),
    ...(maxPointsPerTransaction === null ? [] : [limits.cap(number(maxPointsPerTransaction))]),
    ...(minBalanceToRedeem > 0 ? [limits.minBalance(number(minBalanceToRedeem))] : []),
    ...(maxRedemptionPercentage < 100 ? [limits.share(percentText(maxRedemptionPercentage))] : []),
  ];
}

/** A part of a rule that another rule says differently. */
export type Change = { name: string; before: string; after: string };

/** What differs between two rules, part by part, in words. */
export function changesOf(before: RuleTerms, after: RuleTerms, currency: string): Change[] {
  const was = termsOf(before, currency);
  return termsOf(after, currency).flatMap(({ name, value }, at) => {
    const former = was[at]?.value;
    return former === undefined || former === value ? [] : [{ name, before: former, after: value }];
  });
}
