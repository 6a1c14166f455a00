import { ChildWorkflowCancellationType, sleep } from '@temporalio/workflow';
import { continueWithCurrentRelease } from './continue-as-new.ts';
import { type Healing, healingTick } from './healing-start.ts';
import { startDetached } from './start-detached.ts';

/** What has changed of its Schedule counts after this time. */
const GOES_ON_FOR_MS = 24 * 3_600_000;
/** So often it starts what its own release has: a later one then mends what the former did not. */
const TICKS_OF_A_RELEASE = 20;

/**
 * Starts a run of the sweep, or of reconcile, each time that many seconds have passed, unless the
 * one before is still open. A server starts the runs of all Schedules one after the other, some
 * dozens a second: behind the polls of thousands of connections, what heals would come minutes
 * late. It goes on for a day; its Schedule then begins it again, as it does when it was ended.
 */
export async function keepHealing(
  job: Healing,
  everySeconds: number,
  until = Date.now() + GOES_ON_FOR_MS,
): Promise<void> {
  const everyMs = everySeconds * 1_000;
  for (let ticks = 0; Date.now() < until; ticks += 1) {
    if (ticks === TICKS_OF_A_RELEASE) {
      await continueWithCurrentRelease<typeof keepHealing>(job, everySeconds, until);
    }
    await startDetached({
      ...healingTick(job),
      cancellationType: ChildWorkflowCancellationType.ABANDON,
    });
    await sleep(everyMs - (Date.now() % everyMs));
  }
}
