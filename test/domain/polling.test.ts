import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterPage,
  beginning,
  firstPosition,
  isStoppedAt,
  mayStop,
  OVERLAP_MS,
  type Position,
  reachedTime,
  servingOrder,
  watermarkOf,
} from '../../domain/polling.ts';

const T = Date.UTC(2026, 2, 1, 12);
const MINUTE = 60_000;
const at = (minutes: number) => new Date(T + minutes * MINUTE);
const atEnd = (minutes: number): Position => ({ at: at(minutes), paymentId: 'P', isAtEnd: true });
const stopped = (minutes: number): Position => ({ ...atEnd(minutes), isAtEnd: false });
const stoppedAt = (minutes: number): Position => ({ ...stopped(minutes), paymentId: null });

describe('beginning', () => {
  it.each([
    { position: atEnd(0), from: -60, begins: -5, because: 'payments may appear late' },
    { position: stopped(0), from: -60, begins: 0, because: 'a stopped run continues there' },
    { position: atEnd(0), from: -2, begins: -2, because: 'nothing older is requested' },
    { position: stopped(-9), from: -2, begins: -2, because: 'the merchant reconnected' },
    { position: firstPosition(at(0)), from: 0, begins: 0, because: 'the first run starts there' },
    { position: firstPosition(at(9)), from: 0, begins: 4, because: 'the location is new' },
  ])('starts at $begins min because $because', ({ position, from, begins }) => {
    const scan = beginning(position, at(from), 'updated_at');
    expect(scan.at).toEqual(at(begins));
    expect(scan.isAtEnd).toBe(false);
  });

  it('starts below the watermark at a location that was never polled', () => {
    expect(beginning(firstPosition(at(9)), at(0), 'updated_at')).toEqual(stoppedAt(4));
  });

  it('starts a week earlier by creation time, because a capture may be as late', () => {
    const scan = beginning(atEnd(0), at(-60 * 24 * 30), 'created_at');
    expect(T - scan.at.getTime()).toBe(7 * 24 * 60 * MINUTE);
  });
});

describe('isStoppedAt', () => {
  it.each([
    { position: stopped(0), id: 'P', minutes: 0, is: true },
    { position: stopped(0), id: 'P', minutes: 1, is: false },
    { position: stopped(0), id: 'Q', minutes: 0, is: false },
    { position: atEnd(0), id: 'P', minutes: 0, is: false },
  ])('returns $is for $id at $minutes', ({ position, id, minutes, is }) => {
    expect(isStoppedAt(position, { paymentId: id, at: at(minutes) })).toBe(is);
  });

  it('returns false for a payment without a time, and where no payment was the last', () => {
    expect(isStoppedAt(stopped(0), { paymentId: 'P', at: null })).toBe(false);
    expect(isStoppedAt(stoppedAt(0), { paymentId: null, at: at(0) })).toBe(false);
  });
});

describe('afterPage', () => {
  const last = (minutes: number) => ({ at: at(minutes), paymentId: 'L' });
  it.each([
    {
      last: last(3),
      isLast: false,
      reached: 5,
      now: 9,
      because: 'more pages follow',
      position: { at: at(3), paymentId: 'L', isAtEnd: false },
    },
    {
      last: last(99),
      isLast: false,
      reached: 5,
      now: 9,
      because: 'more pages follow, even past our clock',
      position: { at: at(99), paymentId: 'L', isAtEnd: false },
    },
    {
      last: null,
      isLast: false,
      reached: 5,
      now: 9,
      because: 'no payment has a time',
      position: { at: at(0), paymentId: 'P', isAtEnd: false },
    },
    {
      last: last(7),
      isLast: true,
      reached: 5,
      now: 9,
      because: 'the last payment is the latest',
      position: { at: at(7), paymentId: 'L', isAtEnd: true },
    },
    {
      last: last(5),
      isLast: true,
      reached: 5,
      now: 5,
      because: 'the last payment is of the latest time, and of now',
      position: { at: at(5), paymentId: 'L', isAtEnd: true },
    },
    {
      last: last(3),
      isLast: true,
      reached: 5,
      now: 9,
      because: 'the overlap does not move it back',
      position: { at: at(5), paymentId: null, isAtEnd: true },
    },
    {
      last: null,
      isLast: true,
      reached: 5,
      now: 9,
      because: 'the location has no new sales',
      position: { at: at(5), paymentId: null, isAtEnd: true },
    },
    {
      last: last(99),
      isLast: true,
      reached: 5,
      now: 9,
      because: 'the provider’s clock is ahead',
      position: { at: at(9), paymentId: null, isAtEnd: true },
    },
  ])('returns the position when $because', ({ last, isLast, reached, now, position }) => {
    const found = afterPage(stopped(0), { last, isLast }, { reached: at(reached), now: at(now) });
    expect(found).toEqual(position);
  });
});

