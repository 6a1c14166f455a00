import type { LoyaltyClient } from '../../../sdk/index.ts';
import { minorUnitsOf } from '../../shared/format.ts';
import { momentAt } from '../../shared/zone.ts';
import { rewardTexts } from '../../texts/en/rewards.ts';
import { exampleAmount, wholeOf } from '../rules/draft.ts';

const { wrong } = rewardTexts;

/** A reward as it is typed. */
export type RewardDraft = {
  name: string;
  kind: 'item' | 'amount';
  price: string;
  value: string;
  stock: string;
  ends: string;
};

export const FIRST_DRAFT: RewardDraft = {
  name: '',
  kind: 'item',
  price: '',
  value: '',
  stock: '',
  ends: '',
};

/** What the service takes. */
export type Publication = NonNullable<Parameters<LoyaltyClient['publishReward']>[0]['body']>;
export type Problems = Partial<Record<keyof RewardDraft, string>>;

const MOST = 1_000_000;
const MOST_WORTH = 10;
const MOST_YEARS = 2;

/** Reads what was typed: what the service takes, or what is wrong with each field. */
export function readDraft(
  draft: RewardDraft,
  currency: string,
  now = Date.now(),
): { reward: Publication } | { problems: Problems } {
  const name = draft.name.trim();
  const pricePoints = wholeOf(draft.price) ?? 0;
  const valueMinorUnits = minorUnitsOf(draft.value, currency) ?? 0;
  const stock = draft.stock.trim() === '' ? null : (wholeOf(draft.stock) ?? 0);
  const ends = draft.ends === '' ? null : momentAt(draft.ends);
  const isPrice = pricePoints >= 1 && pricePoints <= MOST;
  const isGenerous = isPrice && valueMinorUnits > MOST_WORTH * pricePoints;
  const problems: Problems = {
    ...((name === '' || name.length > 60) && { name: wrong.name }),
    ...(!isPrice && { price: wrong.price }),
    ...(valueMinorUnits < 1 && { value: wrong.value(exampleAmount(currency)) }),
    ...(isGenerous && { value: wrong.generous }),
    ...(stock !== null && (stock < 1 || stock > MOST) && { stock: wrong.stock }),
    ...(ends !== null && !isToCome(ends, now) && { ends: wrong.ends }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  const terms = { name, kind: draft.kind, pricePoints, valueMinorUnits, stock };
  return { reward: { ...terms, endsAt: ends?.toISOString() ?? null } };
}

function isToCome(ends: Date, now: number): boolean {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + MOST_YEARS);
  return ends.getTime() > now && ends <= latest;
}
