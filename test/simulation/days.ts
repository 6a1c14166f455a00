/** The clocks of shops, which are all in the same country: with changes and without. */
export const SHOP_ZONES = ['America/New_York', 'America/Adak', 'America/Phoenix'] as const;
const DAY_MS = 86_400_000;

/** The day that a shop has now, counted, so that days can be added. */
export function today(timeZone: string): number {
  return dayOf(new Date(), timeZone);
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
