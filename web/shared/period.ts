import { addDays, dayOf, shownZone, startOf } from './zone.ts';

/** Two days as a date field has them, empty for none. */
export type Days = { from: string; to: string };

/** The moments of a query for days by the clocks that are shown, the last one included. */
export function periodOf({ from, to }: Days): { from?: string; to?: string } {
  return {
    ...(from !== '' && { from: startOf(from).toISOString() }),
    ...(to !== '' && { to: startOf(addDays(to, 1)).toISOString() }),
  };
}

/** The last days by the clocks that are shown, today as the last one. */
export function lastDates(days: number): Days {
  const to = dayOf(new Date());
  return { from: addDays(to, 1 - days), to };
}

/** The same of both days, and the time zone by whose clocks they are. */
export function inZone(days: Days): { from?: string; to?: string; timeZone: string } {
  return { ...periodOf(days), timeZone: shownZone() };
}

/** The midnight with which a day begins, or one so many days later. */
export function midnight(day: Date, daysLater: number): string {
  return startOf(addDays(dayOf(day), daysLater)).toISOString();
}
