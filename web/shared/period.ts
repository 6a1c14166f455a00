/** Two days as a date field has them, empty for none. */
export type Days = { from: string; to: string };

/** The moments of a query for days where the person is, the last one included. */
export function periodOf({ from, to }: Days): { from?: string; to?: string } {
  return {
    ...(from !== '' && { from: midnight(from, 0) }),
    ...(to !== '' && { to: midnight(to, 1) }),
  };
}

function midnight(date: string, daysLater: number): string {
  const moment = new Date(`${date}T00:00`);
  moment.setDate(moment.getDate() + daysLater);
  return moment.toISOString();
}
