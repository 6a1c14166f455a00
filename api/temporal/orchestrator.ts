import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { ConnectionId, InviteId, RedemptionId, TenantId } from '../../domain/ids.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import type { TemporalSettings } from '../../gateways/temporal/connection.ts';
import {
  INGEST_TASK_TIMEOUT,
  ingestWorkflowId,
  notifyWorkflowId,
  pollScheduleId,
  REDEMPTION_PRIORITY,
  redemptionWorkflowId,
  TASK_QUEUE,
} from '../../workflows/ids.ts';
import type { ingestEvents } from '../../workflows/ingest-events.ts';
import { redemptionClosed } from '../../workflows/messages.ts';
import type { NoticeKind, notify } from '../../workflows/notify.ts';
import type { redemption } from '../../workflows/redemption.ts';
import {
  ingestAttributes,
  ingestSummary,
  notifySummary,
  REDEMPTION_SUMMARY,
  tenantAttributes,
} from '../../workflows/search-attributes.ts';
import { createBackgroundQueue } from '../background/queue.ts';
import type { IngestBatch } from '../intake/ingest-dispatcher.ts';
import { clientOf } from './client.ts';
import {
  connectInBackground,
  createSearchAttributeGuard,
  type TemporalConnection,
} from './connection.ts';
import { exchangeByWorkflow, type StoredAttempt } from './oauth-exchange.ts';
import { removeSchedule } from './poll-schedules.ts';

/**
 * The only place that starts workflows. Nothing here is needed for a request to be answered: with
 * Temporal out of reach each call fails at once or within its deadline, and Schedules take over from
 * the rows in Postgres.
 */
export type Orchestrator = {
  /** Whether Temporal answers within a second. */
  isReachable(): Promise<boolean>;
  /**
   * Starts the run that brings in a batch, and resolves when it is done, or when it has taken so
   * long that waiting serves nobody. Rejects when it could not be started, or failed.
   */
  ingest(batch: IngestBatch): Promise<void>;
  /** Starts the run of a committed redemption in the background. What fails is left to reconcile. */
  followRedemptionLater(issued: IssuedRedemption): void;
  /** Tells its run that a redemption was used. What fails costs a wait until the code's expiry. */
  closeRedemptionLater(id: RedemptionId): void;
  /** Starts the run that tells a person what a committed row says. What fails is left to reconcile. */
  notifyLater(kind: NoticeKind, rowId: InviteId, of: NoticeContext): void;
  /**
   * Starts the run that exchanges the code of a stored attempt to connect, and resolves when the
   * attempt is settled. Rejects when it could not be started or takes too long: its row tells then.
   */
  exchangeOAuthCode(attempt: StoredAttempt): Promise<void>;
  /** Removes the Schedule of a connection that is polled no more. What fails is left to reconcile. */
  stopPollingLater(id: ConnectionId): void;
  /** How much of what is to be done later waits. */
  waiting(): number;
  close(): Promise<void>;
};

export type NoticeContext = { tenantId: TenantId; correlationId: string };
export type IssuedRedemption = { id: RedemptionId; tenantId: TenantId; correlationId: string };

const REACHABLE_WITHIN_MS = 1_000;
const START_WITHIN_MS = 2_000;
/** With every worker away a batch would hold its slot for as long. */
const DONE_WITHIN_MS = 10_000;
/** A memo should stay small; a run with more events is found by their ids. */
const MAX_CORRELATION_IDS = 20;

/** More at a time would take from Postgres and Temporal what the next confirm needs. */
const MAX_IN_FLIGHT = 4;
/** Beyond this reconcile is the better way: what it finds in the table need not be in memory. */
const MAX_WAITING = 2_000;

