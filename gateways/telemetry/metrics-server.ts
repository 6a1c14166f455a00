import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Metrics } from './metrics.ts';

export type MetricsServer = { close(): Promise<void> };

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves `/metrics`, and `/health` if given, on a port of its own, apart from the clients' port.
 * With the second there is `/health/live`, which is 200 for as long as the process runs. Without a
 * port it serves nothing. Rejects when the port is taken.
 */
export async function openMetricsServer(options: {
  host: string;
  port: number | undefined;
  metrics: Pick<Metrics, 'metrics'>;
  /** The reply to `/health`. With it, errors are JSON too; without it, plain text. */
  health?: () => { status: number; body: object };
}): Promise<MetricsServer> {
  const { host, port, metrics, health } = options;
  if (port === undefined) return { close: async () => {} };

  const errors = health === undefined ? PLAIN_ERRORS : JSON_ERRORS;
  const server = createServer(async ({ url }, response) => {
    if (url === '/health' && health !== undefined) {
      const { status, body } = health();
      return answerJson(response, status, body);
    }
    if (url === '/health/live' && health !== undefined) {
      return answerJson(response, 200, { status: 'live' });
    }
    if (url !== '/metrics') return errors.notFound(response);
    try {
      const text = await metrics.metrics();
      response.setHeader('content-type', PROMETHEUS_TEXT).end(text);
    } catch {
      errors.notGathered(response);
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Errors = Record<'notFound' | 'notGathered', (response: ServerResponse) => void>;

const PLAIN_ERRORS: Errors = {
  notFound: (response) => response.writeHead(404).end('Nothing is here. Ask for /metrics.\n'),
  notGathered: (response) => response.writeHead(500).end('The metrics could not be gathered.\n'),
};

const JSON_ERRORS: Errors = {
  notFound: (response) => answerJson(response, 404, { error: 'Nothing is here.' }),
  notGathered: (response) =>
    answerJson(response, 500, { error: 'The metrics could not be gathered.' }),
};

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
