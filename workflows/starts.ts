import type { CommonWorkflowOptions, SearchAttributePair } from '@temporalio/common';
import type {
  AttemptId,
  ConnectionId,
  EventId,
  InviteId,
  RedemptionId,
  TenantId,
} from '../domain/ids.ts';
import type { Provider } from '../domain/payment.ts';
import type { exchangeOAuthCode } from './exchange-oauth-code.ts';
import {
  ingestWorkflowId,
  inviteMailWorkflowId,
  oauthWorkflowId,
  pollScheduleId,
  RECONCILE_WORKFLOW_ID,
  redemptionWorkflowId,
  SWEEP_WORKFLOW_ID,
  sweptIngestWorkflowId,
  TASK_QUEUE,
  VERIFY_WORKFLOW_ID,
} from './ids.ts';
import type { ingestEvents } from './ingest-events.ts';
import type { notify } from './notify.ts';
import type { pollConnection } from './poll-connection.ts';
import type { redemption } from './redemption.ts';
import { connectionAttributes, ingestAttributes, tenantAttributes } from './search-attributes.ts';
import type { verifyLedger } from './verify-ledger.ts';

// How each run is started, whether by the API, by another workflow or by a Schedule.
// `searchAttributes` says whether the cluster has our search attributes registered: it refuses a
// run that names unknown ones.

/** `reconcile` and `sweepPendingEvents` start others themselves, so they import this file. */
type Workflows = {
  exchangeOAuthCode: typeof exchangeOAuthCode;
  ingestEvents: typeof ingestEvents;
  notify: typeof notify;
  pollConnection: typeof pollConnection;
  reconcile: (options: ScheduledOptions) => unknown;
  redemption: typeof redemption;
  sweepPendingEvents: (options: ScheduledOptions) => unknown;
  verifyLedger: typeof verifyLedger;
};

/** A run to be started: its options that do not depend on what starts it. */
export type RunStart<Name extends keyof Workflows = keyof Workflows> = Pick<
  CommonWorkflowOptions,
  | 'priority'
  | 'staticSummary'
  | 'typedSearchAttributes'
  | 'workflowExecutionTimeout'
  | 'workflowIdReusePolicy'
  | 'workflowTaskTimeout'
> & {
  workflowType: Name;
  workflowId: string;
  args: Parameters<Workflows[Name]>;
};

/** A person waits for these runs: they go before runs of the default priority, which is 3. */
const URGENT = { priorityKey: 1 } as const;
/** These runs can wait: they go after runs of the default priority. */
const BACKGROUND = { priorityKey: 5 } as const;

/**
 * A workflow task of ingestion takes a few milliseconds. When its worker dies, the server gives the
 * task to another worker after this time; by default the payments would wait for ten seconds.
 */
const INGEST_TASK_TIMEOUT = '2 seconds';

/**
 * The argument of `reconcile` and `sweepPendingEvents`. `searchable` means `searchAttributes`. The
 * old name stays, because recorded histories and the Schedules of running clusters hold it.
 */
export type ScheduledOptions = { searchable: boolean };

/** Adds the options of the API, which uses a run that is already running under the same id. */
export function clientStart(run: RunStart, correlationIds: readonly string[]) {
  return {
    ...run,
    taskQueue: TASK_QUEUE,
    workflowIdConflictPolicy: 'USE_EXISTING',
    memo: { correlationIds },
  } as const;
}

type EventBatch = { provider: Provider; eventIds: EventId[]; tenantIds: readonly TenantId[] };

/** Describes the run that ingests events just stored; it can be started again only if it failed. */
export function ingestStart(
  batch: EventBatch,
  searchAttributes: boolean,
): RunStart<'ingestEvents'> {
  return {
    ...batchStart(batch, searchAttributes),
    workflowId: ingestWorkflowId(batch.provider, batch.eventIds[0] ?? ''),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  };
}

/** Describes the run that ingests events found by a sweep, as the sweep's nth child. */
export function sweptIngestStart(
  batch: EventBatch,
  sweep: { runId: string; nth: number },
  searchAttributes: boolean,
): RunStart<'ingestEvents'> {
  const start = batchStart(batch, searchAttributes);
  return {
    ...start,
    workflowId: sweptIngestWorkflowId(batch.provider, sweep.runId, sweep.nth),
    staticSummary: `${start.staticSummary}, swept`,
  };
}

