import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { connectUntilAborted, type TemporalSettings } from '../../gateways/temporal/connection.ts';
import { withinMs } from '../../gateways/timing.ts';

export type TemporalConnection = {
  /** Makes a call. Rejects when it takes longer than `limitMs` or there is no connection yet. */
  call<T>(limitMs: number, work: (connection: NativeConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

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
