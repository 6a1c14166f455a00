import { createOAuthActivities } from './connections/connect.ts';
import { createDueWorkActivities, type DueWorkDeps } from './due-work/index.ts';
import { createErasureActivities, type ErasureDeps } from './erasures.ts';
import { createExpiryActivities, type ExpiryDeps } from './expiry/index.ts';
import { createIngestionActivities, type IngestionDeps } from './ingestion/index.ts';
import { createFingerprintActivities } from './ingestion/revise/signups.ts';
import { createInviteActivities, type InviteDeps } from './invites.ts';
import { createVerificationActivities, type VerificationDeps } from './ledger-verification.ts';
import { createFailingEndpointActivities } from './outgoing/failing-endpoints.ts';
import { createDeliveryActivities, type DeliveryDeps } from './outgoing/index.ts';
import { createPollingActivities, type PollingDeps } from './polling/index.ts';
import { createReconciliationActivities, type ReconciliationDeps } from './reconciliation.ts';
import { createRedemptionActivities, type RedemptionDeps } from './redemptions/index.ts';
import { createRedemptionMailActivities, type RedemptionMailDeps } from './redemptions/mails.ts';
import { createRehearsalActivities, type RehearsalDeps } from './rehearsals.ts';
import { createStatementActivities, type StatementDeps } from './statements/index.ts';
import { createTickActivities } from './ticks.ts';
import { createTierActivities, type TierDeps } from './tiers.ts';
import { createTruthActivities, type TruthDeps } from './truth/index.ts';
import { createUnusualMovementActivities } from './unusual-movements.ts';

export type ActivityDeps = IngestionDeps &
  PollingDeps &
  RedemptionDeps &
  RedemptionMailDeps &
  ReconciliationDeps &
  InviteDeps &
  DueWorkDeps &
  DeliveryDeps &
  ErasureDeps &
  ExpiryDeps &
  RehearsalDeps &
  StatementDeps &
  TierDeps &
  TruthDeps &
  VerificationDeps;

/** Every activity by the name under which workflows call it. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createIngestionActivities(deps),
    ...createRedemptionActivities(deps),
    ...createRedemptionMailActivities(deps),
    ...createPollingActivities(deps),
    ...createReconciliationActivities(deps),
    ...createTickActivities(deps),
    ...createDueWorkActivities(deps),
    ...createInviteActivities(deps),
    ...createOAuthActivities(deps),
    ...createDeliveryActivities(deps),
    ...createErasureActivities(deps),
    ...createExpiryActivities(deps),
    ...createFailingEndpointActivities(deps),
    ...createFingerprintActivities(deps),
    ...createRehearsalActivities(deps),
    ...createStatementActivities(deps),
    ...createTierActivities(deps),
    ...createTruthActivities(deps),
    ...createUnusualMovementActivities(deps),
    ...createVerificationActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
export type { BatchProgress, FollowedBatch } from '../db/redemptions/following.ts';
export type { TenantDay } from '../db/tenants/standings.ts';
export type { TenantMonth } from './expiry/index.ts';
export type { IngestResult, PendingBatch } from './ingestion/index.ts';
export type { InviteMailOutcome } from './invites.ts';
export type { VerificationPosition, VerificationSlice } from './ledger-verification.ts';
export type { PollResult } from './polling/poll-connection.ts';
export type { UnfollowedRedemption } from './reconciliation.ts';
export type { MailCounts } from './redemptions/mail-batch.ts';
export type { SignedSlice } from './statements/index.ts';
export type { DueSweep, Repair } from './ticks.ts';
export type { ComparedDay, ConnectionDay } from './truth/compare-day.ts';
export type { DueDay } from './truth/index.ts';
