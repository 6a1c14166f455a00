import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ExpiryCalendar,
  type MonthPoints,
  NEVER,
  overAbsorbed,
  pointsAbsorbable,
  pointsDue,
  pointsLeft,
} from '../../domain/expiry.ts';
import { startOfMonth } from '../../domain/intervals.ts';
import { addUp, liabilityOf, type MonthLiability } from '../../domain/liability.ts';

// Random programmes and movements, month by month, reckoned twice: as the service does, and with
// explicit lots. A lot learns at the turn of each month when it expires by then, and all that was
// spent so far is taken from the lots once more, the one that expires soonest first. What is owed
// after each month is compared with what the lots hold and lose, by when they were earned.

const FIRST = 2026 * 12;
const MONTHS = 30;
const RUNS = Number(process.env.EXPIRY_RUNS ?? 3_000);

const validity = fc.option(fc.integer({ min: 1, max: 6 }), { freq: 4 });
const versions = fc.array(fc.tuple(fc.nat(MONTHS), validity), { maxLength: 5 });
const movement = fc.oneof(
  fc.record({ kind: fc.constant('earn' as const), points: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ kind: fc.constant('spend' as const), points: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ kind: fc.constant('cancel' as const), points: fc.nat(5) }),
  fc.record({ kind: fc.constant('refund' as const), points: fc.nat(20) }),
  fc.record({ kind: fc.constant('none' as const), points: fc.constant(0) }),
);
const history = fc.record({
  versions,
  months: fc.array(fc.array(movement, { maxLength: 4 }), { minLength: 4, maxLength: MONTHS }),
  skipped: fc.array(fc.nat(MONTHS), { maxLength: 4 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** A credit, as it was, with what is left of it and when that expires by what is known. */
type Lot = {
  month: number;
  earned: number;
  net: number;
  absorbed: number;
  due: number;
  begun: number;
  was: number;
};

function calendarOf(all: History['versions']): ExpiryCalendar {
  const inOrder = all.toSorted(([one], [other]) => one - other);
  return new ExpiryCalendar(
    'UTC',
    inOrder.map(([nth, validityMonths]) => {
      // In the middle of the month: it governs from the next one on.
      const publishedAt = new Date(startOfMonth(FIRST + nth, 'UTC').getTime() + 14 * 86_400_000);
      return { publishedAt, validityMonths };
    }),
  );
}

/** Tells a lot at the turn to a month what governs from now on. */
function turn(lot: Lot, month: number, months: number | null): void {
  const isOver = lot.due < month;
  if (isOver || lot.month >= month) return;
  if (months === null) lot.due = NEVER;
  else if (lot.due === NEVER) {
    lot.begun = month;
    lot.due = Math.max(lot.was, month + Math.max(months, 3));
  } else if (lot.begun + months > lot.due) lot.due = lot.begun + months;
  if (lot.due !== NEVER) lot.was = lot.due;
}

/** What is left of each lot once all that was ever taken is taken from the soonest. */
function leftOf(lots: readonly Lot[], taken: number): number[] {
  const left = lots.map(({ net }) => net);
  let rest = taken;
  const soonest = lots.map((lot, nth) => ({ due: lot.due, nth }));
  const inOrder = soonest.toSorted((one, other) =>
    one.due === other.due ? one.nth - other.nth : one.due < other.due ? -1 : 1,
  );
  for (const { nth } of inOrder) {
    const points = Math.min(rest, left[nth] ?? 0);
    left[nth] = (left[nth] ?? 0) - points;
    rest -= points;
  }
  return left;
}

/** All rows in the order of their months: comparing texts takes no time. */
function textOf(rows: readonly MonthLiability[]): string {
  const texts = rows.map(({ month, earned, reversed, used, expired, left }) =>
    [month, earned, reversed, used, expired, left].join(),
  );
  return texts.sort().join(' ');
}

function play({ versions: published, months, skipped }: History): void {
  const calendar = calendarOf(published);
  const lots: Lot[] = [];
  const expired: MonthPoints[] = [];
  const codes: number[] = [];
  let balance = 0;
  let taken = 0;
  let since = Number.NEGATIVE_INFINITY;
  for (const [nth, movements] of months.entries()) {
    const month = FIRST + nth;
    const governing = calendar.validityOf(month);
    for (const lot of lots) turn(lot, month, governing);
    for (const { kind, points } of movements) {
      if (kind === 'earn') {
        const due = governing === null ? NEVER : month + governing;
        const was = due === NEVER ? 0 : due;
        lots.push({ month, earned: points, net: points, absorbed: 0, due, begun: month, was });
        balance += points;
      } else if (kind === 'spend') {
        const spent = Math.min(points, balance);
        balance -= spent;
        taken += spent;
        codes.push(spent);
      } else if (kind === 'cancel') {
        const back = codes.splice(points, 1)[0] ?? 0;
        balance += back;
        taken -= back;
      } else if (kind === 'refund') {
        const lot = lots.at(points % Math.max(1, lots.length));
        if (lot === undefined) continue;
        const absorbed = lots.map((each) => ({ month: each.due, points: each.absorbed }));
        const asked = Math.min(points, lot.net - lot.absorbed);
        const fromExpired = Math.min(
          asked,
          pointsAbsorbable({ expired, absorbed }, calendar.dueOf(lot.month, month)),
        );
        const debited = Math.min(asked - fromExpired, balance);
        lot.absorbed += fromExpired;
        lot.net -= debited;
        balance -= debited;
      }
      // What came back is not held past its month, as far as months were taken.
      const last = expired.at(-1)?.month;
      if (last !== undefined && kind === 'cancel') balance -= take(last, month);
    }
    if (!skipped.includes(nth)) {
      const before = leftOf(lots, taken);
      balance -= take(month, month);
      expectOwed(month, before);
      since = month + 1;
    }
    expect(
      overAbsorbed({
        expired,
        absorbed: lots.map((each) => ({ month: each.due, points: each.absorbed })),
      }),
    ).toBeUndefined();
  }

  /** What is owed after a month has taken what was due of what was left before. */
  function expectOwed(month: number, before: readonly number[]): void {
    const explicit = addUp(
      lots.map((lot, nth) => {
        const held = before[nth] ?? 0;
        const [expires, left] = lot.due <= month ? [held, 0] : [0, held];
        const { month: earnedIn, earned, net } = lot;
        const used = net - held;
        return { month: earnedIn, earned, reversed: earned - net, used, expired: expires, left };
      }),
    );
    const counted = new Set(lots.filter(({ due }) => due >= since).map((lot) => lot.month));
    const own = expired.filter((each) => each.month === month);
    const held = {
      balance,
      lots: explicit.map((each) => ({ ...each, points: each.earned - each.reversed })),
      expired: own.reduce((sum, { points }) => sum + points, 0),
    };
    const dueOf = (earned: number) => calendar.dueOf(earned, month);
    const owed = liabilityOf(held, { month, since, dueOf });
    const left = explicit.filter((each) => counted.has(each.month));
    expect(textOf(owed)).toBe(textOf(left));
    expect(owed.reduce((sum, { left }) => sum + left, 0)).toBe(balance);
  }

  function take(month: number, until: number): number {
    const held = { balance, lots: lots.map((lot) => ({ month: lot.month, points: lot.net })) };
    const dueOf = (earned: number) => calendar.dueOf(earned, until);
    const left = leftOf(lots, taken);
    const explicit = lots.reduce(
      (sum, lot, nth) => sum + (lot.due <= month ? (left[nth] ?? 0) : 0),
      0,
    );
    const points = pointsDue(held, { month, dueOf })?.points ?? 0;
    expect(points).toBe(explicit);
    const byDue = pointsLeft(held, dueOf);
    expect(byDue.reduce((sum, each) => sum + each.points, 0)).toBe(balance);
    expect(
      byDue.filter((each) => each.month <= month).reduce((sum, each) => sum + each.points, 0),
    ).toBe(explicit);
    taken += points;
    if (points > 0) expired.push({ month, points });
    return points;
  }
}

describe('the expiry of a month', () => {
  it('takes what explicit lots would lose', () => {
    fc.assert(fc.property(history, play), { numRuns: RUNS });
  });
});
