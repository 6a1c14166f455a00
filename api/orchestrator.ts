import { setTimeout as sleep } from 'node:timers/promises';
import { Client, isGrpcServiceError, WorkflowFailedError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../gateways/logger.ts';
import { connectTemporal, type TemporalSettings } from '../gateways/temporal.ts';
import { INGEST_TASK_TIMEOUT, ingestWorkflowId, TASK_QUEUE } from '../workflows/ids.ts';
import type { ingestEvents } from '../workflows/ingest-events.ts';
import { ingestAttributes, ingestSummary } from '../workflows/search-attributes.ts';
import type { Batch } from './hand-over.ts';

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
  ingest(batch: Batch): Promise<void>;
  close(): Promise<void>;
};

const RECONNECT_MS = 2_000;
const REACHABLE_WITHIN_MS = 1_000;
const START_WITHIN_MS = 2_000;
/** With every worker away a batch would hold its slot for as long. */
const DONE_WITHIN_MS = 10_000;
/** How long runs go without search attributes after the cluster said that it has none of them. */
const ASK_AGAIN_MS = 60_000;
/** A memo should stay small; a run with more events is found by their ids. */
const MAX_CORRELATION_IDS = 20;

const INVALID_ARGUMENT = 3;

/** Connects in the background, for as long as it takes. */
export function createOrchestrator(options: {
  temporal: TemporalSettings;
  namespace: string;
  log: Logger;
}): Orchestrator {
  const { temporal, namespace, log } = options;
  const closing = new AbortController();
  let connection: NativeConnection | undefined;
  let searchableFrom = 0;

  const connected = (async () => {
    for (let isFirst = true; !closing.signal.aborted; isFirst = false) {
      try {
        connection = await connectTemporal(temporal);
        log.info({ address: temporal.address }, 'Connected to Temporal');
        return;
      } catch {
        if (isFirst) log.warn({ address: temporal.address }, 'Temporal cannot be reached yet');
        await sleep(RECONNECT_MS, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  })();

  const reach = (): NativeConnection => {
    if (connection === undefined) throw new Error('There is no connection to Temporal yet.');
    return connection;
  };

  const startIngest = (batch: Batch, searchable: boolean) => {
    const { provider, eventIds, tenantIds, correlationIds } = batch;
    const client = new Client({ connection: reach(), namespace });
    return reach().withDeadline(Date.now() + START_WITHIN_MS, () =>
      client.workflow.start<typeof ingestEvents>('ingestEvents', {
        taskQueue: TASK_QUEUE,
        workflowId: ingestWorkflowId(provider, eventIds[0] ?? ''),
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        workflowTaskTimeout: INGEST_TASK_TIMEOUT,
        args: [eventIds],
        staticSummary: ingestSummary(provider, eventIds.length),
        memo: { correlationIds: [...new Set(correlationIds)].slice(0, MAX_CORRELATION_IDS) },
        ...(searchable ? { typedSearchAttributes: ingestAttributes(provider, tenantIds) } : {}),
      }),
    );
  };

  return {
    async isReachable() {
      try {
        const deadline = Date.now() + REACHABLE_WITHIN_MS;
        await reach().withDeadline(deadline, () => reach().workflowService.getSystemInfo({}));
        return true;
      } catch {
        return false;
      }
    },

    async ingest(batch) {
      const searchable = Date.now() >= searchableFrom;
      const handle = await startIngest(batch, searchable).catch((error: unknown) => {
        if (!searchable || !isGrpc(error, INVALID_ARGUMENT)) throw error;
        log.warn('Runs cannot be found by tenant for now: search attributes are not registered');
        searchableFrom = Date.now() + ASK_AGAIN_MS;
        return startIngest(batch, false);
      });
      try {
        await reach().withDeadline(Date.now() + DONE_WITHIN_MS, () => handle.result());
      } catch (error) {
        if (error instanceof WorkflowFailedError) throw error;
      }
    },

    async close() {
      closing.abort();
      await connected;
      await connection?.close();
    },
  };
}

function isGrpc(error: unknown, code: number): boolean {
  const cause = error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error;
  return isGrpcServiceError(cause) && Number(cause.code) === code;
}
