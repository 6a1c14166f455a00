import { decimalsOf } from '../../../sdk/index.ts';
import { asTyped, digitsOf, minorUnitsOf, unitOf } from '../../shared/format.ts';
import { momentAt } from '../../shared/zone.ts';
import { ruleTexts } from '../../texts/en/rules.ts';

const { wrong } = ruleTexts;

/** In which of two ways a rate is said: as a share of what is paid, or as points for a unit. */
export type RateKind = 'percent' | 'points';

/** A rule as it is typed. */
export type RuleDraft = {
  rate: { kind: RateKind; text: string };
  minSpend: string;
  cap: string;
  minBalance: string;
  share: string;
  rounding: 'floor' | 'ceil' | 'round';
  when: string;
};

/** What a first rule begins with: a tenth of what is paid comes back. */
export const FIRST_DRAFT: RuleDraft = {
  rate: { kind: 'percent', text: '10' },
  minSpend: '0',
  cap: '',
  minBalance: '0',
  share: '100',
  rounding: 'floor',
  when: '',
};

/** What a rule says, but for its date. */
export type RuleTerms = {
  conversionRate: number;
  minSpendMinorUnits: number;
  maxPointsPerTransaction: number | null;
  minBalanceToRedeem: number;
  maxRedemptionPercentage: number;
  roundingPolicy: RuleDraft['rounding'];
};

/** The draft of a rule that says what another one says, from now on. */
export function draftOf(terms: RuleTerms, currency: string): RuleDraft {
  const decimals = decimalsOf(currency);
  return {
    rate: { kind: 'percent', text: asTyped(percentOf(terms)) },
    minSpend: asTyped(terms.minSpendMinorUnits / unitOf(currency), decimals),
    cap: terms.maxPointsPerTransaction === null ? '' : asTyped(terms.maxPointsPerTransaction),
    minBalance: asTyped(terms.minBalanceToRedeem),
    share: asTyped(terms.maxRedemptionPercentage),
    rounding: terms.roundingPolicy,
    when: '',
  };
}

export type Problems = Partial<Record<keyof RuleDraft, string>>;
type Reading = { terms: RuleTerms; effectiveFrom?: string } | { problems: Problems };

/** Reads what was typed: the terms that the service takes, or what is wrong with each field. */
export function readDraft(draft: RuleDraft, currency: string, now = Date.now()): Reading {
  const conversionRate = rateOf(draft.rate, currency);
  const minSpend = minorUnitsOf(draft.minSpend, currency);
  const cap = draft.cap.trim() === '' ? null : wholeOf(draft.cap);
  const minBalance = wholeOf(draft.minBalance);
  const share = numberOf(draft.share);
  const when = draft.when === '' ? undefined : momentAt(draft.when);
  const problems: Problems = {
    ...(conversionRate === undefined && { rate: wrong.rate }),
    ...(minSpend === undefined && { minSpend: wrong.amount(exampleAmount(currency)) }),
    ...(cap === undefined && { cap: wrong.count }),
    ...(minBalance === undefined && { minBalance: wrong.count }),
    ...((share === undefined || share <= 0 || share > 100) && { share: wrong.percent }),
    ...(when !== undefined && !(when.getTime() > now) && { when: wrong.past }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  return {
    terms: {
      conversionRate: conversionRate ?? 0,
      minSpendMinorUnits: minSpend ?? 0,
      maxPointsPerTransaction: cap ?? null,
      minBalanceToRedeem: minBalance ?? 0,
      maxRedemptionPercentage: share ?? 100,
      roundingPolicy: draft.rounding,
    },
    ...(when !== undefined && { effectiveFrom: when.toISOString() }),
  };
}

/** How a typed rate reads in one of the two ways; empty while it is none. */
export function rateText(rate: RuleDraft['rate'], kind: RateKind, currency: string): string {
  if (rate.kind === kind) return rate.text;
  const points = rateOf(rate, currency);
  return points === undefined ? '' : asTyped(moved(points, placesOf(kind, currency)));
}

/** What customers get back of what they pay, in percent: a point is worth one minor unit. */
export function percentOf({ conversionRate }: Pick<RuleTerms, 'conversionRate'>): number {
  return moved(conversionRate, placesOf('percent', ''));
}

/** By what sales earn where a campaign or a tier multiplies the points of a rule. */
export function multipliedBy(rule: RuleTerms, factor: number): RuleTerms {
  return { ...rule, conversionRate: rule.conversionRate * factor };
}

/** What a sale earns under terms, as the service works it out; for an example, not for money. */
export function exampleOf(terms: RuleTerms, amountMinorUnits: number): number {
  if (amountMinorUnits < terms.minSpendMinorUnits) return 0;
  // Without the last digits of binary fractions, which no rule means.
  const exact = Number((amountMinorUnits * terms.conversionRate).toPrecision(12));
  const rounded = { floor: Math.floor, ceil: Math.ceil, round: Math.round }[terms.roundingPolicy];
  return Math.min(rounded(exact), terms.maxPointsPerTransaction ?? Number.MAX_SAFE_INTEGER);
}

/** What the service takes as points for each minor unit. */
const RATE = { most: 1_000_000, decimals: 6 };

/** The points for each minor unit that a typed rate means; undefined if the service takes none. */
function rateOf({ kind, text }: RuleDraft['rate'], currency: string): number | undefined {
  const typed = numberOf(text);
  if (typed === undefined || typed <= 0) return undefined;
  const rate = moved(typed, -placesOf(kind, currency));
  return rate <= RATE.most && Number(rate.toFixed(RATE.decimals)) === rate ? rate : undefined;
}

/** By how many places a rate is larger in one of the two ways than for each minor unit. */
function placesOf(kind: RateKind, currency: string): number {
  return kind === 'percent' ? 2 : decimalsOf(currency);
}

/** Moves the point of a decimal number: 0.3 by two places to the left is 0.003 exactly. */
function moved(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

/** The number that a text means, with at most six decimals; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const { whole, fraction = '' } = digitsOf(text) ?? {};
  if (whole === undefined || whole.length > 9 || fraction.length > 6) return undefined;
  return Number(`${whole}.${fraction}`);
}

/** The whole number that a text means; undefined for anything else. */
export function wholeOf(text: string): number | undefined {
  return /^\s*\d{1,13}\s*$/.test(text) ? Number(text) : undefined;
}

/** An amount of a currency as it is typed: 1250.50, or 1250 without decimals. */
export function exampleAmount(currency: string): string {
  const decimals = decimalsOf(currency);
  return asTyped(decimals === 0 ? 1_250 : 1_250.5, decimals);
}
