import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a load balancer should send requests to this process. */
export type DrainState = {
  /** Whether requests are still accepted. Every caller is assumed to be a load balancer. */
  isAccepting(): boolean;
  /**
   * Reports from now on that no more requests are accepted, and resolves once a load balancer has
   * had time to ask; at once when none has asked lately. Until then requests are still served.
   */
  drain(graceMs: number): Promise<void>;
};

/** Load balancers check every few seconds; without a check for this long, none is in use. */
const ASKS_WITHIN_MS = 15_000;
/** Time for two or three more checks, since most load balancers require several failures. */
const NOTICE_MS = 5_000;
/** At most a quarter of the grace period; the rest is for requests in progress. */
const SHARE_OF_GRACE = 4;

/** Creates the drain state of a process that accepts requests. */
export function createDrainState(): DrainState {
  let lastAskedAt = Number.NEGATIVE_INFINITY;
  let isDraining = false;
  return {
    isAccepting() {
      lastAskedAt = performance.now();
      return !isDraining;
    },
    async drain(graceMs) {
      isDraining = true;
      if (performance.now() - lastAskedAt > ASKS_WITHIN_MS) return;
      await sleep(Math.min(NOTICE_MS, graceMs / SHARE_OF_GRACE));
    },
  };
}
