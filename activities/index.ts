import { createIngestionActivities, type IngestionDeps } from './ingestion.ts';
import { createInviteActivities, type InviteDeps } from './invites.ts';
import { createNotificationActivities, type NotificationDeps } from './notifications.ts';
import { createReconciliationActivities, type ReconciliationDeps } from './reconciliation.ts';
import { createRedemptionActivities, type RedemptionDeps } from './redemptions.ts';

export type ActivityDeps = IngestionDeps &
  RedemptionDeps &
  NotificationDeps &
  ReconciliationDeps &
  InviteDeps;

/** Every activity by the name under which workflows call it. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createIngestionActivities(deps),
    ...createRedemptionActivities(deps),
    ...createNotificationActivities(deps),
    ...createReconciliationActivities(deps),
    ...createInviteActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
export type { CreditResult, PendingBatch } from './ingestion.ts';
export type { OverdueInvite } from './invites.ts';
export type { MailOutcome } from './notifications.ts';
export type { UnfollowedRedemption } from './reconciliation.ts';
