/** Two days as a date field has them, empty for none. */
export type Days = { from: string; to: string };

/** The moments of a query for days where the person is, the last one included. */
export function periodOf({ from, to }: Days): { from?: string; to?: string } {
  return {
    ...(from !== '' && { from: midnight(new Date(`${from}T00:00`), 0) }),
    ...(to !== '' && { to: midnight(new Date(`${to}T00:00`), 1) }),
  };
}

/** The moments of the last days where the person is, up to the end of today, and the time zone. */
export function lastDays(days: number): { from: string; to: string; timeZone: string } {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { from: midnight(new Date(), 1 - days), to: midnight(new Date(), 1), timeZone };
}

/** The midnight with which a day begins, or one so many days later. */
export function midnight(day: Date, daysLater: number): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater).toISOString();
}
