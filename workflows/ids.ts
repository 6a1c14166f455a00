// Every workflow and Schedule id is made here, from the business id that makes it unique.

export const TASK_QUEUE = 'loyalty';
/** Activities that wait for alpha's listings, apart from those that somebody waits for. */
export const POLLING_QUEUE = 'loyalty-polling';
export const SWEEP_SCHEDULE_ID = 'sweep-pending';
export const SWEEP_WORKFLOW_ID = 'sweep/pending';
export const RECONCILE_SCHEDULE_ID = 'reconcile';
export const RECONCILE_WORKFLOW_ID = 'reconcile';
export const VERIFY_SCHEDULE_ID = 'verify-ledger';
export const VERIFY_WORKFLOW_ID = 'verify/ledger';

/** The run that brings in a hand-over of events, named by its first. */
export function ingestWorkflowId(provider: string, firstEventId: string): string {
  return `ingest/${provider}/${firstEventId}`;
}

/** A run that a sweep starts. An id of its own: the event's first run may be stuck, not gone. */
export function sweptIngestWorkflowId(provider: string, sweepRunId: string, nth: number): string {
  return `ingest/${provider}/sweep/${sweepRunId}/${nth}`;
}

/** The run that goes along with a redemption. */
export function redemptionWorkflowId(redemptionId: string): string {
  return `redemption/${redemptionId}`;
}

/** The run that exchanges the code of an authorization, which is good for once. */
export function oauthWorkflowId(provider: string, nonce: string): string {
  return `oauth/${provider}/${nonce}`;
}

const POLL_PREFIX = 'poll-alpha/';

/** The Schedule that polls a connection; also its runs are named by this. */
export function pollScheduleId(connectionId: string): string {
  return `${POLL_PREFIX}${connectionId}`;
}

/** Whose Schedule it is that polls, or undefined of any other Schedule. */
export function polledConnectionId(scheduleId: string): string | undefined {
  return scheduleId.startsWith(POLL_PREFIX) ? scheduleId.slice(POLL_PREFIX.length) : undefined;
}

/** The run that mails an invite. */
export function inviteMailWorkflowId(inviteId: string): string {
  return `notify/invite/${inviteId}`;
}
