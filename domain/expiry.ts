import { type Month, monthOf, startOfMonth } from './intervals.ts';

/*
 * When points expire. A lot is what a credit has brought, of the month in which it was entered;
 * everything that takes points but a refund of a lot counts against the lots that are due soonest.
 * What is left of those that are due is then the balance less the lots that are due later, so that
 * no lot has to be kept: field practice, and checked against explicit lots in
 * test/domain/expiry-lots.test.ts.
 */

/** The month in which points are due that never expire. */
export const NEVER: Month = Number.POSITIVE_INFINITY;

/** However short the validity: what never expired before gets so many months. */
const FIRST_MONTHS = 3;

/** For how many months points were valid from a version of a programme on; null for ever. */
export type ValidityVersion = { publishedAt: Date; validityMonths: number | null };

/** The points of a month, or those that are due in one. */
export type MonthPoints = { month: Month; points: number };

/** By which versions points of a shop expire, and by whose clocks its months begin. */
export class ExpiryCalendar {
  readonly timeZone: string;
  private readonly versions: readonly ValidityVersion[];
  private readonly known = new Map<Month, number | null>();

  /** `versions` are in the order of their publication. */
  constructor(timeZone: string, versions: readonly ValidityVersion[]) {
    this.timeZone = timeZone;
    this.versions = versions;
  }

  monthOf(time: Date): Month {
    return monthOf(time, this.timeZone);
  }

  startOf(month: Month): Date {
    return startOfMonth(month, this.timeZone);
  }

  /** The month in which the first version was published; undefined without any. */
  get firstMonth(): Month | undefined {
    const [first] = this.versions;
    return first && this.monthOf(first.publishedAt);
  }

  /** What the newest version says. */
  get activeValidity(): number | null {
    return this.versions.at(-1)?.validityMonths ?? null;
  }

  /** The validity that governs a month: that of the last version from before it. */
  validityOf(month: Month): number | null {
    const known = this.known.get(month);
    if (known !== undefined) return known;
    const start = this.startOf(month);
    const governing = this.versions.findLast(({ publishedAt }) => publishedAt < start);
    const validity = governing?.validityMonths ?? null;
    this.known.set(month, validity);
    return validity;
  }

  /**
   * Returns at the end of which month the points of a month expire, or `NEVER`, by what was
   * published up to `until`: a longer validity prolongs, a shorter one does not shorten, and what
   * never expired gets at least three months, and never less than it had before.
   */
  dueOf(month: Month, until: Month): Month {
    let begun = month;
    const first = this.validityOf(month);
    let due = first === null ? NEVER : begun + first;
    let last = first === null ? 0 : due;
    for (let k = month + 1; k <= Math.min(until, due); k++) {
      const validity = this.validityOf(k);
      if (validity === null) due = NEVER;
      else if (due === NEVER) {
        begun = k;
        due = Math.max(last, k + Math.max(validity, FIRST_MONTHS));
      } else due = Math.max(due, begun + validity);
      if (due !== NEVER) last = due;
    }
    return due;
  }

  /** Whether any points can be due by a month: if not, no wallet has to be read. */
  canBeDueBy(month: Month): boolean {
    for (let k = this.firstMonth ?? month; k < month; k++) {
      const validity = this.validityOf(k);
      if (validity !== null && k + validity <= month) return true;
    }
    return false;
  }
}

/** What the expiry of a month takes of a wallet. */
export type DuePoints = {
  points: number;
  /** Of the balance, what can be used longer. */
  longer: number;
  /** The last month of the lots that are due. */
  earnedBy: Month;
};

/**
 * Returns what the expiry of a month takes of a wallet, by its balance and its lots; null for
 * nothing. Taken again after that, it takes nothing.
 */
export function pointsDue(
  { balance, lots }: { balance: number; lots: readonly MonthPoints[] },
  { month, dueOf }: { month: Month; dueOf(earned: Month): Month },
): DuePoints | null {
  const due = lots.filter((lot) => dueOf(lot.month) <= month);
  const later = lots.filter((lot) => dueOf(lot.month) > month);
  const longer = Math.min(balance, sumOf(later));
  if (balance === longer) return null;
  const earnedBy = Math.max(...due.map((lot) => lot.month));
  return { points: balance - longer, longer, earnedBy };
}

/**
 * Returns what is left of the lots of a wallet, by when they are due: soonest first, never last. It
 * adds up to the balance.
 */
export function pointsLeft(
  { balance, lots }: { balance: number; lots: readonly MonthPoints[] },
  dueOf: (earned: Month) => Month,
): MonthPoints[] {
  const byDue = new Map<Month, number>();
  for (const { month, points } of lots) {
    const due = dueOf(month);
    byDue.set(due, (byDue.get(due) ?? 0) + points);
  }
  const left: MonthPoints[] = [];
  let rest = balance;
  for (const [month, net] of [...byDue].sort(([one], [other]) => other - one)) {
    const points = Math.min(net, rest);
    rest -= points;
    if (points > 0) left.unshift({ month, points });
  }
  return left;
}

/** By which month points expired, and the last month of the credits that were due. */
export type PointExpiry = { month: Month; earnedBy: Month };

/** What has expired of a wallet, and what refunds have absorbed of it. */
export type ExpiredPoints = {
  /** By the months that took them. */
  expired: readonly MonthPoints[];
  /** By the months in which the lots of the refunded sales were due. */
  absorbed: readonly MonthPoints[];
};

/**
 * Returns how many points that a refund asks back have expired before: of a sale whose lot is due
 * in a month, at most what has expired in that month or later, and was not absorbed.
 */
export function pointsAbsorbable(points: ExpiredPoints, due: Month): number {
  // From one month to the next, less is left where it expired, and more only where it was absorbed.
  const absorbed = points.absorbed.map(({ month }) => month);
  const months = [due, ...absorbed.filter((month) => month <= due)];
  const least = Math.min(...months.map((month) => leftFrom(points, month)));
  return Math.max(0, least);
}

/** The first month for which there is less expired than was absorbed; undefined if all is well. */
export function overAbsorbed(points: ExpiredPoints): Month | undefined {
  return points.absorbed
    .map(({ month }) => month)
    .sort((one, other) => one - other)
    .find((due) => leftFrom(points, due) < 0);
}

/** What has expired in a month or later, less what was absorbed of that. */
function leftFrom({ expired, absorbed }: ExpiredPoints, month: Month): number {
  const from = (all: readonly MonthPoints[]) => sumOf(all.filter((each) => each.month >= month));
  return from(expired) - from(absorbed);
}

function sumOf(all: readonly MonthPoints[]): number {
  return all.reduce((sum, { points }) => sum + points, 0);
}
