/** The clocks of every shop. */
export const TIME_ZONE = 'America/New_York';
const DAY_MS = 86_400_000;

/** The day that shops have now, counted, so that days can be added. */
export function today(): number {
  return dayOf(new Date(), TIME_ZONE);
}

/** The number of a day such as `2026-03-31`. */
export function dayIn(text: string): number {
  return Date.parse(text) / DAY_MS;
}

/** A day by its number, as text. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day of a moment, by some clocks. */
export function dayOf(at: Date, timeZone: string): number {
  // This language writes days as computers do.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return dayIn(format.format(at));
}
