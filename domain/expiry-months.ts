import type { ExpiryCalendar } from './expiry.ts';
import { hourBeforeEnd, type Month } from './intervals.ts';

/** When people are told, and until when: a full day is left. */
const NOTICE_HOUR = 10;
const DAY_MS = 24 * 3_600_000;
/** A rule by which less can be redeemed has people told of all months that end within this time. */
const AFTER_RULE_MS = 60 * DAY_MS;
/** So many months end within the longest time of notice, or after a rule. */
const MONTHS_AHEAD = 2;

/** How far the months of a shop have come, and what decides when its customers are told. */
export type MonthsOfShop = {
  calendar: ExpiryCalendar;
  /** Months that were taken or skipped. */
  finished: ReadonlySet<Month>;
  /** When all were told of a month. */
  told: ReadonlyMap<Month, Date>;
  /** How many days before the last one of a month. */
  noticeDays: number;
  /** When a rule was last published by which less can be redeemed; null if not lately. */
  tightenedAt: Date | null;
};

/** Lists the months that have ended since the first version and are not finished, oldest first. */
export function monthsToTake({ calendar, finished }: MonthsOfShop, now: Date): Month[] {
  const first = calendar.firstMonth;
  if (first === undefined) return [];
  const months: Month[] = [];
  for (let month = first; month < calendar.monthOf(now); month++) {
    if (!finished.has(month)) months.push(month);
  }
  return months;
}

/**
 * Lists the months of which people are to be told now what will expire, soonest first. A month that
 * was told early because of a rule is listed again at its usual time, for people who earned points
 * in between.
 */
export function monthsToTell(shop: MonthsOfShop, now: Date): Month[] {
  const { calendar, told, noticeDays, tightenedAt } = shop;
  const present = calendar.monthOf(now);
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, nth) => present + nth);
  return months.filter((month) => {
    const end = calendar.startOf(month + 1);
    if (end.getTime() - now.getTime() < DAY_MS || !calendar.canBeDueBy(month)) return false;
    const at = hourBeforeEnd(month, { days: noticeDays, hour: NOTICE_HOUR }, calendar.timeZone);
    const isSoon = tightenedAt !== null && end.getTime() - tightenedAt.getTime() <= AFTER_RULE_MS;
    const since = now >= at ? at : isSoon ? tightenedAt : null;
    const toldAt = told.get(month);
    return since !== null && (toldAt === undefined || toldAt < since);
  });
}
