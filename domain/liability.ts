import { type MonthPoints, pointsLeft } from './expiry.ts';
import type { Month } from './intervals.ts';

// What a shop owes its customers in points, by the months in which they were earned.

/** The points of a month less what refunds took of them, and what was `earned` before that. */
export type EarnedLot = MonthPoints & { earned: number };

/** What has become of the points of a month: what is left is the first less all the others. */
export type MonthLiability = {
  month: Month;
  earned: number;
  reversed: number;
  /** Spent otherwise, also in codes that are still open. */
  used: number;
  /** What the run took. */
  expired: number;
  left: number;
};

/** Of which run: of a month, after it took what was due, and after which month those before it. */
export type LiabilityRun = {
  month: Month;
  /** The first month that none before it took: what was due then goes with this run. */
  since: Month;
  dueOf(earned: Month): Month;
};

/**
 * Returns what has become of the lots of a wallet that are due in the run's month or later, by the
 * balance and by what the run took of it. The points that are left are of those that are due last;
 * of those that are due in one month, of those that were earned last. It is the same by the balance
 * of before the run, since that took all that is not of lots due later.
 */
export function liabilityOf(
  wallet: { balance: number; lots: readonly EarnedLot[]; expired: number },
  { month, since, dueOf }: LiabilityRun,
): MonthLiability[] {
  const lots = wallet.lots
    .filter((lot) => dueOf(lot.month) >= since)
    .toSorted((one, other) => {
      const [due, otherDue] = [dueOf(one.month), dueOf(other.month)];
      return due === otherDue ? one.month - other.month : due < otherDue ? -1 : 1;
    });
  const orders = new Map(lots.map((lot, nth) => [lot.month, nth]));
  const filled = (balance: number, into: readonly EarnedLot[]) => {
    const held = pointsLeft({ balance, lots: into }, (earned) => orders.get(earned) ?? 0);
    return new Map(held.map(({ month: nth, points }) => [nth, points]));
  };
  const isDue = (lot: EarnedLot) => dueOf(lot.month) <= month;
  const later = lots.filter((lot) => !isDue(lot));
  const allLeft = filled(wallet.balance, later);
  const allExpired = filled(wallet.expired, lots.filter(isDue));
  return lots.map(({ month: earnedIn, points, earned }, nth) => {
    const [left, expired] = [allLeft.get(nth) ?? 0, allExpired.get(nth) ?? 0];
    return {
      month: earnedIn,
      earned,
      reversed: earned - points,
      used: points - expired - left,
      expired,
      left,
    };
  });
}

/** Adds up the months of several wallets. */
export function addUp(all: readonly MonthLiability[]): MonthLiability[] {
  const sums = new Map<Month, MonthLiability>();
  for (const { month, ...points } of all) {
    const before = sums.get(month);
    sums.set(month, {
      month,
      earned: points.earned + (before?.earned ?? 0),
      reversed: points.reversed + (before?.reversed ?? 0),
      used: points.used + (before?.used ?? 0),
      expired: points.expired + (before?.expired ?? 0),
      left: points.left + (before?.left ?? 0),
    });
  }
  return [...sums.values()];
}
