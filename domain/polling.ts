/** At most so many pages for a connection in a run, over all of its locations (specification 8). */
export const MAX_PAGES_PER_RUN = 25;

/** The time by which a listing of payments is sorted and begins. */
export type ListedBy = 'updated_at' | 'created_at';

/**
 * How far below its position a listing begins again once it was at its end, in milliseconds. New
 * payments may take seconds to appear; by the time of creation also a payment that was captured or
 * uploaded late has to be met again, for which the provider leaves up to 7 days.
 */
export const OVERLAP_MS = {
  updated_at: 5 * 60_000,
  created_at: 7 * 24 * 3_600_000,
} as const satisfies Record<ListedBy, number>;

/** A payment's place in a listing. */
export type Place = { at: Date; paymentId: string | null };

/** How far a location's payments were brought in: all that was there up to and with this place. */
export type Position = Place & {
  /** Whether the listing was at its end there. If not, it was stopped and has to go on. */
  isAtEnd: boolean;
};

/** The position of a location that was never polled: at what was asked for of all others. */
export function firstPosition(watermark: Date): Position {
  return { at: watermark, paymentId: null, isAtEnd: true };
}

/**
 * Where a listing begins: a little below the position when the last one was at its end, exactly at
 * it when that was stopped, and never before the time from which the connection is polled at all.
 */
export function beginning(position: Position, polledFrom: Date, listedBy: ListedBy): Position {
  if (!position.isAtEnd) return { ...position, at: later(position.at, polledFrom) };
  const at = new Date(position.at.getTime() - OVERLAP_MS[listedBy]);
  return { at: later(at, polledFrom), paymentId: null, isAtEnd: false };
}

/** Whether this is the payment at which the listing was stopped, brought in already. */
export function isStoppedAt(
  position: Position,
  place: { at: Date | null; paymentId: string | null },
): boolean {
  if (position.isAtEnd || position.paymentId === null) return false;
  return position.paymentId === place.paymentId && position.at.getTime() === place.at?.getTime();
}

/**
 * The latest time that a provider is known to have dated anything with, when a run begins. A listing
 * made since then has shown all that is older, whatever the location.
 */
export function reachedTime(watermark: Date, positions: readonly Position[]): Date {
  return positions.reduce((latest, { at }) => later(latest, at), watermark);
}

/**
 * The position that a page leaves behind once it is brought in. Amid a listing it is the page's last
 * payment, so that the next run goes on there. At the end it is as far as was `reached` at least, so
 * that a location without sales does not hold the watermark back, but not past now: what a clock
 * ahead of ours has dated must not hide what comes after.
 */
export function afterPage(
  position: Position,
  page: { last: Place | null; isLast: boolean },
  { reached, now }: { reached: Date; now: Date },
): Position {
  const last = page.last ?? position;
  if (!page.isLast) return { at: last.at, paymentId: last.paymentId, isAtEnd: false };
  const furthest = last.at < reached ? { at: reached, paymentId: null } : last;
  const { at, paymentId } = furthest.at > now ? { at: now, paymentId: null } : furthest;
  return { at, paymentId, isAtEnd: true };
}

/** The time up to which all locations were brought in: never backwards and never past now. */
export function watermarkOf(watermark: Date, positions: readonly Position[], now: Date): Date {
  if (positions.length === 0) return watermark;
  const lowest = new Date(Math.min(...positions.map(({ at }) => at.getTime())));
  return later(watermark, lowest < now ? lowest : now);
}

/**
 * The order in which locations are served: who waited longest comes first, so that over runs each
 * gets its turn, however many there are.
 */
export function servingOrder(
  locationIds: readonly string[],
  servedAt: (locationId: string) => Date | undefined,
): string[] {
  const since = (id: string) => servedAt(id)?.getTime() ?? Number.NEGATIVE_INFINITY;
  return [...locationIds].sort((a, b) => compare(since(a), since(b)) || compare(a, b));
}

function compare<T extends number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}
