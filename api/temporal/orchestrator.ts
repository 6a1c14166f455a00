import { WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import type { DueDay } from '../../activities/index.ts';
import type { ConnectionId, InviteId, RehearsalId, TenantId } from '../../domain/ids.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { currentTraceparent, inSpan } from '../../gateways/telemetry/spans.ts';
import type { TemporalSettings } from '../../gateways/temporal/connection.ts';
import { deliveryWake } from '../../workflows/delivery-start.ts';
import { pollScheduleId } from '../../workflows/ids.ts';
import { redemptionsStart } from '../../workflows/redemption-starts.ts';
import { rehearsalStart } from '../../workflows/rehearsal-start.ts';
import {
  clientStart,
  ingestStart,
  inviteMailStart,
  type RunStart,
} from '../../workflows/starts.ts';
import { repairWake } from '../../workflows/truth-start.ts';
import { createBackgroundQueue } from '../background/queue.ts';
import {
  createRedemptionBatches,
  type IssuedRedemption,
} from '../background/redemption-batches.ts';
import type { IngestBatch } from '../intake/ingest-dispatcher.ts';
import { connectInBackground, type TemporalConnection } from './connection.ts';
import { exchangeByWorkflow, type StoredAttempt } from './oauth-exchange.ts';
import { removeSchedule } from './poll-schedules.ts';

/**
 * The only part of the API that starts workflows. No request depends on it for its reply: while
 * Temporal is unreachable each call fails at once or within its deadline, and Schedules later do
 * the work from the rows in Postgres.
 */
export type Orchestrator = {
  /** Whether Temporal answers within a second, and has the namespace. */
  isReachable(): Promise<boolean>;
  /**
   * Starts the run that ingests a batch. Resolves when it is done, or after the time limit for a
   * batch. Rejects when it could not be started, or failed.
   */
  ingest(batch: IngestBatch): Promise<void>;
  /**
   * Has a committed redemption followed by a run, with others that are issued at the same time, in
   * the background. Reconcile retries a failure.
   */
  followRedemptionLater(issued: IssuedRedemption): void;
  /**
   * Starts the run that mails a committed invite in the background. Reconcile retries a failure.
   */
  sendInviteLater(id: InviteId, context: StartContext): void;
  /**
   * Starts the run that exchanges the code of a stored attempt to connect. Resolves when the
   * attempt is settled. Rejects when it could not be started or takes too long: its row then has
   * the result.
   */
  exchangeOAuthCode(attempt: StoredAttempt): Promise<void>;
  /** Starts the run of a rehearsal in the background. Reconcile retries a failure. */
  rehearseLater(id: RehearsalId, context: StartContext): void;
  /**
   * Has what is missing of a day brought in. Resolves once the run has been told, and rejects when
   * it could not be.
   */
  bringIn(day: DueDay, correlationId: string): Promise<void>;
  /** Has a tenant's events delivered in the background. Reconcile retries a failure. */
  deliverEventsLater(tenantId: TenantId, correlationId: string): void;
  /**
   * Removes the Schedule of a connection that is no longer polled. Reconcile retries a failure.
   */
  stopPollingLater(id: ConnectionId): void;
  /** How many background tasks and redemptions are waiting. */
  waiting(): number;
  close(): Promise<void>;
};

export type StartContext = { tenantId: TenantId; correlationId: string };

const REACHABLE_WITHIN_MS = 1_000;
const START_WITHIN_MS = 2_000;
/** How long a batch holds its slot of the dispatcher when no worker is running. */
const DONE_WITHIN_MS = 10_000;
/**
 * The SDK warns of a memo above 2 KiB, and a caller chooses ids of up to 128 characters. A run
 * with more requests is found by the ids of its events.
 */
const MAX_CORRELATION_IDS = 10;

const BACKGROUND_LIMITS = {
  /** More at the same time would slow down the next confirm in Postgres and Temporal. */
  maxInFlight: 4,
  /** Beyond this, reconcile takes over: it reads the rows and needs no memory for the queue. */
  maxWaiting: 2_000,
};

/** Creates the orchestrator, which connects in the background and retries until it succeeds. */
export function createOrchestrator(options: {
  temporal: TemporalSettings;
  namespace: string;
  log: Logger;
  /** The time limit for a batch. */
  doneWithinMs?: number;
}): Orchestrator {
  const { temporal, namespace, log, doneWithinMs = DONE_WITHIN_MS } = options;
  const link = connectInBackground(temporal, namespace, log);
  const start = (run: RunStart, { correlationIds, traceparents }: Origins) =>
    inStartSpan(run, traceparents, () =>
      link.call(START_WITHIN_MS, ({ workflow }) => {
        const { workflowType, ...options } = clientStart(run, firstOf(correlationIds));
        return workflow.start(workflowType, options);
      }),
    );
  const background = createBackgroundQueue({ ...BACKGROUND_LIMITS, log });
  const startLater = (run: RunStart, correlationId: string) => {
    const origins = { correlationIds: [correlationId], traceparents: openSpan() };
    background.add(`start ${run.workflowId}`, () => unlessAlreadyStarted(start(run, origins)));
  };
  const wake = async (run: Wake, causes: readonly string[]) => {
    const { workflowType, ...options } = run;
    await inStartSpan(run, causes, () =>
      link.call(START_WITHIN_MS, ({ workflow }) => workflow.signalWithStart(workflowType, options)),
    );
  };
  const redemptions = createRedemptionBatches({
    start: (batch) => unlessAlreadyStarted(start(redemptionsStart(batch), originsOf(batch))),
    log,
  });

  return {
    isReachable: () => answers(link, namespace),

    async ingest(batch) {
      const handle = await start(ingestStart(batch), batch);
      try {
        await link.call(doneWithinMs, () => handle.result());
      } catch (error) {
        if (error instanceof WorkflowFailedError) throw error;
      }
    },

    followRedemptionLater: (issued) =>
      redemptions.add({ ...issued, traceparent: currentTraceparent() }),

    sendInviteLater(id, { tenantId, correlationId }) {
      startLater(inviteMailStart({ id, tenantId }), correlationId);
    },

    rehearseLater(id, { tenantId, correlationId }) {
      startLater(rehearsalStart({ id, tenantId }), correlationId);
    },

    bringIn: (day, correlationId) => wake(repairWake(day, [correlationId]), openSpan()),

    deliverEventsLater(tenantId, correlationId) {
      const run = deliveryWake(tenantId, [correlationId]);
      const causes = openSpan();
      background.add(`wake ${run.workflowId}`, () => wake(run, causes));
    },

    exchangeOAuthCode: (attempt) => exchangeByWorkflow(link, attempt),

    stopPollingLater(id) {
      const scheduleId = pollScheduleId(id);
      background.add(`remove ${scheduleId}`, () => removeSchedule(link, scheduleId));
    },

    waiting: () => background.waiting() + redemptions.waiting(),

    async close() {
      await Promise.all([background.close(), redemptions.close()]);
      await link.close();
    },
  };
}

/** A signal to a run, and how to start it where there is none. */
type Wake = ReturnType<typeof repairWake | typeof deliveryWake>;

/** Whose work a run is to do. */
type Origins = { correlationIds: readonly string[]; traceparents: readonly string[] };

function originsOf(batch: readonly IssuedRedemption[]): Origins {
  return {
    correlationIds: batch.map((each) => each.correlationId),
    traceparents: batch.flatMap((each) => each.traceparent ?? []),
  };
}

/** Starts a run within a span, from which the run's own trace goes on. */
function inStartSpan<T>(
  { workflowType, workflowId }: { workflowType: string; workflowId: string },
  causes: readonly string[],
  start: () => Promise<T>,
): Promise<T> {
  const attributes = { temporalWorkflowID: workflowId };
  const options = { kind: 'producer', causes, attributes } as const;
  return inSpan(`StartWorkflow:${workflowType}`, options, start);
}

/** The open span as a list, which is empty when nothing is traced. */
function openSpan(): string[] {
  const open = currentTraceparent();
  return open === undefined ? [] : [open];
}

function firstOf(correlationIds: readonly string[]): string[] {
  return [...new Set(correlationIds)].slice(0, MAX_CORRELATION_IDS);
}

/**
 * A frontend says that it is there without its database; only the namespace shows that runs start.
 */
async function answers(link: TemporalConnection, namespace: string): Promise<boolean> {
  try {
    await link.call(REACHABLE_WITHIN_MS, ({ workflowService }) =>
      workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch {
    return false;
  }
}

/** Ignores that a row's run was started before, by reconcile or an earlier request, and ended. */
async function unlessAlreadyStarted(starting: Promise<unknown>): Promise<void> {
  try {
    await starting;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
