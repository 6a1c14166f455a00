import { offsetMs } from './time-zones.ts';

export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The times from `from` on and before `to`. */
export type Span = { from: Date; to: Date };

const DAY_MS = 24 * 3_600_000;

/**
 * Cuts a span at the starts of days, of weeks, which begin on Monday, or of months, as the clocks
 * of a time zone have them. The parts are in order and without a gap; the first and the last may be
 * shorter. Stops after `most` parts.
 */
export function cut(
  { from, to }: Span,
  by: { interval: Interval; timeZone: string; most: number },
): Span[] {
  const parts: Span[] = [];
  let at = from;
  while (at < to && parts.length < by.most) {
    const next = nextStart(at, by.interval, by.timeZone);
    const end = earlier(next, to);
    parts.push({ from: at, to: end });
    at = end;
  }
  return parts;
}

/** Returns the start of the first of so many days in a time zone; the last one ends at `to`. */
export function startOfLastDays(days: number, to: Date, timeZone: string): Date {
  const day = dayOf(new Date(to.getTime() - 1), timeZone);
  day.setUTCDate(day.getUTCDate() - (days - 1));
  return whenShown(day, timeZone);
}

/** Returns when the clocks of a time zone showed the same time of the day, so many days earlier. */
export function daysBefore(days: number, time: Date, timeZone: string): Date {
  const shown = new Date(shownMs(time, timeZone));
  shown.setUTCDate(shown.getUTCDate() - days);
  return whenShown(shown, timeZone);
}

/**
 * Returns what a span is compared with: as many whole days earlier as it takes to end before it. Of
 * a span that has not ended it is the part until the same time of the day, so that like is compared
 * with like.
 */
export function spanBefore({ from, to }: Span, now: Date, timeZone: string): Span {
  const shownFor = shownMs(to, timeZone) - shownMs(from, timeZone);
  const days = Math.max(1, Math.ceil(shownFor / DAY_MS));
  const until = earlier(to, now);
  return { from: daysBefore(days, from, timeZone), to: daysBefore(days, until, timeZone) };
}

const WEEKS = [1, 2, 3, 4];

/** Returns today until now, and the same part of the same day of the four weeks before. */
export function partsOfToday(now: Date, timeZone: string): { today: Span; before: Span[] } {
  const from = startOfLastDays(1, now, timeZone);
  const earlier = (time: Date, weeks: number) => daysBefore(7 * weeks, time, timeZone);
  const before = WEEKS.map((weeks) => ({ from: earlier(from, weeks), to: earlier(now, weeks) }));
  return { today: { from, to: now }, before };
}

/**
 * Returns the number that is usual, of those of the same part of earlier days: the lower one in the
 * middle. Undefined when one of them had none, which may be a holiday, or before the shop opened.
 */
export function usualOf(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((one, other) => one - other);
  if (sorted[0] === 0) return undefined;
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function nextStart(at: Date, interval: Interval, timeZone: string): Date {
  const day = dayOf(at, timeZone);
  let start: Date;
  do {
    toNext(day, interval);
    start = whenShown(day, timeZone);
    // Clocks that were set back over midnight show the end of a day once more, after the next one
    // has begun.
  } while (start <= at);
  return start;
}

function toNext(day: Date, interval: Interval): void {
  switch (interval) {
    case 'day':
      day.setUTCDate(day.getUTCDate() + 1);
      break;
    case 'week':
      day.setUTCDate(day.getUTCDate() + daysToMonday(day));
      break;
    case 'month':
      day.setUTCMonth(day.getUTCMonth() + 1, 1);
  }
}

/** From 1, on a Sunday, to 7, on a Monday. */
function daysToMonday(day: Date): number {
  return 7 - ((day.getUTCDay() + 6) % 7);
}

/** What the clocks of a time zone show at a time, as if in UTC. */
function shownMs(time: Date, timeZone: string): number {
  return time.getTime() + offsetMs(timeZone, time);
}

/** The day that the clocks of a time zone show, as midnight of that day in UTC. */
function dayOf(time: Date, timeZone: string): Date {
  const day = new Date(shownMs(time, timeZone));
  day.setUTCHours(0, 0, 0, 0);
  return day;
}

/**
 * When the clocks show a time, given as if in UTC: the first time if that is twice, or, where they
 * skip it, what comes in its place.
 */
function whenShown(shown: Date, timeZone: string): Date {
  const at = (offset: number) => new Date(shown.getTime() - offset);
  const before = offsetMs(timeZone, at(DAY_MS));
  const early = at(before);
  const after = offsetMs(timeZone, early);
  if (after === before) return early;
  const late = at(after);
  return offsetMs(timeZone, late) === after ? late : early;
}

/** A calendar day, as `2026-03-31`. */
export type Day = string;

/** Returns the day in which a time is, as the clocks of a time zone have it. */
export function dayTextOf(time: Date, timeZone: string): Day {
  const day = dayOf(time, timeZone);
  const next = new Date(day.getTime() + DAY_MS);
  // Clocks that were set back over midnight show the end of a day once more.
  const begun = time < whenShown(next, timeZone) ? day : next;
  return begun.toISOString().slice(0, 10);
}

/** Returns the day so many days earlier. */
export function dayBefore(day: Day, days: number): Day {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns from when to when a day is, as the clocks of a time zone have it. */
export function spanOfDay(day: Day, timeZone: string): Span {
  const shown = Date.parse(day);
  const at = (time: number) => whenShown(new Date(time), timeZone);
  return { from: at(shown), to: at(shown + DAY_MS) };
}

/** Returns a time of the morning after a day, as the clocks of a time zone have it. */
export function morningAfter(day: Day, minutes: number, timeZone: string): Date {
  return whenShown(new Date(Date.parse(day) + DAY_MS + minutes * 60_000), timeZone);
}

/** A calendar month: how many months after January of the year 0. */
export type Month = number;

/** Returns the first instant of a month, as the clocks of a time zone have it. */
export function startOfMonth(month: Month, timeZone: string): Date {
  return whenShown(firstDayOf(month), timeZone);
}

/** Returns the month in which a time is, as the clocks of a time zone have it. */
export function monthOf(time: Date, timeZone: string): Month {
  const day = dayOf(time, timeZone);
  const shown = day.getUTCFullYear() * 12 + day.getUTCMonth();
  // Clocks that were set back over midnight show the end of a month once more.
  return time < startOfMonth(shown + 1, timeZone) ? shown : shown + 1;
}

/** Writes a month as `2026-03`. */
export function monthText(month: Month): string {
  return firstDayOf(month).toISOString().slice(0, 7);
}

/** The midnight that begins a month, as if in UTC. */
function firstDayOf(month: Month): Date {
  return new Date(Date.UTC(Math.floor(month / 12), month % 12));
}

/** Reads what `monthText` writes, or a date that begins so; undefined for any other text. */
export function parseMonth(text: string): Month | undefined {
  const found = /^(\d{4})-(0[1-9]|1[0-2])(?:-\d\d)?$/.exec(text);
  return found === null ? undefined : Number(found[1]) * 12 + Number(found[2]) - 1;
}

/** Returns an hour on the clocks of a time zone, so many days before the last day of a month. */
export function hourBeforeEnd(
  month: Month,
  { days, hour }: { days: number; hour: number },
  timeZone: string,
): Date {
  const shown = firstDayOf(month + 1);
  shown.setUTCDate(-days);
  shown.setUTCHours(hour);
  return whenShown(shown, timeZone);
}
