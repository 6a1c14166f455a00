import { type Db, takesRequests } from '../db/connection.ts';
import { isCancelled, isLockTimeout, isSecondPurchase, isTransientError } from '../db/errors.ts';
import { withinMs } from '../gateways/timing.ts';
import { continues } from './progress.ts';

/** What is done with items; it leaves out those of wallets that are held if `leavesHeld`. */
type Work<Item, Result> = (items: readonly Item[], leavesHeld: boolean) => Promise<Result>;

/**
 * Runs `work` on all items at once. When that fails, halves them until the item at fault is alone
 * and goes to `refused`, and the others pass. After a wait for a lock, `work` is first asked to
 * leave out what is held. Returns the results of the calls that were made. Only trouble with the
 * database itself, such as a lost connection, is thrown.
 */
export async function isolate<Item, Result>(
  items: readonly Item[],
  work: Work<Item, Result>,
  refused: (item: Item, error: unknown) => Promise<Result>,
  { leavesHeld, isAgain } = { leavesHeld: false, isAgain: false },
): Promise<Result[]> {
  try {
    return [await work(items, leavesHeld)];
  } catch (error) {
    if (isTransientError(error)) throw error;
    // The other sale is stored by now.
    if (isSecondPurchase(error) && !isAgain) {
      return isolate(items, work, refused, { leavesHeld, isAgain: true });
    }
    if (isLockTimeout(error) && !leavesHeld) {
      return isolate(items, work, refused, { leavesHeld: true, isAgain });
    }
    const [only, ...others] = items;
    if (only === undefined) return [];
    if (others.length === 0) return [await refused(only, error)];
  }
  continues();
  const middle = Math.ceil(items.length / 2);
  const results: Result[] = [];
  for (const half of [items.slice(0, middle), items.slice(middle)]) {
    results.push(...(await isolate(half, work, refused, { leavesHeld, isAgain: false })));
  }
  return results;
}

const WELL_WITHIN_MS = 1_000;

/**
 * Throws the error of an item that was alone if it is the database's: the statement took too long,
 * and the database takes long for anything else as well.
 */
export async function throwIfUnwell(db: Db, error: unknown): Promise<void> {
  if (!isCancelled(error)) return;
  await withinMs(takesRequests(db), WELL_WITHIN_MS).catch(() => {
    throw error;
  });
}
