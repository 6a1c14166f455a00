import type { Db } from '../db/connection.ts';
import { isFaultOfData } from '../db/errors.ts';
import * as webhookEvents from '../db/events/webhook-events.ts';
import * as idempotency from '../db/idempotency.ts';
import * as closing from '../db/redemptions/lifecycle.ts';
import type { RedemptionId } from '../domain/ids.ts';
import type { ExpiredCodes } from '../domain/redemption.ts';
import type { Metrics } from '../gateways/telemetry/metrics.ts';
import { inBatches } from './concurrency.ts';
import { pointsAfter } from './redemptions/index.ts';

export type ReconciliationDeps = {
  db: Db;
  expiredCodes: ExpiredCodes;
  metrics: Pick<Metrics, 'codesExpired'>;
};
export type OrphanedRedemption = closing.Orphaned;

/** As many codes as one statement expires. More no longer makes it cheaper. */
const EXPIRE_BATCH = 500;
/** As many answers, or bodies, as one statement forgets, and as many statements. */
const FORGET = { batch: 5_000, most: 5 };
/** As many runs as one batch starts. */
const START_BATCH = 100;

/** What an outage has left to be done, found in Postgres. Each step may run any number of times. */
export function createReconciliationActivities(deps: ReconciliationDeps) {
  const { db, expiredCodes, metrics } = deps;
  return {
    /**
     * Expires overdue redemptions in one statement and says how many. Run again, or at the moment
     * of a burn or of a timer, it takes only what is still open.
     */
    async expireOverdueRedemptions(): Promise<number> {
      try {
        const { length } = await closing.expireOverdue(db, expiredCodes, EXPIRE_BATCH);
        metrics.codesExpired(length, pointsAfter(expiredCodes));
        return length;
      } catch (error) {
        if (!isFaultOfData(error)) throw error;
        await expireEach(deps);
        return 0;
      }
    },

    /** Forgets answers to Idempotency-Keys that are no longer given, and says how many they were. */
    async forgetExpiredAnswers(): Promise<number> {
      return inBatches(FORGET, (batch) => idempotency.deleteExpired(db, batch));
    },

    /** Deletes the bodies of deliveries of more than 90 days ago, and says how many they were. */
    async forgetBodies(): Promise<number> {
      return inBatches(FORGET, (batch) => webhookEvents.purgeBodies(db, batch));
    },

    /** Lists redemptions that should have a run and have none, in the order of their ids. Reads only. */
    async listUnfollowedRedemptions(after: RedemptionId | null): Promise<OrphanedRedemption[]> {
      return closing.listOrphaned(db, { after, limit: START_BATCH });
    },
  };
}

/** One by one, so that a row which Postgres refuses does not keep the others open. */
async function expireEach({ db, expiredCodes, metrics }: ReconciliationDeps): Promise<void> {
  for (const id of await closing.listOverdue(db, EXPIRE_BATCH)) {
    try {
      const isExpired = await closing.expireOne(db, id, expiredCodes);
      if (isExpired) metrics.codesExpired(1, pointsAfter(expiredCodes));
    } catch (error) {
      if (!isFaultOfData(error)) throw error;
    }
  }
}
