import { createIngestionActivities, type IngestionDeps } from './ingestion.ts';
import { createInviteActivities, type InviteDeps } from './invites.ts';
import { createNewcomerActivities, type NewcomerDeps } from './newcomers.ts';
import { createNotificationActivities, type NotificationDeps } from './notifications.ts';
import { createOAuthActivities, type OAuthDeps } from './oauth.ts';
import { createPollingActivities, type PollingDeps } from './polling.ts';
import { createReconciliationActivities, type ReconciliationDeps } from './reconciliation.ts';
import { createRedemptionActivities, type RedemptionDeps } from './redemptions.ts';
import { createVerificationActivities, type VerificationDeps } from './verification.ts';

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
export type { PollResult } from './alpha-polling.ts';
export type { CreditResult, PendingBatch } from './ingestion.ts';
export type { OverdueInvite } from './invites.ts';
export type { MailOutcome } from './notifications.ts';
export type { UnfollowedRedemption } from './reconciliation.ts';
export type { AuditPlace, AuditSlice } from './verification.ts';
