import type { Worker } from '@temporalio/worker';

/**
 * Runs workers until `end` resolves, and lets each finish what it has in hand. When one of them
 * fails the others are stopped as well, and its error is thrown.
 */
export async function runTogether(
  workers: readonly Pick<Worker, 'runUntil'>[],
  end: Promise<unknown>,
): Promise<void> {
  let stop: () => void = () => undefined;
  const failed = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const ended = Promise.race([end, failed]);
  const runs = await Promise.allSettled(
    workers.map(async (worker) => {
      try {
        await worker.runUntil(ended);
      } finally {
        stop();
      }
    }),
  );
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
}
