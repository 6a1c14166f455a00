import { asyncLocalStorage } from '@temporalio/activity';

/** Far below the heartbeat timeouts of the workflows. */
const HEARTBEAT_MS = 5_000;

/**
 * Says that the activity is alive, and throws when the worker is stopping or the run was cancelled.
 * To be called between two parts of the work, each of which stays done. Does nothing outside an
 * activity.
 */
export function continues(): void {
  const activity = asyncLocalStorage.getStore();
  // A local activity has no heartbeat: the SDK would warn of each.
  if (activity?.info.isLocal === false) activity.heartbeat();
  activity?.cancellationSignal.throwIfAborted();
}

/** Whether an earlier attempt of this activity has failed. */
export function isRepeated(): boolean {
  return (asyncLocalStorage.getStore()?.info.attempt ?? 1) > 1;
}

/**
 * Repeats `step` until it does less than a full batch or `forMs` has passed, and returns the total.
 * A step returns how much it did. Between two steps it says that the activity is alive.
 */
export async function untilDone(
  { batch, forMs }: { batch: number; forMs: number },
  step: (batch: number) => Promise<number>,
): Promise<number> {
  const until = performance.now() + forMs;
  let total = 0;
  for (;;) {
    continues();
    const done = await step(batch);
    total += done;
    if (done < batch || performance.now() > until) return total;
  }
}

/**
 * Says that the activity is alive until `work` is done. When the worker is stopping or the run was
 * cancelled, rejects and leaves `work` to itself: only for work that changes nothing, or that may
 * run beside itself.
 */
export async function whileAlive<T>(work: Promise<T>): Promise<T> {
  const activity = asyncLocalStorage.getStore();
  if (activity === undefined) return work;
  const beating = setInterval(() => activity.heartbeat(), HEARTBEAT_MS);
  try {
    return await Promise.race([work, activity.cancelled]);
  } finally {
    clearInterval(beating);
    // What it was waiting for may still fail.
    work.catch(() => undefined);
  }
}
