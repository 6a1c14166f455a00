import type { words as english } from '../en/words.ts';
import type { Texts } from '../texts.ts';

/** Counts and times, as mails put them into their sentences. */
export const words: Texts<typeof english> = {
  points: (count, written) => (count === 1 ? '1 Punkt' : `${written} Punkte`),
  sales: (count, written) => (count === 1 ? '1 Verkauf' : `${written} Verkäufe`),
  customers: (count, written) => (count === 1 ? '1 Person' : `${written} Personen`),
  moment: ({ day, month, year, hour, minute, offset }) =>
    `${day}. ${month} ${year}, ${hour}:${minute} Uhr (UTC${offset})`,
  day: ({ day, month, year }) => `${day}. ${month} ${year}`,
};
