import type { Db } from '../../db/connection.ts';
import * as following from '../../db/redemptions/following.ts';
import * as lifecycle from '../../db/redemptions/lifecycle.ts';
import type { ExpiredCodes } from '../../domain/redemption.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import { isolate } from '../isolate.ts';

export type RedemptionDeps = {
  db: Db;
  expiredCodes: ExpiredCodes;
  metrics: Pick<Metrics, 'codesExpired'>;
};

/** The steps of redemptions after their codes were issued. Each may run any number of times. */
export function createRedemptionActivities({ db, expiredCodes, metrics }: RedemptionDeps) {
  return {
    /**
     * Records that a run follows the redemptions, except those that another run follows, and
     * returns their progress. A second call finds them recorded for the same run.
     */
    async followRedemptions(batch: following.FollowedBatch): Promise<following.BatchProgress> {
      return following.follow(db, batch);
    },

    /**
     * Expires those of the redemptions that are overdue and still open, returns their points, and
     * returns the progress. If one of them cannot be expired, it is left to reconcile and the
     * others are expired. A second call finds them closed, and so does a call after a burn.
     */
    async expireRedemptions(batch: following.FollowedBatch): Promise<following.BatchProgress> {
      const expired = await isolate(
        batch.ids,
        (ids) => lifecycle.expireGiven(db, expiredCodes, ids),
        async (id) => {
          await lifecycle.recordFailedExpiry(db, id);
          return [];
        },
      );
      countExpired(metrics, expired.flat());
      return following.findBatchProgress(db, batch);
    },
  };
}

/** Counts codes by where their points went, and returns how many: held ones return always. */
export function countExpired(
  metrics: RedemptionDeps['metrics'],
  codes: readonly lifecycle.ExpiredCode[],
): number {
  const returned = codes.filter(({ isReturned }) => isReturned).length;
  metrics.codesExpired(returned, 'returned');
  metrics.codesExpired(codes.length - returned, 'forfeited');
  return codes.length;
}
