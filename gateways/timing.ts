import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Settles as the promise does, or rejects once `ms` have passed or the signal is aborted. The work
 * behind the promise goes on all the same; its late result is ignored.
 */
export async function withinMs<T>(
  promise: PromiseLike<T>,
  ms: number,
  options: { message?: string; signal?: AbortSignal } = {},
): Promise<T> {
  const { message = `There was no result within ${ms} ms.`, signal } = options;
  const settled = new AbortController();
  const ends = signal === undefined ? settled.signal : AbortSignal.any([settled.signal, signal]);
  const late = sleep(ms, undefined, { signal: ends }).then(() => {
    throw new Error(message);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    settled.abort();
  }
}

/** A signal that is aborted with the given one, or with a `TimeoutError` once `ms` have passed. */
export function limitedTo(ms: number, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  // Node 20 forgets a limit that only a combined signal knows when it collects garbage.
  limit.addEventListener('abort', () => undefined, { once: true });
  return signal === undefined ? limit : AbortSignal.any([limit, signal]);
}
