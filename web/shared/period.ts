import { addDays, dayOf, shownZone, startOf } from './zone.ts';

/** Two days as a date field has them, empty for none. */
export type Days = { from: string; to: string };

/** The periods that can be chosen, as an address names them; of a number, so many last days. */
export const PERIODS = [
  'all',
  'today',
  'yesterday',
  '7',
  '30',
  '90',
  '365',
  'month',
  'last-month',
  'custom',
] as const;
export type PeriodName = (typeof PERIODS)[number];
export type Period = { name: PeriodName; days: Days };

/**
 * Finds a period in an address, where one is, and else takes the one that is usual on the page. A
 * day that is none is passed over.
 */
export function periodIn(search: URLSearchParams, usual: PeriodName): Period {
  const days = { from: dateIn(search.get('from')), to: dateIn(search.get('to')) };
  if (days.from !== '' || days.to !== '') return { name: 'custom', days };
  const name = PERIODS.find((one) => one === search.get('days')) ?? usual;
  return { name, days: daysOf(name, dayOf(new Date())) };
}

function dateIn(text: string | null): string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : '';
}

/** The days of a period that is named by how it lies to a day. */
export function daysOf(name: PeriodName, today: string): Days {
  const first = firstOfMonth(today);
  switch (name) {
    case 'all':
    case 'custom':
      return { from: '', to: '' };
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'month':
      return { from: first, to: today };
    case 'last-month':
      return { from: firstOfMonth(addDays(first, -1)), to: addDays(first, -1) };
    default:
      return { from: addDays(today, 1 - Number(name)), to: today };
  }
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}

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