describe('watermarkOf', () => {
  it.each([
    { watermark: 0, positions: [3, 7], now: 9, is: 3, because: 'it is the lowest position' },
    { watermark: 5, positions: [3, 7], now: 9, is: 5, because: 'it never decreases' },
    { watermark: 0, positions: [30, 40], now: 9, is: 9, because: 'it never exceeds now' },
    { watermark: 10, positions: [30], now: 9, is: 10, because: 'it never decreases' },
    { watermark: 4, positions: [], now: 9, is: 4, because: 'no location is polled' },
  ])('returns $is because $because', ({ watermark, positions, now, is }) => {
    expect(watermarkOf(at(watermark), positions.map(stopped), at(now))).toEqual(at(is));
  });
});

describe('reachedTime', () => {
  it('returns the latest position, but at least the watermark', () => {
    expect(reachedTime(at(1), [atEnd(3), stopped(7)])).toEqual(at(7));
    expect(reachedTime(at(1), [])).toEqual(at(1));
  });
});

describe('mayStop', () => {
  it('refuses while the listing has not passed the time at which it started', () => {
    expect(mayStop(at(3), stopped(3))).toBe(false);
    expect(mayStop(at(3), stopped(4))).toBe(true);
    expect(mayStop(at(3), stopped(2))).toBe(true);
    expect(mayStop(at(3), atEnd(3))).toBe(true);
  });
});

describe('servingOrder', () => {
  it('puts locations without a run first, then the longest waiting, ties by id', () => {
    const served = new Map([
      ['A', at(2)],
      ['B', at(1)],
      ['C', at(1)],
    ]);
    expect(servingOrder(['A', 'C', 'B', 'E', 'D'], (id) => served.get(id))).toEqual([
      'D',
      'E',
      'B',
      'C',
      'A',
    ]);
  });
});

type Sale = { id: string; location: string; at: number; visibleFrom: number };

/** An account at a provider, polled only with the functions above. */
class Account {
  readonly sales = new Map<string, Sale>();
  readonly ingested = new Map<string, number>();
  positions = new Map<string, Position & { polledAt: Date }>();
  watermark = new Date(0);
  now = 0;

  /** A page of the provider, ordered by time and id, after a place in the listing. */
  #page(location: string, from: number, after: Sale | null, size: number) {
    const isAfter = (sale: Sale) =>
      after === null || sale.at > after.at || (sale.at === after.at && sale.id > after.id);
    const rest = [...this.sales.values()]
      .filter((sale) => sale.location === location && sale.visibleFrom <= this.now)
      .filter((sale) => sale.at >= from && isAfter(sale))
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    return { items: rest.slice(0, size), hasMore: rest.length > size };
  }

  /** A run of at most `budget` pages; `tick` changes the shop between two of them. */
  run(locations: string[], budget: number, size: number, tick: () => void): void {
    const reached = reachedTime(this.watermark, [...this.positions.values()]);
    const order = servingOrder(locations, (id) => this.positions.get(id)?.polledAt);
    const waiting = order.map((id) => {
      const position = this.positions.get(id) ?? firstPosition(this.watermark);
      const scan = beginning(position, new Date(0), 'updated_at');
      return { id, from: scan.at.getTime(), scan, after: null as Sale | null };
    });
    let pages = 0;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (pages >= budget && (next.after === null || mayStop(new Date(next.from), next.scan))) {
        continue;
      }
      pages++;
      const { items, hasMore } = this.#page(next.id, next.from, next.after, size);
      for (const { id, at: time } of items) {
        const place = { paymentId: id, at: new Date(time) };
        if (!isStoppedAt(next.scan, place)) this.ingested.set(id, time);
      }
      const last = items.at(-1) ?? null;
      next.after = last ?? next.after;
      next.scan = afterPage(
        next.scan,
        {
          last: last && { at: new Date(last.at), paymentId: last.id },
          isLast: !hasMore,
        },
        { reached, now: new Date(this.now) },
      );
      this.positions.set(next.id, { ...next.scan, polledAt: new Date(++this.now) });
      const all = locations.map((id) => this.positions.get(id) ?? firstPosition(this.watermark));
      const watermark = watermarkOf(this.watermark, all, new Date(this.now));
      expect(watermark >= this.watermark && watermark.getTime() <= this.now).toBe(true);
      this.watermark = watermark;
      if (hasMore) waiting.push(next);
      tick();
    }
  }

  /** The sales whose current version has not been ingested. */
  missing(): string[] {
    const sales = [...this.sales.values()];
    return sales.filter((sale) => this.ingested.get(sale.id) !== sale.at).map(({ id }) => id);
  }
}

