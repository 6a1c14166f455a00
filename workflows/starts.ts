import type { CommonWorkflowOptions, Duration } from '@temporalio/common';
import type { AttemptId, ConnectionId, EventId, InviteId, TenantId } from '../domain/ids.ts';
import type { Provider } from '../domain/payment.ts';
import type { Polled } from '../domain/poll-schedules.ts';
import type { compareDay } from './compare-day.ts';
import type { decideTiers } from './decide-tiers.ts';
import type { deliverEvents } from './deliver-events.ts';
import type { exchangeOAuthCode } from './exchange-oauth-code.ts';
import type { expirePoints, tellExpiry } from './expire-points.ts';
import type { followRedemptions } from './follow-redemptions.ts';
import {
  ingestWorkflowId,
  inviteMailWorkflowId,
  MAINTAIN_WORKFLOW_ID,
  oauthWorkflowId,
  pollScheduleId,
  RECONCILE_WORKFLOW_ID,
  STATEMENTS_WORKFLOW_ID,
  SWEEP_WORKFLOW_ID,
  sweptIngestWorkflowId,
  TASK_QUEUE,
  VERIFY_WORKFLOW_ID,
} from './ids.ts';
import type { ingestEvents } from './ingest-events.ts';
import type { maintain } from './maintain.ts';
import type { notify } from './notify.ts';
import type { pollConnection } from './poll-connection.ts';
import type { rehearseRule } from './rehearse-rule.ts';
import { connectionAttributes, ingestAttributes, tenantAttributes } from './search-attributes.ts';
import type { signStatements } from './sign-statements.ts';
import { BACKGROUND, INGEST_TASK_TIMEOUT, TIMEOUTS, URGENT } from './start-policies.ts';
import type { verifyLedger } from './verify-ledger.ts';

// How each run is started, whether by the API, by another workflow or by a Schedule.

/** `keepHealing` and those without types start others themselves, so they import this file. */
type Workflows = {
  checkGaps: () => unknown;
  compareDay: typeof compareDay;
  decideTiers: typeof decideTiers;
  deliverEvents: typeof deliverEvents;
  erasePeople: () => unknown;
  exchangeOAuthCode: typeof exchangeOAuthCode;
  expirePoints: typeof expirePoints;
  followRedemptions: typeof followRedemptions;
  ingestEvents: typeof ingestEvents;
  keepHealing: (job: 'sweep' | 'reconcile', everySeconds: number) => unknown;
  maintain: typeof maintain;
  notify: typeof notify;
  pollConnection: typeof pollConnection;
  reconcile: () => unknown;
  rehearseRule: typeof rehearseRule;
  signStatements: typeof signStatements;
  sweepPendingEvents: () => unknown;
  tellExpiry: typeof tellExpiry;
  verifyLedger: typeof verifyLedger;
  watchDays: () => unknown;
  watchMonths: () => unknown;
  watchNights: () => unknown;
};

/** A run to be started: its options that do not depend on what starts it. */
export type RunStart<Name extends keyof Workflows = keyof Workflows> = Pick<
  CommonWorkflowOptions,
  | 'priority'
  | 'staticSummary'
  | 'typedSearchAttributes'
  | 'workflowIdReusePolicy'
  | 'workflowTaskTimeout'
> & {
  workflowType: Name;
  workflowId: string;
  workflowExecutionTimeout: Duration;
  args: Parameters<Workflows[Name]>;
};

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
export function ingestStart(batch: EventBatch): RunStart<'ingestEvents'> {
  return {
    ...batchStart(batch),
    workflowId: ingestWorkflowId(batch.provider, batch.eventIds[0] ?? ''),
    workflowExecutionTimeout: TIMEOUTS.ingest,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  };
}

/** Describes the run that ingests events found by a sweep, as the sweep's nth child. */
export function sweptIngestStart(
  batch: EventBatch,
  sweep: { runId: string; nth: number },
): RunStart<'ingestEvents'> {
  const start = batchStart(batch);
  return {
    ...start,
    workflowId: sweptIngestWorkflowId(batch.provider, sweep.runId, sweep.nth),
    workflowExecutionTimeout: TIMEOUTS.sweptIngest,
    staticSummary: `${start.staticSummary}, swept`,
  };
}

