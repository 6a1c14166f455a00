// All ids of workflows and Schedules, built from the business ids that make them unique.

import { byProvider } from '../domain/payment.ts';

export const TASK_QUEUE = 'loyalty';
/** The queue of polling, whose activities wait for providers and must not hold up the others. */
export const POLLING_QUEUE = 'loyalty-polling';
/** The queues of ingestion that asks a provider: one that is slow must not hold up the rest. */
export const PROVIDER_QUEUES = byProvider((provider) => `loyalty-${provider}`);
/** The queue of long work for which nobody stands and waits: one at a time in each worker. */
export const MAINTENANCE_QUEUE = 'loyalty-maintenance';
/** The queue of mails to all customers of shops: many shops mail theirs at the same hour. */
export const NOTICES_QUEUE = 'loyalty-notices';
/** The queue of the truth report, whose activities wait for providers, and nobody for them. */
export const TRUTH_QUEUE = 'loyalty-truth';
/** The queue of delivery, whose activities wait for tenants' own systems. */
export const DELIVERY_QUEUE = 'loyalty-delivery';
export const SWEEP_SCHEDULE_ID = 'sweep-pending';
export const SWEEP_WORKFLOW_ID = 'sweep/pending';
export const RECONCILE_SCHEDULE_ID = 'reconcile';
export const RECONCILE_WORKFLOW_ID = 'reconcile';
export const MAINTAIN_SCHEDULE_ID = 'maintain';
export const MAINTAIN_WORKFLOW_ID = 'maintain';
export const STATEMENTS_SCHEDULE_ID = 'sign-statements';
export const STATEMENTS_WORKFLOW_ID = 'statements';
export const EXPIRY_SCHEDULE_ID = 'points-expiry';
export const EXPIRY_WORKFLOW_ID = 'expire/months';
export const TIERS_SCHEDULE_ID = 'tiers';
export const TIERS_WORKFLOW_ID = 'tiers/nights';
export const TRUTH_SCHEDULE_ID = 'truth';
export const TRUTH_WORKFLOW_ID = 'truth/days';
export const GAPS_SCHEDULE_ID = 'gaps';
export const GAPS_WORKFLOW_ID = 'gaps';
export const ERASURES_SCHEDULE_ID = 'erasures';
export const ERASURES_WORKFLOW_ID = 'erasures';
export const VERIFY_SCHEDULE_ID = 'verify-ledger';
export const VERIFY_WORKFLOW_ID = 'verify/ledger';

/** The id of the run that starts sweeps, or the runs of reconcile. */
export function healingWorkflowId(job: string): string {
  return `healing/${job}`;
}

/** The id of the run that ingests a batch of events, by the batch's first event. */
export function ingestWorkflowId(provider: string, firstEventId: string): string {
  return `ingest/${provider}/${firstEventId}`;
}

/** The id of a run that a sweep starts. The first run of its events may be stuck, not gone. */
export function sweptIngestWorkflowId(provider: string, sweepRunId: string, nth: number): string {
  return `ingest/${provider}/sweep/${sweepRunId}/${nth}`;
}

/**
 * The id of the run that follows a batch of redemptions, by the batch's first, whose mail may be
 * one that is sent again.
 */
export function redemptionWorkflowId(firstRedemptionId: string, resent = 0): string {
  return `redemption/${firstRedemptionId}${resent === 0 ? '' : `/again/${resent}`}`;
}

/** The id of a run that reconcile starts. Others of its batch may be followed by another run. */
export function reconciledRedemptionWorkflowId(reconcileRunId: string, nth: number): string {
  return `redemption/reconcile/${reconcileRunId}/${nth}`;
}

/** The id of the run that exchanges the authorization code of an attempt. */
export function oauthWorkflowId(provider: string, attemptId: string): string {
  return `oauth/${provider}/${attemptId}`;
}

const POLL_PREFIX = 'poll/';

/** The id of the Schedule that polls a connection, and the first part of the ids of its runs. */
export function pollScheduleId(connectionId: string): string {
  return `${POLL_PREFIX}${connectionId}`;
}

/** The connection that a Schedule polls; undefined for any other Schedule. */
export function polledConnectionId(scheduleId: string): string | undefined {
  return scheduleId.startsWith(POLL_PREFIX) ? scheduleId.slice(POLL_PREFIX.length) : undefined;
}

/** The id of the run of a rehearsal. */
export function rehearsalWorkflowId(rehearsalId: string): string {
  return `rehearse/${rehearsalId}`;
}

/** The id of the run that takes the points of a tenant's customers that were due by a month. */
export function expiryWorkflowId(tenantId: string, month: string): string {
  return `expire/${tenantId}/${month}`;
}

/** The id of the run that tells a tenant's customers what a month will take. */
export function noticesWorkflowId(tenantId: string, month: string): string {
  return `notify/expiry/${tenantId}/${month}`;
}

/** The id of the run that decides the tiers of a tenant's customers for a day. */
export function tiersWorkflowId(tenantId: string, day: string): string {
  return `tiers/${tenantId}/${day}`;
}

/** The id of the run that compares a day of a connection with its provider's list. */
export function truthWorkflowId(connectionId: string, day: string): string {
  return `truth/${connectionId}/${day}`;
}

/** The id of the run that delivers a tenant's events. */
export function deliveryWorkflowId(tenantId: string): string {
  return `deliver/${tenantId}`;
}

/** The id of the run that mails an invite. */
export function inviteMailWorkflowId(inviteId: string): string {
  return `notify/invite/${inviteId}`;
}
