import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { ConnectionId, InviteId, RedemptionId, TenantId } from '../../domain/ids.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import type { TemporalSettings } from '../../gateways/temporal/connection.ts';
import { pollScheduleId, redemptionWorkflowId } from '../../workflows/ids.ts';
import { redemptionClosed } from '../../workflows/messages.ts';
import {
  clientStart,
  ingestStart,
  inviteMailStart,
  type RunStart,
  redemptionStart,
} from '../../workflows/starts.ts';
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
  /** Starts the run that mails a committed invite in the background. What fails is left to reconcile. */
  sendInviteLater(id: InviteId, context: InviteContext): void;
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

export type InviteContext = { tenantId: TenantId; correlationId: string };
export type IssuedRedemption = { id: RedemptionId; tenantId: TenantId; correlationId: string };

const REACHABLE_WITHIN_MS = 1_000;
const START_WITHIN_MS = 2_000;
/** With every worker away a batch would hold its slot for as long. */
const DONE_WITHIN_MS = 10_000;
/** A memo should stay small; a run with more events is found by their ids. */
const MAX_CORRELATION_IDS = 20;

const BACKGROUND_LIMITS = {
  /** More at a time would take from Postgres and Temporal what the next confirm needs. */
  maxInFlight: 4,
  /** Beyond this reconcile is the better way: what it finds in the table need not be in memory. */
  maxWaiting: 2_000,
};

type StartOf = (searchAttributes: boolean) => RunStart;

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
  const { start, exchangeOAuthCode } = createStarter(link, namespace, log);
  const background = createBackgroundQueue({ ...BACKGROUND_LIMITS, log });
  const startLater = (startOf: StartOf, correlationId: string) =>
    background.add(`start ${startOf(false).workflowId}`, () =>
      unlessAlreadyStarted(start(startOf, [correlationId])),
    );

  return {
    isReachable: () => answers(link),

    async ingest(batch) {
      const correlationIds = [...new Set(batch.correlationIds)].slice(0, MAX_CORRELATION_IDS);
      const handle = await start(
        (searchAttributes) => ingestStart(batch, searchAttributes),
        correlationIds,
      );
      try {
        await link.call(doneWithinMs, () => handle.result());
      } catch (error) {
        if (error instanceof WorkflowFailedError) throw error;
      }
    },

    followRedemptionLater(issued) {
      startLater(
        (searchAttributes) => redemptionStart(issued, searchAttributes),
        issued.correlationId,
      );
    },

    closeRedemptionLater(id) {
      background.add(`signal ${redemptionWorkflowId(id)}`, () => signalClosed(link, namespace, id));
    },

    sendInviteLater(id, { tenantId, correlationId }) {
      startLater(
        (searchAttributes) => inviteMailStart({ id, tenantId }, searchAttributes),
        correlationId,
      );
    },

    exchangeOAuthCode,

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

/** Starts runs with their search attributes wherever the cluster has them registered. */
function createStarter(link: TemporalConnection, namespace: string, log: Logger) {
  const withSearchAttributes = createSearchAttributeGuard(log);
  return {
    start: (startOf: StartOf, correlationIds: readonly string[]) =>
      withSearchAttributes((searchAttributes) =>
        link.call(START_WITHIN_MS, (connection) => {
          const run = startOf(searchAttributes);
          const { workflowType, ...options } = clientStart(run, correlationIds);
          return clientOf(connection, namespace).workflow.start(workflowType, options);
        }),
      ),
    exchangeOAuthCode: (attempt: StoredAttempt) =>
      withSearchAttributes((searchAttributes) =>
        exchangeByWorkflow(link, namespace, attempt, searchAttributes),
      ),
  };
}

/** Reconcile or an earlier request for the same row may have started the run, which then ended. */
async function unlessAlreadyStarted(starting: Promise<unknown>): Promise<void> {
  try {
    await starting;
  } catch (error) {
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
