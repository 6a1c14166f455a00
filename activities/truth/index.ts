import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { appliesProgrammes } from '../../db/connection.ts';
import * as truthDays from '../../db/connections/truth-days.ts';
import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import { type Day, spanOfDay } from '../../domain/intervals.ts';
import { daysToCompare } from '../../domain/truth.ts';
import { untilDone } from '../progress.ts';
import { type CheckedGaps, checkGaps } from './check-gaps.ts';
import { type ComparedDay, type ConnectionDay, compareDay, type TruthDeps } from './compare-day.ts';

export type { TruthDeps } from './compare-day.ts';

export type DueDay = ConnectionDay & { tenantId: TenantId };
export type DueDays = { due: DueDay[]; next: ConnectionId | null };

/** A page: each may have a week of days, and a run may have 2,000 children that are open. */
const CONNECTIONS = 100;
const OLD_DAYS = { batch: 1_000, forMs: 60_000 };

/** The comparison of each day with providers' lists, and the search for missed webhooks. */
export function createTruthActivities(deps: TruthDeps) {
  const { db } = deps;
  return {
    /**
     * Lists the days of the next connections that ended and were not compared, of those whose
     * provider answers; `next` is where to go on. Days that could not be compared for a week are
     * given up. It lists nothing where programmes are switched off.
     */
    async listDueDays(after: ConnectionId | null): Promise<DueDays> {
      if (!appliesProgrammes(db)) return { due: [], next: null };
      const now = new Date();
      const due: DueDay[] = [];
      const lost: truthDays.LostDay[] = [];
      const watched = await truthDays.listWatched(db, { after, limit: CONNECTIONS });
      for (const { connectionId, tenantId, mayBeAsked, ...connection } of watched) {
        const days = daysToCompare(connection, now);
        const of = (day: Day) => ({ connectionId, tenantId, day });
        if (mayBeAsked) due.push(...days.due.map(of));
        const endOf = (day: Day) => spanOfDay(day, connection.timeZone).to;
        lost.push(...days.lost.map((day) => ({ ...of(day), endsAt: endOf(day) })));
      }
      await truthDays.giveUp(db, lost);
      const last = watched.length < CONNECTIONS ? null : (watched.at(-1)?.connectionId ?? null);
      return { due, next: last };
    },

    /** Compares a day, as `compareDay` does; `isAsked` brings in what is missing in any case. */
    async compareDay(day: ConnectionDay, isAsked: boolean): Promise<ComparedDay> {
      return compareDay(deps, day, { ...running(), isAsked });
    },

    /** Asks providers about accounts that are silent here, as `checkGaps` does. */
    async checkGaps(): Promise<CheckedGaps> {
      if (!appliesProgrammes(db)) return { asked: 0, gaps: 0 };
      return checkGaps(deps, running());
    },

    /** Deletes what came of days more than 400 days ago, and returns how many. */
    async deleteOldTruthDays(): Promise<number> {
      return untilDone(OLD_DAYS, (batch) => truthDays.deleteOld(db, batch));
    },
  };
}

function running() {
  const { workflowExecution, activityId } = activityInfo();
  const run = workflowExecution?.runId ?? activityId;
  return { run, signal: cancellationSignal(), heartbeat };
}
