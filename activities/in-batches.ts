/**
 * Takes a step again and again until one does less than a whole batch, `most` times at the most,
 * and returns how much they did together. A step returns how much it did.
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
