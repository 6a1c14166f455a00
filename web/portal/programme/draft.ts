import { decimalsOf, type LoyaltyClient } from '../../../sdk/index.ts';
import { asTyped, minorUnitsOf, money, unitOf } from '../../shared/format.ts';
import { newKey } from '../../shared/random.ts';
import { programmeTexts } from '../../texts/en/programme.ts';
import { numberOf, wholeOf } from '../rules/draft.ts';

const { wrong } = programmeTexts;

/** What a shop promises beyond its rule, as it is typed. */
export type ProgrammeDraft = {
  days: string;
  months: string;
  notice: string;
  tillAttach: boolean;
  /** Empty for that of the shop. */
  timeZone: string;
  tiers: readonly TierDraft[];
};

/** A tier as it is typed. */
export type TierDraft = {
  /** Tells it from the others on the page. */
  id: string;
  /** What its customers keep it by, whatever its name becomes; null while it has none. */
  key: string | null;
  name: string;
  threshold: string;
  multiplier: string;
};

type Version = Awaited<ReturnType<LoyaltyClient['publishProgramme']>>;
type Tier = Version['tiers'][number];
/** What the service takes. */
export type Publication = NonNullable<Parameters<LoyaltyClient['publishProgramme']>[0]['body']>;
export type TierProblems = Partial<Record<'name' | 'threshold' | 'multiplier', string>>;
export type Problems = Partial<Record<'days' | 'months' | 'notice', string>> & {
  /** By the ids of the tiers. */
  tiers?: Record<string, TierProblems>;
};

export const MOST_TIERS = 5;
const MOST_DAYS = 90;
/** Points that expire may wait for about half of the time for which they are valid. */
const MOST_DAYS_OF_A_MONTH = 14;
const MOST_MONTHS = 120;
const MOST_LETTERS = 40;
const MOST_LETTERS_OF_KEY = 20;
const MOST_SPENT = 2 ** 31 - 1;

/** The draft that says what a version says. */
export function draftOf(
  active: Version | undefined,
  currency: string,
  timeZone: string,
): ProgrammeDraft {
  return {
    days: String(active?.returnWindowDays ?? 0),
    months: String(active?.validityMonths ?? ''),
    notice: String(active?.expiryNoticeDays ?? 14),
    tillAttach: active?.tillAttach ?? false,
    timeZone,
    tiers: (active?.tiers ?? []).map(({ key, name, thresholdMinorUnits, multiplier }) => ({
      id: key,
      key,
      name,
      threshold: asTyped(thresholdMinorUnits / unitOf(currency), decimalsOf(currency)),
      multiplier: asTyped(multiplier),
    })),
  };
}

/** A tier of which nothing is typed yet. */
export function newTier(): TierDraft {
  return { id: newKey(), key: null, name: '', threshold: '', multiplier: '' };
}

/** Reads what was typed: what the service takes, or what is wrong with each field. */
export function readDraft(
  draft: ProgrammeDraft,
  currency: string,
): { programme: Publication } | { problems: Problems } {
  const returnWindowDays = within(draft.days, 0, MOST_DAYS);
  const validityMonths = draft.months.trim() === '' ? null : within(draft.months, 1, MOST_MONTHS);
  const expiryNoticeDays = within(draft.notice, 7, 60);
  const mostDays = (validityMonths ?? MOST_MONTHS) * MOST_DAYS_OF_A_MONTH;
  const tiers = readTiers(draft.tiers, currency);
  const problems: Problems = {
    ...(returnWindowDays === undefined && { days: wrong.days }),
    ...((returnWindowDays ?? 0) > mostDays && { days: wrong.tooLong(mostDays) }),
    ...(validityMonths === undefined && { months: wrong.months }),
    ...(expiryNoticeDays === undefined && { notice: wrong.notice }),
    ...('problems' in tiers && { tiers: tiers.problems }),
  };
  if (Object.keys(problems).length > 0 || 'problems' in tiers) return { problems };
  return {
    programme: {
      returnWindowDays: returnWindowDays ?? 0,
      validityMonths: validityMonths ?? null,
      expiryNoticeDays: expiryNoticeDays ?? 14,
      tillAttach: draft.tillAttach,
      tiers: tiers.tiers,
      ...(draft.timeZone !== '' && { timeZone: draft.timeZone }),
    },
  };
}

/** Reads the tiers, in whatever order they were typed: the service wants the lowest first. */
function readTiers(
  drafts: readonly TierDraft[],
  currency: string,
): { tiers: Tier[] } | { problems: Record<string, TierProblems> } {
  const tiers = withKeys(drafts).map(({ id, key, name, threshold, multiplier }) => ({
    id,
    key,
    name: name.trim(),
    thresholdMinorUnits: minorUnitsOf(threshold, currency) ?? 0,
    multiplier: numberOf(multiplier) ?? 0,
  }));
  const found = tiers.map((tier) => [tier.id, problemsOf(tier, tiers, currency)] as const);
  if (found.some(([, problems]) => Object.keys(problems).length > 0)) {
    return { problems: Object.fromEntries(found) };
  }
  const ascending = tiers.toSorted((a, b) => a.thresholdMinorUnits - b.thresholdMinorUnits);
  return { tiers: ascending.map(({ id, ...tier }) => tier) };
}

function problemsOf(tier: Tier, all: readonly Tier[], currency: string): TierProblems {
  const { name, thresholdMinorUnits: threshold, multiplier } = tier;
  const before = all.slice(0, all.indexOf(tier));
  const isSame = before.some((other) => other.thresholdMinorUnits === threshold);
  const lower = all.filter(({ thresholdMinorUnits: other }) => other > 0 && other < threshold);
  const isLess = lower.some((other) => other.multiplier > multiplier);
  return {
    ...((name === '' || name.length > MOST_LETTERS) && { name: wrong.name }),
    ...(isSame && { threshold: wrong.sameThreshold }),
    ...((threshold < 1 || threshold > MOST_SPENT) && {
      threshold: wrong.threshold(money(1, currency), money(MOST_SPENT, currency)),
    }),
    ...(isLess && { multiplier: wrong.less }),
    ...(!isMultiplier(multiplier) && { multiplier: wrong.multiplier }),
  };
}

function isMultiplier(value: number): boolean {
  return value >= 1 && value <= 10 && Number(value.toFixed(3)) === value;
}

/** Gives each tier without a key one, made of its name. */
function withKeys(drafts: readonly TierDraft[]): (TierDraft & { key: string })[] {
  const taken = new Set(drafts.flatMap(({ key }) => key ?? []));
  return drafts.map((draft) => {
    const key = draft.key ?? freeKey(draft.name, taken);
    taken.add(key);
    return { ...draft, key };
  });
}

function freeKey(name: string, taken: ReadonlySet<string>): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = letters.replace(/[^a-z0-9]+/g, '_').replace(/^[^a-z]+/, '');
  // Names of other alphabets have no letter of a key.
  const base = words.slice(0, MOST_LETTERS_OF_KEY).replace(/_+$/, '') || 'tier';
  const others = [2, 3, 4, 5].map((nth) => `${base.slice(0, MOST_LETTERS_OF_KEY - 2)}_${nth}`);
  return [base, ...others].find((key) => !taken.has(key)) ?? base;
}

/** A whole number within its bounds. */
function within(text: string, least: number, most: number): number | undefined {
  const number = wholeOf(text);
  return number !== undefined && number >= least && number <= most ? number : undefined;
}
