import type { Worker } from '@temporalio/worker';

/**
 * Runs workers until `end` resolves, and lets each finish the work it has accepted. When one fails,
 * stops the others too and throws its error.
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