/** Connects in the background, again and again until it succeeds. */
export function createOrchestrator(options: {
  temporal: TemporalSettings;
  namespace: string;
  log: Logger;
  /** How long a batch is waited for. */
  doneWithinMs?: number;
}): Orchestrator {
  const { temporal, namespace, log, doneWithinMs = DONE_WITHIN_MS } = options;
  const link = connectInBackground(temporal, log);
  const withSearchAttributes = createSearchAttributeGuard(log);
  const background = createBackgroundQueue({
    maxInFlight: MAX_IN_FLIGHT,
    maxWaiting: MAX_WAITING,
    log,
  });

  return {
    isReachable: () => answers(link),

    async ingest(batch) {
      const handle = await withSearchAttributes((searchAttributes) =>
        startIngest(link, namespace, batch, searchAttributes),
      );
      try {
        await link.call(doneWithinMs, () => handle.result());
      } catch (error) {
        if (error instanceof WorkflowFailedError) throw error;
      }
    },

    followRedemptionLater(issued) {
      background.add(`start ${redemptionWorkflowId(issued.id)}`, () =>
        withSearchAttributes((searchAttributes) =>
          startRedemption(link, namespace, issued, searchAttributes),
        ),
      );
    },

    closeRedemptionLater(id) {
      background.add(`signal ${redemptionWorkflowId(id)}`, () => signalClosed(link, namespace, id));
    },

    notifyLater(kind, rowId, of) {
      background.add(`start ${notifyWorkflowId(kind, rowId)}`, () =>
        withSearchAttributes((searchAttributes) =>
          startNotice(link, namespace, { kind, rowId, of }, searchAttributes),
        ),
      );
    },

    exchangeOAuthCode(attempt) {
      return withSearchAttributes((searchAttributes) =>
        exchangeByWorkflow(link, namespace, attempt, searchAttributes),
      );
    },

    stopPollingLater(id) {
      const scheduleId = pollScheduleId(id);
      background.add(`remove ${scheduleId}`, () => removeSchedule(link, namespace, scheduleId));
    },

    waiting: () => background.waiting(),

    async close() {
      await background.close();
      await link.close();
    },
  };
}

async function answers(link: TemporalConnection): Promise<boolean> {
  try {
    await link.call(REACHABLE_WITHIN_MS, ({ workflowService }) =>
      workflowService.getSystemInfo({}),
    );
    return true;
  } catch {
    return false;
  }
}

function startIngest(
  link: TemporalConnection,
  namespace: string,
  batch: IngestBatch,
  searchAttributes: boolean,
) {
  const { provider, eventIds, tenantIds, correlationIds } = batch;
  return link.call(START_WITHIN_MS, (connection) =>
    clientOf(connection, namespace).workflow.start<typeof ingestEvents>('ingestEvents', {
      taskQueue: TASK_QUEUE,
      workflowId: ingestWorkflowId(provider, eventIds[0] ?? ''),
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowTaskTimeout: INGEST_TASK_TIMEOUT,
      args: [eventIds],
      staticSummary: ingestSummary(provider, eventIds.length),
      memo: { correlationIds: [...new Set(correlationIds)].slice(0, MAX_CORRELATION_IDS) },
      ...(searchAttributes ? { typedSearchAttributes: ingestAttributes(provider, tenantIds) } : {}),
    }),
  );
}

async function startRedemption(
  link: TemporalConnection,
  namespace: string,
  { id, tenantId, correlationId }: IssuedRedemption,
  searchAttributes: boolean,
): Promise<void> {
  try {
    await link.call(START_WITHIN_MS, (connection) =>
      clientOf(connection, namespace).workflow.start<typeof redemption>('redemption', {
        taskQueue: TASK_QUEUE,
        workflowId: redemptionWorkflowId(id),
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        priority: REDEMPTION_PRIORITY,
        args: [id],
        staticSummary: REDEMPTION_SUMMARY,
        memo: { correlationIds: [correlationId] },
        ...(searchAttributes ? { typedSearchAttributes: tenantAttributes(tenantId) } : {}),
      }),
    );
  } catch (error) {
    // Reconcile was quicker, and the run has come to its end since.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

async function startNotice(
  link: TemporalConnection,
  namespace: string,
  { kind, rowId, of }: { kind: NoticeKind; rowId: InviteId; of: NoticeContext },
  searchAttributes: boolean,
): Promise<void> {
  try {
    await link.call(START_WITHIN_MS, (connection) =>
      clientOf(connection, namespace).workflow.start<typeof notify>('notify', {
        taskQueue: TASK_QUEUE,
        workflowId: notifyWorkflowId(kind, rowId),
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        args: [kind, rowId],
        staticSummary: notifySummary(kind),
        memo: { correlationIds: [of.correlationId] },
        ...(searchAttributes ? { typedSearchAttributes: tenantAttributes(of.tenantId) } : {}),
      }),
    );
  } catch (error) {
    // It was sent already: the same person was invited again.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

async function signalClosed(
  link: TemporalConnection,
  namespace: string,
  id: RedemptionId,
): Promise<void> {
  try {
    await link.call(START_WITHIN_MS, (connection) =>
      clientOf(connection, namespace)
        .workflow.getHandle(redemptionWorkflowId(id))
        .signal(redemptionClosed),
    );
  } catch (error) {
    // A run that is not there yet reads what is committed when it starts.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