const LOCATIONS = ['A', 'B', 'C'];
const someStep = fc.record({
  location: fc.constantFrom(...LOCATIONS),
  /** Several sales at the same time, as in a shop with several tills. */
  count: fc.integer({ min: 0, max: 4 }),
  /** Up to a few hours until the next step, so that overlaps both apply and do not. */
  pause: fc.constantFrom(0, 0, 1, 400, 40_000, 9_000_000),
  /** The earlier sale that changes, and so moves to the end of its listing. */
  changes: fc.option(fc.nat(40), { nil: null }),
});

type Step = { location: string; count: number; pause: number; changes: number | null };

function applyStep(account: Account, each: Step, lag: number) {
  account.now += each.pause;
  for (let n = 0; n < each.count; n++) {
    const id = `S${String(account.sales.size).padStart(4, '0')}`;
    const sale = { id, location: each.location, at: account.now, visibleFrom: account.now + lag };
    account.sales.set(id, sale);
  }
  const changed = [...account.sales.values()][each.changes ?? -1];
  if (changed) {
    account.now += 1;
    account.sales.set(changed.id, { ...changed, at: account.now, visibleFrom: account.now + lag });
  }
}

describe('polling', () => {
  it('loses nothing for any sales between pages and any stops of runs', () => {
    fc.assert(
      fc.property(
        fc.array(someStep, { minLength: 1, maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 5, max: 8 }),
        (steps, budgets, size) => {
          const account = new Account();
          account.now = 1;
          const rest = [...steps];
          const tick = () => {
            const next = rest.shift();
            if (next) applyStep(account, next, 0);
          };
          for (const budget of budgets) {
            tick();
            account.run(LOCATIONS, budget, size, tick);
          }
          while (rest.length > 0) tick();
          // With no further sales, enough runs ingest the rest.
          for (let n = 0; n < 80; n++) account.run(LOCATIONS, 4, size, () => undefined);
          expect(account.missing()).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('comes past more sales of one time than a run has pages for', () => {
    const account = new Account();
    account.now = 1;
    for (let n = 0; n < 11; n++) {
      applyStep(account, { location: 'B', count: 1, pause: 0, changes: null }, 0);
    }
    for (let n = 0; n < 5; n++) account.run(LOCATIONS, 1, 2, () => undefined);
    expect(account.missing()).toEqual([]);
  });

  it('loses nothing when sales appear late but within the overlap', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(someStep, fc.integer({ min: 0, max: OVERLAP_MS.updated_at - 1_000 })), {
          minLength: 1,
          maxLength: 40,
        }),
        (steps) => {
          const account = new Account();
          account.now = 1;
          for (const [each, lag] of steps) {
            applyStep(account, each, lag);
            account.run(LOCATIONS, 1_000, 5, () => undefined);
          }
          account.now += OVERLAP_MS.updated_at;
          account.run(LOCATIONS, 1_000, 5, () => undefined);
          expect(account.missing()).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });
});
