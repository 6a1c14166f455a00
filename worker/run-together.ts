import type { Worker } from '@temporalio/worker';

/**
 * Runs workers until `end` resolves, and lets each finish the work it has accepted. Returns the
 * errors of those that did not finish in order after that: most often work took too long, which
 * another worker then does. When one fails before, stops the others too and throws its error.
 */
export async function runTogether(
  workers: readonly Pick<Worker, 'runUntil'>[],
  end: Promise<unknown>,
): Promise<unknown[]> {
  let stop: () => void = () => undefined;
  const failed = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let isEnding = false;
  const ending = end.then(() => {
    isEnding = true;
  });
  const ended = Promise.race([ending, failed]);
  const late: unknown[] = [];
  const runs = await Promise.allSettled(
    workers.map(async (worker) => {
      try {
        await worker.runUntil(ended);
      } catch (error) {
        // The SDK has several errors for a worker that is cut off, depending on what it did.
        if (!isEnding) throw error;
        late.push(error);
      } finally {
        stop();
      }
    }),
  );
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
  return late;
}
