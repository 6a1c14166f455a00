import { isTransientError } from '../db/errors.ts';

/**
 * Runs `work` on all items at once. When that fails, runs it on each item alone, so that the item
 * at fault goes to `refused` and the others pass. Returns the results of the calls that were made.
 * Only trouble with the database itself, such as a lost connection, is thrown.
 */
export async function isolate<Item, Result>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Result>,
  refused: (item: Item, error: unknown) => Promise<Result>,
): Promise<Result[]> {
  try {
    return [await work(items)];
  } catch (error) {
    if (isTransientError(error)) throw error;
    const [only, ...others] = items;
    if (only !== undefined && others.length === 0) return [await refused(only, error)];
  }
  const results: Result[] = [];
  for (const item of items) results.push(...(await isolate([item], work, refused)));
  return results;
}
