import type { Db } from '../../db/connection.ts';
import type { DueKind } from '../../db/due-work.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { readAccount } from '../connections/read-account.ts';
import { type RevocationDeps, revokeAuthorization } from '../connections/revoke-authorization.ts';
import type { AccessTokenDeps } from '../connections/token-refresh.ts';
import { type ImportDeps, runImport } from '../imports/run-import.ts';
import { type ImportNoticeDeps, tellOfImport } from '../imports/tell-of-import.ts';
import { decideTenantsAgain } from '../ingestion/revise/decide-again.ts';
import { matchPhones } from '../ingestion/revise/match-phones.ts';
import { matchSignup, type SignupMatchingDeps } from '../ingestion/revise/signups.ts';
import { type EndpointNoticeDeps, tellOfEndpoint } from '../outgoing/failing-endpoints.ts';
import { type PollScheduleDeps, updatePollSchedule } from '../polling/poll-schedules.ts';
import { type PhoneDeps, pushPoints, pushUsedCodes } from '../telling/phones.ts';
import { notePoints, type PointsNoticeDeps, tellOfPoints } from '../telling/points.ts';
import { tellOfWaiting, type WaitingNoticeDeps } from '../telling/waiting.ts';
import { tellOfWeek, type WeekNoticeDeps } from '../telling/week.ts';
import { remindOfLoss, type ToldChangeDeps, tellOfChange } from '../told-changes.ts';
import { type GapNoticeDeps, tellOfGap } from '../truth/tell-gap.ts';
import { tellOfUnusual, type UnusualNoticeDeps } from '../unusual-movements.ts';
import { type DueWorker, doWork } from './worker.ts';

export type DueWorkDeps = ImportDeps &
  ImportNoticeDeps &
  ToldChangeDeps &
  EndpointNoticeDeps &
  AccessTokenDeps &
  RevocationDeps &
  PollScheduleDeps &
  SignupMatchingDeps &
  GapNoticeDeps &
  PointsNoticeDeps &
  PhoneDeps &
  WaitingNoticeDeps &
  WeekNoticeDeps &
  UnusualNoticeDeps & { db: Db; log: Logger };

/** Does what is due later than the requests that made it due: see `db/due-work.ts`. */
export function createDueWorkActivities(deps: DueWorkDeps) {
  return {
    /**
     * Does due work of all kinds at the same time, for some seconds, and returns how much was done.
     * Work that fails is put off, and holds up no other. Throws when a kind as a whole cannot be
     * worked on, after the others were. Run at once, each call takes other work.
     */
    async doDueWork(): Promise<number> {
      const noted = notePoints(deps.db);
      const workers = workersOf(deps);
      const kinds = await Promise.allSettled(
        Object.values<DueWorker>(workers).map(async (worker) => {
          if (IS_NOTED_FIRST.has(worker.kind)) await noted;
          return doWork(deps, worker);
        }),
      );
      let done = 0;
      for (const kind of kinds) {
        if (kind.status === 'rejected') throw kind.reason;
        done += kind.value;
      }
      return done;
    },
  };
}

/** What a look at points that came makes due. */
const IS_NOTED_FIRST: ReadonlySet<DueKind> = new Set(['tell_of_points', 'push_points']);

/** How the work of each kind is done. */
function workersOf(deps: DueWorkDeps): { [Kind in DueKind]: DueWorker<Kind> } {
  return {
    decide_again: decideTenantsAgain(deps),
    match_phones: matchPhones(deps),
    match_signup: matchSignup(deps),
    push_points: pushPoints(deps),
    push_used_code: pushUsedCodes(deps),
    read_account: readAccount(deps),
    remind_of_loss: remindOfLoss(deps),
    revoke_authorization: revokeAuthorization(deps),
    run_import: runImport(deps),
    tell_of_change: tellOfChange(deps),
    tell_of_endpoint: tellOfEndpoint(deps),
    tell_of_gap: tellOfGap(deps),
    tell_of_import: tellOfImport(deps),
    tell_of_points: tellOfPoints(deps),
    tell_of_unusual: tellOfUnusual(deps),
    tell_of_waiting: tellOfWaiting(deps),
    tell_of_week: tellOfWeek(deps),
    update_poll_schedule: updatePollSchedule(deps),
  };
}
