import { setTimeout as sleep } from 'node:timers/promises';

/** Whether the process is to be sent requests. */
export type DrainState = {
  /** Whether requests are still welcome; who asks is taken to be a balancer that goes by it. */
  isAccepting(): boolean;
  /**
   * Says from now on that no more requests are welcome, and resolves once a balancer has had the
   * time to ask: at once when none does. Requests are still to be served meanwhile.
   */
  drain(graceMs: number): Promise<void>;
};

/** A balancer asks every few seconds; who has not asked for so long does not go by the answer. */
const ASKS_WITHIN_MS = 15_000;
/** Time for two or three more questions, as most balancers want to hear a refusal more than once. */
const NOTICE_MS = 5_000;
/** The rest of the grace period is for the requests in hand. */
const SHARE_OF_GRACE = 4;

/** A process that is just beginning to serve. */
export function createDrainState(): DrainState {
  let lastAskedAt = Number.NEGATIVE_INFINITY;
  let isLeaving = false;
  return {
    isAccepting() {
      lastAskedAt = performance.now();
      return !isLeaving;
    },
    async drain(graceMs) {
      isLeaving = true;
      if (performance.now() - lastAskedAt > ASKS_WITHIN_MS) return;
      await sleep(Math.min(NOTICE_MS, graceMs / SHARE_OF_GRACE));
    },
  };
}