function batchStart({ provider, eventIds, tenantIds }: EventBatch) {
  const events = eventIds.length === 1 ? '1 event' : `${eventIds.length} events`;
  return {
    workflowType: 'ingestEvents',
    args: [eventIds, provider],
    workflowTaskTimeout: INGEST_TASK_TIMEOUT,
    staticSummary: `${provider} ingest, ${events}`,
    typedSearchAttributes: ingestAttributes(provider, tenantIds),
  } satisfies Omit<RunStart<'ingestEvents'>, 'workflowId' | 'workflowExecutionTimeout'>;
}

/**
 * Describes the run that mails an invite; it can be started again after it ended, because a mail
 * may be deferred.
 */
export function inviteMailStart({
  id,
  tenantId,
}: {
  id: InviteId;
  tenantId: TenantId;
}): RunStart<'notify'> {
  return {
    workflowType: 'notify',
    workflowId: inviteMailWorkflowId(id),
    args: [id],
    workflowExecutionTimeout: TIMEOUTS.notify,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    priority: { fairnessKey: tenantId },
    staticSummary: 'Invite: sends the mail',
    typedSearchAttributes: tenantAttributes(tenantId),
  };
}

/** Describes the run that exchanges an attempt's code; it can never be started again. */
export function oauthExchangeStart(attempt: {
  id: AttemptId;
  provider: Provider;
  tenantId: TenantId;
  connectionId: ConnectionId;
}): RunStart<'exchangeOAuthCode'> {
  const { id, provider } = attempt;
  return {
    workflowType: 'exchangeOAuthCode',
    workflowId: oauthWorkflowId(provider, id),
    args: [provider, id],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowExecutionTimeout: TIMEOUTS.oauth,
    priority: { ...URGENT, fairnessKey: attempt.tenantId },
    staticSummary: `${provider} connect: exchanges the code for tokens`,
    typedSearchAttributes: connectionAttributes(attempt),
  };
}

/** Describes the run that polls a connection. */
export function pollStart({
  id,
  tenantId,
  provider,
}: Pick<Polled, 'id' | 'tenantId' | 'provider'>): RunStart<'pollConnection'> {
  const connection = { tenantId, provider, connectionId: id };
  return {
    workflowType: 'pollConnection',
    workflowId: pollScheduleId(id),
    args: [id],
    workflowExecutionTimeout: TIMEOUTS.poll,
    priority: { ...BACKGROUND, fairnessKey: tenantId },
    staticSummary: `${provider} poll: ingests what was sold since the last one`,
    typedSearchAttributes: connectionAttributes(connection),
  };
}

/** Describes the run that sweeps pending events. */
export function sweepStart(): RunStart<'sweepPendingEvents'> {
  return {
    workflowType: 'sweepPendingEvents',
    workflowId: SWEEP_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.sweep,
    priority: BACKGROUND,
    staticSummary: 'Sweep: ingests stored events that are still pending',
  };
}

/** Describes the run of `reconcile`. */
export function reconcileStart(): RunStart<'reconcile'> {
  return {
    workflowType: 'reconcile',
    workflowId: RECONCILE_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.reconcile,
    priority: BACKGROUND,
    staticSummary: 'Reconcile: repairs the consequences of outages and lost starts',
  };
}

/** Describes the run of `maintain`. */
export function maintainStart(): RunStart<'maintain'> {
  return {
    workflowType: 'maintain',
    workflowId: MAINTAIN_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.maintain,
    priority: BACKGROUND,
    staticSummary: 'Maintenance: deletes what has expired, compares poll Schedules',
  };
}

/** Describes the run that verifies what moved in the ledger, and a part of the rest. */
export function verifyStart(): RunStart<'verifyLedger'> {
  return {
    workflowType: 'verifyLedger',
    workflowId: VERIFY_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.verify,
    priority: BACKGROUND,
    staticSummary: 'Verification: compares wallets with their ledger entries and their sources',
  };
}

/** Describes the run that signs statements about the wallets that have moved. */
export function statementsStart(): RunStart<'signStatements'> {
  return {
    workflowType: 'signStatements',
    workflowId: STATEMENTS_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.statements,
    priority: BACKGROUND,
    staticSummary: 'Statements: signs where the wallets that have moved are',
  };
}
