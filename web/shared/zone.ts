/** By whose clocks times are shown, while a shop says so. */
let zone: string | undefined;

/** Has all times shown by the clocks of a time zone; where the person is, if there is none. */
export function showTimesIn(timeZone: string | null): void {
  zone = timeZone !== null && isKnown(timeZone) ? timeZone : undefined;
}

/** Returns the time zone by whose clocks times are shown. */
export function shownZone(): string {
  return zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the place whose clocks a time zone names: New York. */
export function placeOf(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}

/** Returns the day of a moment by the clocks that are shown, as a date field has it. */
export function dayOf(moment: Date): string {
  return shownAt(moment).slice(0, 10);
}

/** Returns the time of day of a moment by the clocks that are shown, as a field for it has it. */
export function clockOf(moment: Date): string {
  return shownAt(moment).slice(11, 16);
}

/** What the clocks that are shown say at a moment, in the form of ISO 8601. */
function shownAt(moment: Date): string {
  return new Date(moment.getTime() + offsetMs(moment)).toISOString();
}

/** Returns a day so many days later. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const DAY_MS = 24 * 3_600_000;

/**
 * Returns when a day begins by the clocks that are shown: at its first midnight or, where the
 * clocks skip it, at what comes in its place.
 */
export function startOf(day: string): Date {
  return momentAt(`${day}T00:00`);
}

/**
 * Returns the moment of a date and time, as a field for both has it, by the clocks that are shown;
 * an invalid date for another text.
 */
export function momentAt(text: string): Date {
  const shown = Date.parse(`${text}Z`);
  if (Number.isNaN(shown)) return new Date(Number.NaN);
  const before = offsetMs(new Date(shown - DAY_MS));
  const early = new Date(shown - before);
  const after = offsetMs(early);
  if (after === before) return early;
  const late = new Date(shown - after);
  return offsetMs(late) === after ? late : early;
}

/** How far the clocks that are shown are ahead of UTC. */
function offsetMs(time: Date): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: shownZone(), timeZoneName: 'longOffset' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName');
  const [, sign = '+', hours = 0, minutes = 0] =
    /GMT([+-])(\d\d):(\d\d)/.exec(parts?.value ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
