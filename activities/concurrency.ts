/**
 * Does work on every item, so many at a time, in their order. When one throws, those under way are
 * not waited for: what must not stop the others has to be caught by `work`.
 */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const one = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}
