import type { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { connectUntilAborted, type TemporalSettings } from '../../gateways/temporal/connection.ts';
import { withinMs } from '../../gateways/timing.ts';
import { createClient } from './client.ts';

export type TemporalConnection = {
  /** Makes a call. Rejects when it takes longer than `limitMs` or there is no connection yet. */
  call<T>(limitMs: number, work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Connects to a namespace in the background, and retries until it succeeds. */
export function connectInBackground(
  temporal: TemporalSettings,
  namespace: string,
  log: Logger,
): TemporalConnection {
  const closing = new AbortController();
  // One client for all calls: to create one costs as much as to start a run.
  let open: { connection: NativeConnection; client: Client } | undefined;

  const connected = connectUntilAborted(temporal, log, closing.signal).then((connection) => {
    if (connection) open = { connection, client: createClient(connection, namespace) };
  });

  return {
    async call(limitMs, work) {
      if (open === undefined) throw new Error('There is no connection to Temporal yet.');
      const { client } = open;
      const call = client.withDeadline(Date.now() + limitMs, () => work(client));
      // When the server is gone, the SDK retries for seconds after the deadline.
      return withinMs(call, limitMs, { message: 'Temporal did not answer in time.' });
    },
    async close() {
      closing.abort();
      await connected;
      await open?.connection.close();
    },
  };
}
