import type { Db } from '../../db/connection.ts';
import * as closing from '../../db/redemptions/lifecycle.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RedemptionId } from '../../domain/ids.ts';
import type { ExpiredCodes } from '../../domain/redemption.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';

export type RedemptionDeps = {
  db: Db;
  expiredCodes: ExpiredCodes;
  metrics: Pick<Metrics, 'codesExpired'>;
};

/** The steps of a redemption after its code was issued. Each may run any number of times. */
export function createRedemptionActivities({ db, expiredCodes, metrics }: RedemptionDeps) {
  return {
    /**
     * Notes that a run has the redemption in hand and says how far it is. A second run finds the
     * note and leaves it.
     */
    async followRedemption(id: RedemptionId): Promise<closing.RedemptionProgress> {
      return existing(id, await closing.markFollowed(db, id));
    },

    /**
     * Expires the redemption if it is overdue and still open, with its points, and says how far it
     * is then. A second run finds it closed, as does one that a till was quicker than.
     */
    async expireRedemption(id: RedemptionId): Promise<closing.RedemptionProgress> {
      const isExpired = await closing.expireOne(db, id, expiredCodes);
      if (isExpired) metrics.codesExpired(1, pointsAfter(expiredCodes));
      return existing(id, await closing.findProgress(db, id));
    },
  };
}

/** What becomes of the points of a code that expires. */
export function pointsAfter(policy: ExpiredCodes): 'returned' | 'forfeited' {
  return policy === 'refund' ? 'returned' : 'forfeited';
}

function existing(
  id: RedemptionId,
  course: closing.RedemptionProgress | undefined,
): closing.RedemptionProgress {
  if (course === undefined) throw new Refusal('NOT_FOUND', `There is no redemption ${id}.`);
  return course;
}
