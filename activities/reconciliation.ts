import type { Db } from '../db/connection.ts';
import { isTransientError } from '../db/errors.ts';
import { keepPartitions, purgeBodies } from '../db/events/retention.ts';
import * as idempotency from '../db/idempotency.ts';
import * as jobRuns from '../db/job-runs.ts';
import * as rateLimits from '../db/rate-limits.ts';
import * as following from '../db/redemptions/following.ts';
import * as lifecycle from '../db/redemptions/lifecycle.ts';
import * as campaigns from '../db/tenants/campaigns.ts';
import * as outstanding from '../db/tenants/outstanding.ts';
import * as inviteMails from '../db/users/invite-mails.ts';
import type { RedemptionId } from '../domain/ids.ts';
import type { ExpiredCodes } from '../domain/redemption.ts';
import type { Metrics } from '../gateways/telemetry/metrics.ts';
import { inBatches } from './concurrency.ts';
import { continues, untilDone, whileAlive } from './progress.ts';
import { countExpired } from './redemptions/index.ts';

export type ReconciliationDeps = {
  db: Db;
  expiredCodes: ExpiredCodes;
  metrics: Pick<Metrics, 'codesExpired'>;
};
export type UnfollowedRedemption = following.Unfollowed;

/** How many codes one statement expires; larger batches are no cheaper per code. For how long. */
const OVERDUE = { batch: 500, forMs: 10_000 };
/** How many rows one statement deletes, and for how long one activity goes on. */
const EXPIRED = { batch: 5_000, forMs: 600_000 };
/** A part of the counts of rate limits that is gone through in some milliseconds. */
const RATE_LIMIT_PAGES = 500;
/** How many bodies one statement deletes, and how many statements one activity runs. */
const DELETION = { batch: 5_000, most: 5 };
/** How many runs one batch starts. */
const START_BATCH = 100;

/** Repairs what an outage left undone, as found in Postgres. Each may run any number of times. */
export function createReconciliationActivities(deps: ReconciliationDeps) {
  const { db, expiredCodes, metrics } = deps;
  return {
    /**
     * Expires overdue redemptions together, for some seconds, and returns how many. If one of them
     * cannot be expired, the others are expired one by one, and that one is left out for longer and
     * longer. Run twice,
     * or at the same moment as a burn or a timer, it expires only those that are still open.
     */
    async expireOverdueRedemptions(): Promise<number> {
      return untilDone(OVERDUE, async (batch) => {
        try {
          return countExpired(metrics, await lifecycle.expireOverdue(db, expiredCodes, batch));
        } catch (error) {
          if (isTransientError(error)) throw error;
          return expireEach(deps);
        }
      });
    },

    /** Deletes expired responses of Idempotency-Keys and returns how many. */
    async deleteExpiredResponses(): Promise<number> {
      return untilDone(EXPIRED, (batch) => idempotency.deleteExpired(db, batch));
    },

    /** Deletes records of invite mails that defer no other mail any more; returns how many. */
    async deleteInviteMailRecords(): Promise<number> {
      return untilDone(EXPIRED, (batch) => inviteMails.deleteOld(db, batch));
    },

    /** Deletes the counts of rate limits whose window has ended and returns how many. */
    async deleteRateLimitCounts(): Promise<number> {
      let total = 0;
      for (let first = 0; ; first += RATE_LIMIT_PAGES) {
        continues();
        const part = { first, pages: RATE_LIMIT_PAGES };
        const { deleted, isLast } = await rateLimits.deleteExpired(db, part);
        total += deleted;
        if (isLast) return total;
      }
    },

    /**
     * Makes the partitions of events for the coming months, drops those that are too old, deletes
     * other webhook bodies older than 90 days, and returns how many of these.
     */
    async deleteOldBodies(): Promise<number> {
      await keepPartitions(db);
      return inBatches(DELETION, (batch) => {
        continues();
        return purgeBodies(db, batch);
      });
    },

    /**
     * Adds up the balances of tenants with very many wallets, for their reports, and returns how
     * many tenants. A second call does it again.
     */
    async addUpBalances(): Promise<number> {
      return whileAlive(outstanding.keepAll(db));
    },

    /**
     * Adds up what campaigns have given, so that decisions do not have to, and returns how many
     * campaigns. A second call adds nothing twice.
     */
    async addUpAwards(): Promise<number> {
      return whileAlive(campaigns.settleSums(db));
    },

    /** Records that maintenance has run to its end, for the metrics. */
    async recordMaintenance(): Promise<void> {
      await jobRuns.recordCompleted(db, 'maintain');
    },

    /** Lists redemptions that need a run and have none, by id. Reads only. */
    async listUnfollowedRedemptions(after: RedemptionId | null): Promise<UnfollowedRedemption[]> {
      return following.listUnfollowed(db, { after, limit: START_BATCH });
    },
  };
}

/** Expires one by one, so that one that fails does not keep others open, and returns how many. */
async function expireEach({ db, expiredCodes, metrics }: ReconciliationDeps): Promise<number> {
  let expired = 0;
  for (const id of await lifecycle.listOverdue(db, OVERDUE.batch)) {
    try {
      expired += countExpired(metrics, await lifecycle.expireOne(db, id, expiredCodes));
    } catch (error) {
      if (isTransientError(error)) throw error;
      await lifecycle.recordFailedExpiry(db, id);
    }
  }
  return expired;
}
