import { once } from 'node:events';
import { createServer } from 'node:http';

export type MetricsPort = { close(): Promise<void> };

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves `/metrics` on a port of its own, apart from what clients can reach; nothing where no port
 * is wanted. Rejects when the port is taken.
 */
export async function openMetricsPort(options: {
  host: string;
  port: number | undefined;
  metrics: { metrics(): Promise<string> };
}): Promise<MetricsPort> {
  const { host, port, metrics } = options;
  if (port === undefined) return { close: async () => {} };

  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end('Nothing is here. Ask for /metrics.\n');
      return;
    }
    try {
      const text = await metrics.metrics();
      response.setHeader('content-type', PROMETHEUS_TEXT).end(text);
    } catch {
      response.writeHead(500).end('The metrics could not be gathered.\n');
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
