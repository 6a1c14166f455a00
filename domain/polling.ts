/** Pages per connection and run, over all of its locations, so that one run stays short. */
export const MAX_PAGES_PER_RUN = 25;

/** The time field by which a listing of payments is filtered and sorted. */
export type ListedBy = 'updated_at' | 'created_at';

/**
 * How far below its position a listing starts again after it reached its end, in milliseconds. New
 * payments may take seconds to appear. In a listing by time of creation, a payment that is captured
 * or uploaded late also has to be listed again; the provider allows up to 7 days for that.
 */
export const OVERLAP_MS = {
  updated_at: 5 * 60_000,
  created_at: 7 * 24 * 3_600_000,
} as const satisfies Record<ListedBy, number>;

/** A payment's place in a listing. */
export type Place = { at: Date; paymentId: string | null };

/** How far a location was ingested: everything listed up to and including this place. */
export type Position = Place & {
  /** Whether the listing reached its end there. If not, it was stopped and has to continue. */
  isAtEnd: boolean;
};

/** The position of a location that was never polled: the watermark of the connection. */
export function firstPosition(watermark: Date): Position {
  return { at: watermark, paymentId: null, isAtEnd: true };
}

/**
 * Where a listing starts: a little below the position when the last one reached its end, exactly at
 * the position when it was stopped, and never before the time from which the connection is polled.
 */
export function beginning(position: Position, polledFrom: Date, listedBy: ListedBy): Position {
  if (!position.isAtEnd) return { ...position, at: later(position.at, polledFrom) };
  const at = new Date(position.at.getTime() - OVERLAP_MS[listedBy]);
  return { at: later(at, polledFrom), paymentId: null, isAtEnd: false };
}

/** Whether this is the payment at which the listing was stopped, which is already ingested. */
export function isStoppedAt(
  position: Position,
  place: { at: Date | null; paymentId: string | null },
): boolean {
  if (position.isAtEnd || position.paymentId === null) return false;
  return position.paymentId === place.paymentId && position.at.getTime() === place.at?.getTime();
}

/** Whether two positions are the same, so that nothing has to be stored. */
export function isSamePosition(one: Position, other: Position): boolean {
  return (
    one.at.getTime() === other.at.getTime() &&
    one.paymentId === other.paymentId &&
    one.isAtEnd === other.isAtEnd
  );
}

/**
 * Whether a run may stop at this position of a listing that starts at `from`. While every payment
 * has that one time, the next run would start over and never come further.
 */
export function mayStop(from: Date, { at, isAtEnd }: Position): boolean {
  return isAtEnd || at.getTime() !== from.getTime();
}

/**
 * The latest provider time known when a run starts. A listing made after that has shown everything
 * older, at any location.
 */
export function reachedTime(watermark: Date, positions: readonly Position[]): Date {
  return positions.reduce((latest, { at }) => later(latest, at), watermark);
}

/**
 * The position after a page is ingested. Within a listing it is the page's last payment, where the
 * next run continues. At the end it is at least `reached`, so that a location without sales does
 * not hold the watermark back, but not past now: a payment dated by a clock ahead of ours must not
 * hide later ones.
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

/** The time up to which all locations are ingested: never backwards and never past now. */
export function watermarkOf(watermark: Date, positions: readonly Position[], now: Date): Date {
  if (positions.length === 0) return watermark;
  const lowest = new Date(Math.min(...positions.map(({ at }) => at.getTime())));
  return later(watermark, lowest < now ? lowest : now);
}

/**
 * The order in which locations are polled: longest unpolled first, so that every location is
 * reached over several runs, however many there are.
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
