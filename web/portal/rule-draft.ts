import { decimalsOf } from '../../sdk/index.ts';
import { minorUnitsOf } from '../shared/format.ts';
import { ruleTexts } from '../texts/rules.ts';

const { wrong } = ruleTexts;

/** How many minor units a whole unit of a currency has: 100 for the euro, 1 for the yen. */
export function oneUnit(currency: string): number {
  return 10 ** decimalsOf(currency);
}

/** A rule as it is typed. */
export type RuleDraft = {
  rate: string;
  minSpend: string;
  cap: string;
  minBalance: string;
  share: string;
  rounding: 'floor' | 'ceil' | 'round';
  when: string;
};

/** What a new rule begins with: a point for each whole unit. */
export const FIRST_DRAFT: RuleDraft = {
  rate: '1',
  minSpend: '0',
  cap: '',
  minBalance: '0',
  share: '100',
  rounding: 'floor',
  when: '',
};

export type Problems = Partial<Record<keyof RuleDraft, string>>;
export type RuleTerms = {
  conversionRate: number;
  minSpendMinorUnits: number;
  maxPointsPerTransaction: number | null;
  minBalanceToRedeem: number;
  maxRedemptionPercentage: number;
  roundingPolicy: RuleDraft['rounding'];
  effectiveFrom?: string;
};

/** Reads what was typed: the terms that the service takes, or what is wrong with each field. */
export function readDraft(
  draft: RuleDraft,
  currency: string,
): { terms: RuleTerms } | { problems: Problems } {
  const rate = numberOf(draft.rate);
  const minSpend = minorUnitsOf(draft.minSpend, currency);
  const cap = draft.cap.trim() === '' ? null : wholeOf(draft.cap);
  const minBalance = wholeOf(draft.minBalance);
  const share = numberOf(draft.share);
  const problems: Problems = {
    ...((rate === undefined || rate <= 0) && { rate: wrong.number }),
    ...(minSpend === undefined && { minSpend: wrong.amount }),
    ...(cap === undefined && { cap: wrong.count }),
    ...(minBalance === undefined && { minBalance: wrong.count }),
    ...((share === undefined || share <= 0 || share > 100) && { share: wrong.percent }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  return {
    terms: {
      conversionRate: dividedExactly(draft.rate, oneUnit(currency)),
      minSpendMinorUnits: minSpend ?? 0,
      maxPointsPerTransaction: cap ?? null,
      minBalanceToRedeem: minBalance ?? 0,
      maxRedemptionPercentage: share ?? 100,
      roundingPolicy: draft.rounding,
      ...(draft.when !== '' && { effectiveFrom: new Date(draft.when).toISOString() }),
    },
  };
}

/** What a sale earns under terms, as the service works it out; for an example, not for money. */
export function exampleOf(terms: RuleTerms, amountMinorUnits: number): number {
  if (amountMinorUnits < terms.minSpendMinorUnits) return 0;
  // Without the last digits of binary fractions, which no rule means.
  const exact = Number((amountMinorUnits * terms.conversionRate).toPrecision(12));
  const rounded = { floor: Math.floor, ceil: Math.ceil, round: Math.round }[terms.roundingPolicy];
  return Math.min(rounded(exact), terms.maxPointsPerTransaction ?? Number.MAX_SAFE_INTEGER);
}

/** Divides a decimal number by a power of ten by its digits: 0.3 by 100 is 0.003 exactly. */
function dividedExactly(text: string, powerOfTen: number): number {
  return Number(`${Number(text.replace(',', '.'))}e-${Math.round(Math.log10(powerOfTen))}`);
}

function numberOf(text: string): number | undefined {
  const plain = text.trim().replace(',', '.');
  return /^\d{1,9}(\.\d{1,6})?$/.test(plain) ? Number(plain) : undefined;
}

function wholeOf(text: string): number | undefined {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : undefined;
}
