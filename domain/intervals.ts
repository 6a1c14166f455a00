export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The times from `from` on and before `to`. */
export type Span = { from: Date; to: Date };

/**
 * Cuts a span at the starts of UTC days, of weeks, which begin on Monday, or of months. The parts
 * are in order and without a gap; the first and the last may be shorter. Stops after `most` parts.
 */
export function cut({ from, to }: Span, interval: Interval, most: number): Span[] {
  const parts: Span[] = [];
  let at = from;
  while (at < to && parts.length < most) {
    const next = nextStart(at, interval);
    const end = next < to ? next : to;
    parts.push({ from: at, to: end });
    at = end;
  }
  return parts;
}

/** Returns the start of the first of so many UTC days of which the last one ends with `to`. */
export function startOfLastDays(days: number, to: Date): Date {
  const lastDay = startOfDay(new Date(to.getTime() - 1));
  lastDay.setUTCDate(lastDay.getUTCDate() - (days - 1));
  return lastDay;
}

function nextStart(at: Date, interval: Interval): Date {
  const start = startOfDay(at);
  switch (interval) {
    case 'day':
      start.setUTCDate(start.getUTCDate() + 1);
      return start;
    case 'week':
      start.setUTCDate(start.getUTCDate() + daysToMonday(start));
      return start;
    case 'month':
      start.setUTCMonth(start.getUTCMonth() + 1, 1);
      return start;
  }
}

/** From 1, on a Sunday, to 7, on a Monday. */
function daysToMonday(day: Date): number {
  return 7 - ((day.getUTCDay() + 6) % 7);
}

function startOfDay(at: Date): Date {
  const start = new Date(at);
  start.setUTCHours(0, 0, 0, 0);
  return start;
}
