/**
 * Does work on every item in order, `atOnce` at a time. When one throws, no other is begun, and
 * those under way are not awaited: `work` has to catch what must not stop the others.
 */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // An error in one loop ends a generator, and so the other loops; it ends no iterator of an array.
  const waiting = (function* () {
    yield* items;
  })();
  const one = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/**
 * Repeats `step` until it does less than a full batch, at most `most` times, and returns the total.
 * A step returns how much it did.
 */
export async function inBatches(
  { batch, most }: { batch: number; most: number },
  step: (batch: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (let taken = 0; taken < most; taken++) {
    const done = await step(batch);
    total += done;
    if (done < batch) break;
  }
  return total;
}
