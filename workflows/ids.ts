// Every workflow and Schedule id is made here, from the business id that makes it unique.

export const TASK_QUEUE = 'loyalty';
export const SWEEP_SCHEDULE_ID = 'sweep-pending';
export const SWEEP_WORKFLOW_ID = 'sweep/pending';
export const RECONCILE_SCHEDULE_ID = 'reconcile';
export const RECONCILE_WORKFLOW_ID = 'reconcile';

/** The run that brings in a hand-over of events, named by its first. */
export function ingestWorkflowId(provider: string, firstEventId: string): string {
  return `ingest/${provider}/${firstEventId}`;
}

/** A run that a sweep starts. An id of its own: the event's first run may be stuck, not gone. */
export function sweptIngestWorkflowId(provider: string, sweepRunId: string, nth: number): string {
  return `ingest/${provider}/sweep/${sweepRunId}/${nth}`;
}

/**
 * A task of ingestion is a few milliseconds' work. When its worker dies the server gives the task to
 * another after this time; the default of ten seconds is what a killed worker's sales would wait.
 */
export const INGEST_TASK_TIMEOUT = '2 seconds';

/** The run that goes along with a redemption. */
export function redemptionWorkflowId(redemptionId: string): string {
  return `redemption/${redemptionId}`;
}

/** Somebody stands at a till and waits for it: ahead of what comes in from providers. */
export const REDEMPTION_PRIORITY = { priorityKey: 1 } as const;

/** The run that tells a person what a committed row says. */
export function notifyWorkflowId(kind: string, rowId: string): string {
  return `notify/${kind}/${rowId}`;
}
