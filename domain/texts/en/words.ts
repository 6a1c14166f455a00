import type { Moment } from '../mail-formats.ts';

/** Counts and times, as mails put them into their sentences. */
export const words = {
  points: (count: number, written: string) => (count === 1 ? '1 point' : `${written} points`),
  sales: (count: number, written: string) => (count === 1 ? '1 sale' : `${written} sales`),
  customers: (count: number, written: string) =>
    count === 1 ? '1 customer' : `${written} customers`,
  moment: ({ day, month, year, hour, minute, offset }: Moment) =>
    `${day} ${month} ${year}, ${hour}:${minute} (UTC${offset})`,
  day: ({ day, month, year }: Moment) => `${day} ${month} ${year}`,
};
