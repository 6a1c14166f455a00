import type { Db } from '../../db/connection.ts';
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
import { doWork } from './worker.ts';

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
      const kinds = await Promise.allSettled([
        doWork(deps, decideTenantsAgain(deps)),
        doWork(deps, matchPhones(deps)),
        doWork(deps, matchSignup(deps)),
        doWork(deps, readAccount(deps)),
        doWork(deps, remindOfLoss(deps)),
        doWork(deps, revokeAuthorization(deps)),
        doWork(deps, runImport(deps)),
        doWork(deps, tellOfChange(deps)),
        doWork(deps, tellOfEndpoint(deps)),
        doWork(deps, tellOfGap(deps)),
        doWork(deps, tellOfImport(deps)),
        noted.then(() => doWork(deps, tellOfPoints(deps))),
        noted.then(() => doWork(deps, pushPoints(deps))),
        doWork(deps, pushUsedCodes(deps)),
        doWork(deps, tellOfUnusual(deps)),
        doWork(deps, tellOfWaiting(deps)),
        doWork(deps, tellOfWeek(deps)),
        doWork(deps, updatePollSchedule(deps)),
      ]);
      let done = 0;
      for (const kind of kinds) {
        if (kind.status === 'rejected') throw kind.reason;
        done += kind.value;
      }
      return done;
    },
  };
}
