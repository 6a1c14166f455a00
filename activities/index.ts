import { createOAuthActivities, type OAuthDeps } from './connections/connect.ts';
import { createIngestionActivities, type IngestionDeps } from './ingestion/index.ts';
import { createNewcomerActivities, type NewcomerDeps } from './ingestion/match-signups.ts';
import { createInviteActivities, type InviteDeps } from './invites.ts';
import { createVerificationActivities, type VerificationDeps } from './ledger-verification.ts';
import { createPollingActivities, type PollingDeps } from './polling/index.ts';
import { createReconciliationActivities, type ReconciliationDeps } from './reconciliation.ts';
import { createRedemptionActivities, type RedemptionDeps } from './redemptions/index.ts';
import { createNotificationActivities, type NotificationDeps } from './redemptions/mails.ts';

export type ActivityDeps = IngestionDeps &
  PollingDeps &
  RedemptionDeps &
  NotificationDeps &
  ReconciliationDeps &
  InviteDeps &
  OAuthDeps &
  NewcomerDeps &
  VerificationDeps;

/** Every activity by the name under which workflows call it. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createIngestionActivities(deps),
    ...createRedemptionActivities(deps),
    ...createNotificationActivities(deps),
    ...createPollingActivities(deps),
    ...createReconciliationActivities(deps),
    ...createInviteActivities(deps),
    ...createOAuthActivities(deps),
    ...createNewcomerActivities(deps),
    ...createVerificationActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
export type { CreditResult, PendingBatch } from './ingestion/index.ts';
export type { OverdueInvite } from './invites.ts';
export type { AuditPlace, AuditSlice } from './ledger-verification.ts';
export type { PollResult } from './polling/poll-connection.ts';
export type { UnfollowedRedemption } from './reconciliation.ts';
export type { MailOutcome } from './redemptions/mails.ts';
