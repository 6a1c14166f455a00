import type { LoyaltyClient } from '../../../sdk/index.ts';
import { minorUnitsOf } from '../../shared/format.ts';
import { momentAt } from '../../shared/zone.ts';
import { campaignTexts } from '../../texts/en/campaigns.ts';
import { exampleAmount, numberOf, wholeOf } from '../rules/draft.ts';

const { wrong } = campaignTexts;

/** A campaign as it is typed. */
export type CampaignDraft = {
  name: string;
  kind: 'multiplier' | 'points';
  multiplier: string;
  points: string;
  minSpend: string;
  audience: 'all' | 'first_purchase';
  /** The days on which it runs, as their digits: 1 is Monday. */
  days: string;
  fromHour: string;
  toHour: string;
  starts: string;
  ends: string;
  budget: string;
};

export const ALL_DAYS = '1234567';

export const FIRST_DRAFT: CampaignDraft = {
  name: '',
  kind: 'multiplier',
  multiplier: '2',
  points: '50',
  minSpend: '0',
  audience: 'all',
  days: ALL_DAYS,
  fromHour: '',
  toHour: '',
  starts: '',
  ends: '',
  budget: '',
};

/** What the service takes. */
export type Publication = NonNullable<Parameters<LoyaltyClient['publishCampaign']>[0]['body']>;
export type Problems = Partial<Record<keyof CampaignDraft, string>>;

const MOST_YEARS = 2;

/** Reads what was typed: what the service takes, or what is wrong with each field. */
export function readDraft(
  draft: CampaignDraft,
  currency: string,
  now = Date.now(),
): { campaign: Publication } | { problems: Problems } {
  const name = draft.name.trim();
  const multiplier = numberOf(draft.multiplier) ?? 0;
  const points = wholeOf(draft.points) ?? 0;
  const gives = draft.kind === 'multiplier' ? { multiplier } : { points };
  const minSpendMinorUnits = minorUnitsOf(draft.minSpend, currency);
  const hours = hoursOf(draft);
  const starts = draft.starts === '' ? undefined : momentAt(draft.starts);
  const ends = draft.ends === '' ? undefined : momentAt(draft.ends);
  const from = starts ?? new Date(now);
  const budgetPoints = draft.budget.trim() === '' ? null : (wholeOf(draft.budget) ?? 0);
  const problems: Problems = {
    ...((name === '' || name.length > 60) && { name: wrong.name }),
    ...('multiplier' in gives && !isMultiplier(multiplier) && { multiplier: wrong.multiplier }),
    ...('points' in gives && (points < 1 || points > 1_000_000) && { points: wrong.points }),
    ...(minSpendMinorUnits === undefined && { minSpend: wrong.minSpend(exampleAmount(currency)) }),
    ...('points' in gives &&
      minSpendMinorUnits !== undefined &&
      minSpendMinorUnits < points && { minSpend: wrong.generous }),
    ...(draft.days === '' && { days: wrong.days }),
    ...(hours === undefined && { toHour: wrong.hours }),
    ...(starts !== undefined && !(starts.getTime() > now) && { starts: wrong.starts }),
    ...(ends !== undefined && !isEnd(ends, from) && { ends: wrong.ends }),
    ...(budgetPoints === 0 && { budget: wrong.budget }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  return {
    campaign: {
      name,
      ...gives,
      minSpendMinorUnits: minSpendMinorUnits ?? 0,
      audience: draft.audience,
      days: draft.days === ALL_DAYS ? null : [...draft.days].map(Number),
      hours: hours ?? null,
      ...(starts !== undefined && { startsAt: starts.toISOString() }),
      endsAt: ends?.toISOString() ?? null,
      budgetPoints,
    },
  };
}

/** The days with one more, or one fewer. */
export function toggled(days: string, day: string): string {
  const others = [...ALL_DAYS].filter((each) => days.includes(each) !== (each === day));
  return others.join('');
}

function isMultiplier(value: number): boolean {
  return value > 1 && value <= 10 && Number(value.toFixed(3)) === value;
}

function isEnd(ends: Date, from: Date): boolean {
  const latest = new Date(from);
  latest.setUTCFullYear(latest.getUTCFullYear() + MOST_YEARS);
  return ends > from && ends <= latest;
}

/** Null for all day, undefined for what makes no time. Midnight at its end is written 00:00. */
function hoursOf({ fromHour: from, toHour }: CampaignDraft) {
  if (from === '' && toHour === '') return null;
  const to = toHour === '00:00' ? '24:00' : toHour;
  return from !== '' && to !== '' && from < to ? { from, to } : undefined;
}
