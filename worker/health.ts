import type { Metrics } from '../gateways/telemetry/metrics.ts';
import { openMetricsServer } from '../gateways/telemetry/metrics-server.ts';

/** What a worker does: it waits for Temporal, accepts work, or finishes what it has accepted. */
export type WorkerStatus = 'starting' | 'running' | 'draining';

export type Health = {
  /** The port on which it listens; undefined without one. */
  port: number | undefined;
  /** Sets what the worker does from now on. */
  now(status: WorkerStatus): void;
  close(): Promise<void>;
};

/**
 * Serves `/health` and `/metrics` on a port of their own, from the moment the process starts.
 * Without a port it only keeps the status. `/health` is 200 while the worker accepts work, and 503
 * before and after. It stays 200 when Temporal is unreachable: the worker reconnects by itself, and
 * a new one could do no better. `/health/live` is 200 at any time: by it a supervisor can tell a
 * worker that waits from one that hangs. Rejects when the port is taken.
 */
export async function openHealth(options: {
  host: string;
  port: number | undefined;
  metrics: Pick<Metrics, 'metrics'>;
}): Promise<Health> {
  let status: WorkerStatus = 'starting';
  const server = await openMetricsServer({
    ...options,
    health: () => ({ status: status === 'running' ? 200 : 503, body: { status } }),
  });
  return {
    port: options.port,
    now(next) {
      status = next;
    },
    close: () => server.close(),
  };
}
