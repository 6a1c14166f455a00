import { type Day, dayBefore, dayTextOf, morningAfter, type Span, spanOfDay } from './intervals.ts';

// When the owners of a shop are told what the week was like.

/** Eight o'clock, when most shops have not opened. */
const MINUTES = 8 * 60;
/** A mail that an outage has held up for longer is not sent any more. */
const LATEST_DAYS = 2;

/** A week of a shop that is to be told of. */
export type ToldWeek = {
  /** The Monday after it. */
  monday: Day;
  week: Span;
  /** Whether it is time to tell of it: its Monday at eight, or the two days after it. */
  isTime: boolean;
  /** When it is time for the next one, or for this one. */
  next: Date;
};

/** Returns which week is to be told of at a time, as the clocks of a time zone have it. */
export function weekToTell(now: Date, timeZone: string): ToldWeek {
  const today = dayTextOf(now, timeZone);
  const daysSince = (new Date(today).getUTCDay() + 6) % 7;
  const monday = dayBefore(today, daysSince);
  const morning = morningAfter(dayBefore(monday, 1), MINUTES, timeZone);
  const from = spanOfDay(dayBefore(monday, 7), timeZone).from;
  const isOver = now >= morning;
  return {
    monday,
    week: { from, to: spanOfDay(monday, timeZone).from },
    isTime: isOver && daysSince <= LATEST_DAYS,
    next: isOver ? morningAfter(dayBefore(monday, -6), MINUTES, timeZone) : morning,
  };
}
