import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** What a worker does: it waits for Temporal, works, or finishes what it has in hand. */
export type WorkerStatus = 'starting' | 'running' | 'draining';

/** What is told of the worker, as Prometheus reads it. */
export type Metrics = { metrics(): Promise<string> };

export type Health = {
  /** The port that is listened on; undefined where none was wanted. */
  port: number | undefined;
  /** Says what the worker does from now on. */
  now(status: WorkerStatus): void;
  close(): Promise<void>;
};

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves `/health` and `/metrics` on a port of their own, from the moment the process starts; only
 * keeps the status where no port is wanted. `/health` is 200 while the worker takes on work, and 503
 * before and after. It stays 200 when Temporal goes away: the worker finds its way back by itself,
 * and a new one could do no better. Rejects when the port is taken.
 */
export async function openHealth(options: {
  host: string;
  port: number | undefined;
  metrics: Metrics;
}): Promise<Health> {
  const { host, port, metrics } = options;
  let status: WorkerStatus = 'starting';
  const now = (next: WorkerStatus) => {
    status = next;
  };
  if (port === undefined) return { port, now, close: async () => {} };

  const server = createServer(async (request, response) => {
    if (request.url === '/health') return answerJson(response, isWell(status), { status });
    if (request.url !== '/metrics') return answerJson(response, 404, { error: 'Nothing is here.' });
    try {
      const text = await metrics.metrics();
      response.setHeader('content-type', PROMETHEUS_TEXT).end(text);
    } catch {
      answerJson(response, 500, { error: 'The metrics could not be gathered.' });
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port,
    now,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isWell(status: WorkerStatus): number {
  return status === 'running' ? 200 : 503;
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
