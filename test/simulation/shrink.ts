/** Tries lists at the same time, and returns the first of them that fails. */
export type FirstFailing<T> = (
  candidates: readonly (readonly T[])[],
) => Promise<readonly T[] | undefined>;

/**
 * Finds a shortest part of a failing list that still fails: delta debugging. Parts are left out,
 * large ones first, as long as what remains fails; in the end no single item can be left out. The
 * order of the items stays.
 */
export async function shrink<T>(
  failing: readonly T[],
  firstFailing: FirstFailing<T>,
): Promise<readonly T[]> {
  let shortest = failing;
  for (let parts = 2; shortest.length > 1; ) {
    const size = Math.ceil(shortest.length / parts);
    const starts = Array.from(
      { length: Math.ceil(shortest.length / size) },
      (_, nth) => nth * size,
    );
    const candidates = starts.map((start) => [
      ...shortest.slice(0, start),
      ...shortest.slice(start + size),
    ]);
    const shorter = await firstFailing(candidates);
    if (shorter !== undefined) {
      shortest = shorter;
      parts = Math.max(2, parts - 1);
    } else if (size > 1) {
      parts = Math.min(parts * 2, shortest.length);
    } else {
      break;
    }
  }
  return shortest;
}
