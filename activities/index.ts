import { createOAuthActivities } from './connections/connect.ts';
import { createNoticeActivities, type NoticeDeps } from './connections/notices.ts';
import { type AccountDeps, createAccountActivities } from './connections/read-account.ts';
import { createDueWorkActivities } from './due-work.ts';
import { createIngestionActivities, type IngestionDeps } from './ingestion/index.ts';
import {
  createSignupMatchingActivities,
  type SignupMatchingDeps,
} from './ingestion/match-signups.ts';
import { createInviteActivities, type InviteDeps } from './invites.ts';
import { createVerificationActivities, type VerificationDeps } from './ledger-verification.ts';
import {
  createFailingEndpointActivities,
  type FailingEndpointDeps,
} from './outgoing/failing-endpoints.ts';
import { createDeliveryActivities, type DeliveryDeps } from './outgoing/index.ts';
import { createPollingActivities, type PollingDeps } from './polling/index.ts';
import { createReconciliationActivities, type ReconciliationDeps } from './reconciliation.ts';
import { createRedemptionActivities, type RedemptionDeps } from './redemptions/index.ts';
import { createRedemptionMailActivities, type RedemptionMailDeps } from './redemptions/mails.ts';
import { createStatementActivities, type StatementDeps } from './statements/index.ts';

export type ActivityDeps = IngestionDeps &
  PollingDeps &
  RedemptionDeps &
  RedemptionMailDeps &
  ReconciliationDeps &
  InviteDeps &
  AccountDeps &
  NoticeDeps &
  DeliveryDeps &
  FailingEndpointDeps &
  SignupMatchingDeps &
  StatementDeps &
  VerificationDeps;

/** Every activity by the name under which workflows call it. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createIngestionActivities(deps),
    ...createRedemptionActivities(deps),
    ...createRedemptionMailActivities(deps),
    ...createPollingActivities(deps),
    ...createReconciliationActivities(deps),
    ...createDueWorkActivities(deps),
    ...createInviteActivities(deps),
    ...createOAuthActivities(deps),
    ...createAccountActivities(deps),
    ...createNoticeActivities(deps),
    ...createDeliveryActivities(deps),
    ...createFailingEndpointActivities(deps),
    ...createSignupMatchingActivities(deps),
    ...createStatementActivities(deps),
    ...createVerificationActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
export type { BatchProgress, FollowedBatch } from '../db/redemptions/following.ts';
export type { DueSweep, Repair } from './due-work.ts';
export type { IngestResult, PendingBatch } from './ingestion/index.ts';
export type { InviteMailOutcome } from './invites.ts';
export type { VerificationPosition, VerificationSlice } from './ledger-verification.ts';
export type { PollResult } from './polling/poll-connection.ts';
export type { OrphanedRedemption } from './reconciliation.ts';
export type { MailCounts } from './redemptions/mail-batch.ts';
export type { SignedSlice } from './statements/index.ts';
