import { type Day, dayBefore, dayTextOf, morningAfter, type Span, spanOfDay } from './intervals.ts';
import type { Provider, TruthRepairs } from './payment.ts';

// The truth report compares each day of a connection with what its provider lists of it.

export const TRUTH_STATUSES = ['agrees', 'repaired', 'differs', 'unavailable'] as const;
export type TruthStatus = (typeof TRUTH_STATUSES)[number];

/** Whether what is missing of a provider's days is brought in without being asked. */
export function isRepaired(provider: Provider, repairs: TruthRepairs): boolean {
  return repairs === 'both' || repairs === provider;
}

/** At half past four. */
const COMPARED_AT_MINUTES = 4 * 60 + 30;
/** For so many days a provider that is away is asked again. */
export const PATIENCE_DAYS = 7;

/** How far the days of a connection have come. */
export type DaysOfConnection = {
  timeZone: string;
  /** Since when its sales are the tenant's. */
  earnsFrom: Date;
  /** The days that were compared, or given up. */
  known: ReadonlySet<Day>;
};

/** Returns the days that are to be compared now, and those that are given up, oldest first. */
export function daysToCompare(
  { timeZone, earnsFrom, known }: DaysOfConnection,
  now: Date,
): { due: Day[]; lost: Day[] } {
  const today = dayTextOf(now, timeZone);
  const days: { due: Day[]; lost: Day[] } = { due: [], lost: [] };
  for (let ago = PATIENCE_DAYS + 1; ago > 0; ago--) {
    const day = dayBefore(today, ago);
    if (known.has(day) || spanOfDay(day, timeZone).to <= earnsFrom) continue;
    if (morningAfter(day, COMPARED_AT_MINUTES, timeZone) > now) continue;
    days[ago > PATIENCE_DAYS ? 'lost' : 'due'].push(day);
  }
  return days;
}

/** The part of a day in which the account's sales are the tenant's; undefined without one. */
export function comparedSpan(
  day: Day,
  { timeZone, earnsFrom }: Omit<DaysOfConnection, 'known'>,
): Span | undefined {
  const { from, to } = spanOfDay(day, timeZone);
  return to <= earnsFrom ? undefined : { from: from > earnsFrom ? from : earnsFrom, to };
}

/** What is compared of a sale. */
export type ComparedSale = {
  id: string;
  amountMinorUnits: number;
  refundedMinorUnits: number;
  currency: string;
};

/** Sums of a day's sales: amounts without tips, and only those in the tenant's currency. */
export type DayTotals = { count: number; amountMinorUnits: number; refundedMinorUnits: number };

export type DayComparison = {
  provider: DayTotals;
  ours: DayTotals;
  /** Listed by the provider, and not known. */
  missing: string[];
  /** Known with another amount, currency or refunded sum. */
  changed: string[];
  /** Known, and not to the provider. */
  unknown: string[];
};

/**
 * Compares a day's sales by their ids. `unknown` are ours that the provider, asked singly, does not
 * know either.
 */
export function compareSales(
  listed: ReadonlyMap<string, ComparedSale>,
  { ours, unknown }: { ours: ReadonlyMap<string, ComparedSale>; unknown: readonly ComparedSale[] },
  currency: string | null,
): DayComparison {
  const missing: string[] = [];
  const changed: string[] = [];
  for (const [id, theirs] of listed) {
    const known = ours.get(id);
    if (known === undefined) missing.push(id);
    else if (!isSame(known, theirs)) changed.push(id);
  }
  return {
    provider: totalsOf([...listed.values()], currency),
    ours: totalsOf([...ours.values(), ...unknown], currency),
    missing,
    changed,
    unknown: unknown.map(({ id }) => id),
  };
}

function isSame(one: ComparedSale, other: ComparedSale): boolean {
  return (
    one.currency === other.currency &&
    one.amountMinorUnits === other.amountMinorUnits &&
    refundedOf(one) === refundedOf(other)
  );
}

/** A provider may count a tip that was given back, which earned nothing. */
function refundedOf({ amountMinorUnits, refundedMinorUnits }: ComparedSale): number {
  return Math.min(amountMinorUnits, refundedMinorUnits);
}

function totalsOf(sales: readonly ComparedSale[], currency: string | null): DayTotals {
  const sums = { count: sales.length, amountMinorUnits: 0, refundedMinorUnits: 0 };
  for (const sale of sales) {
    if (sale.currency !== currency) continue;
    sums.amountMinorUnits += sale.amountMinorUnits;
    sums.refundedMinorUnits += refundedOf(sale);
  }
  return sums;
}

/** Whether a comparison found nothing. */
export function agrees({ missing, changed, unknown }: DayComparison): boolean {
  return missing.length + changed.length + unknown.length === 0;
}

/** How many sales each kind of finding has. */
export type DayCounts = Record<'missing' | 'changed' | 'unknown' | 'repaired', number>;
