import { isGrpcServiceError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { connectUntilAborted, type TemporalSettings } from '../../gateways/temporal/connection.ts';
import { withinMs } from '../../gateways/timing.ts';

export type TemporalConnection = {
  /** Makes a call. Rejects when it takes longer than `limitMs` or there is no connection yet. */
  call<T>(limitMs: number, work: (connection: NativeConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** How long runs are started without search attributes after the cluster has refused them. */
const RETRY_ATTRIBUTES_MS = 60_000;
const INVALID_ARGUMENT = 3;

/** Connects to Temporal in the background, and retries until it succeeds. */
export function connectInBackground(temporal: TemporalSettings, log: Logger): TemporalConnection {
  const closing = new AbortController();
  let connection: NativeConnection | undefined;

  const connected = connectUntilAborted(temporal, log, closing.signal).then((made) => {
    connection = made;
  });

  return {
    async call(limitMs, work) {
      const open = connection;
      if (open === undefined) throw new Error('There is no connection to Temporal yet.');
      const call = open.withDeadline(Date.now() + limitMs, () => work(open));
      // When the server is gone, the SDK retries for seconds after the deadline.
      return withinMs(call, limitMs, { message: 'Temporal did not answer in time.' });
    },
    async close() {
      closing.abort();
      await connected;
      await connection?.close();
    },
  };
}

/**
 * Returns a function that starts runs with their search attributes, or without them while the
 * cluster does not have them registered: it refuses a run that names unknown ones.
 */
export function createSearchAttributeGuard(log: Logger) {
  let missingUntil = 0;
  return async <T>(start: (searchAttributes: boolean) => Promise<T>): Promise<T> => {
    const searchAttributes = Date.now() >= missingUntil;
    try {
      return await start(searchAttributes);
    } catch (error) {
      if (!searchAttributes || !isGrpc(error, INVALID_ARGUMENT)) throw error;
      // Another start may have been refused at the same time.
      if (Date.now() >= missingUntil) {
        const event = 'search_attributes_missing';
        log.warn({ event }, 'Runs cannot be found by tenant: search attributes are not registered');
        missingUntil = Date.now() + RETRY_ATTRIBUTES_MS;
      }
      return start(false);
    }
  };
}

function isGrpc(error: unknown, code: number): boolean {
  const cause = error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error;
  return isGrpcServiceError(cause) && Number(cause.code) === code;
}