function batchStart({ provider, eventIds, tenantIds }: EventBatch, searchAttributes: boolean) {
  const events = eventIds.length === 1 ? '1 event' : `${eventIds.length} events`;
  return {
    workflowType: 'ingestEvents',
    args: [eventIds],
    workflowTaskTimeout: INGEST_TASK_TIMEOUT,
    staticSummary: `${provider} ingest, ${events}`,
    ...attributesIf(searchAttributes, ingestAttributes(provider, tenantIds)),
  } satisfies Omit<RunStart<'ingestEvents'>, 'workflowId'>;
}

/** Describes the run that follows a redemption; it can be started again only if it failed. */
export function redemptionStart(
  { id, tenantId }: { id: RedemptionId; tenantId: TenantId },
  searchAttributes: boolean,
): RunStart<'redemption'> {
  return {
    workflowType: 'redemption',
    workflowId: redemptionWorkflowId(id),
    args: [id],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    priority: URGENT,
    staticSummary: 'Redemption: mails the code, expires it if unused',
    ...attributesIf(searchAttributes, tenantAttributes(tenantId)),
  };
}

/**
 * Describes the run that mails an invite; it can be started again after it ended, because a mail
 * may be deferred.
 */
export function inviteMailStart(
  { id, tenantId }: { id: InviteId; tenantId: TenantId },
  searchAttributes: boolean,
): RunStart<'notify'> {
  return {
    workflowType: 'notify',
    workflowId: inviteMailWorkflowId(id),
    args: ['invite', id],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: 'Invite: sends the mail',
    ...attributesIf(searchAttributes, tenantAttributes(tenantId)),
  };
}

/** Describes the run that exchanges an attempt's code; it can never be started again. */
export function oauthExchangeStart(
  attempt: { id: AttemptId; provider: Provider; tenantId: TenantId; connectionId: ConnectionId },
  searchAttributes: boolean,
): RunStart<'exchangeOAuthCode'> {
  const { id, provider } = attempt;
  return {
    workflowType: 'exchangeOAuthCode',
    workflowId: oauthWorkflowId(provider, id),
    args: [provider, id],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowExecutionTimeout: '2 minutes',
    priority: URGENT,
    staticSummary: `${provider} connect: exchanges the code for tokens`,
    ...attributesIf(searchAttributes, connectionAttributes(attempt)),
  };
}

/** Describes the run that polls an alpha connection. */
export function pollStart(
  { id, tenantId }: { id: ConnectionId; tenantId: TenantId },
  searchAttributes: boolean,
): RunStart<'pollConnection'> {
  const connection = { tenantId, provider: 'alpha', connectionId: id } as const;
  return {
    workflowType: 'pollConnection',
    workflowId: pollScheduleId(id),
    args: [id],
    priority: BACKGROUND,
    staticSummary: 'alpha poll: ingests what was sold since the last poll',
    ...attributesIf(searchAttributes, connectionAttributes(connection)),
  };
}

/** Describes the run that sweeps pending events. */
export function sweepStart(searchAttributes: boolean): RunStart<'sweepPendingEvents'> {
  return {
    workflowType: 'sweepPendingEvents',
    workflowId: SWEEP_WORKFLOW_ID,
    args: [{ searchable: searchAttributes }],
    priority: BACKGROUND,
    staticSummary: 'Sweep: ingests stored events that are still pending',
  };
}

/** Describes the run of `reconcile`. */
export function reconcileStart(searchAttributes: boolean): RunStart<'reconcile'> {
  return {
    workflowType: 'reconcile',
    workflowId: RECONCILE_WORKFLOW_ID,
    args: [{ searchable: searchAttributes }],
    staticSummary: 'Reconcile: repairs the consequences of outages and lost starts',
  };
}

/** Describes the run that verifies the whole ledger. */
export function verifyStart(): RunStart<'verifyLedger'> {
  return {
    workflowType: 'verifyLedger',
    workflowId: VERIFY_WORKFLOW_ID,
    args: [],
    staticSummary: 'Verification: compares every wallet with its ledger entries and their sources',
  };
}

function attributesIf(
  searchAttributes: boolean,
  attributes: SearchAttributePair[],
): Pick<RunStart, 'typedSearchAttributes'> {
  return searchAttributes ? { typedSearchAttributes: attributes } : {};
}
