import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { answerUnreadable } from './unreadable-requests.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the usual idle time of a load balancer (60 s), so that the balancer closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const IDLE_CHECK_MS = 50;

export type Listening = {
  port: number;
  /** Stops accepting, lets running requests finish for at most `graceMs`, then cuts them off. */
  close(graceMs: number): Promise<void>;
};

/** Listens for the app's requests; port 0 takes a free one. Rejects when the port is taken. */
export async function serve(
  app: Koa,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const answer = app.callback();
  const server = createServer(answer);
  // An expectation that is not known need not be met; Node would refuse the request by itself.
  server.on('checkExpectation', answer);
  answerUnreadable(server);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;

  server.listen(port, host);
  await once(server, 'listening');
  return { port: portOf(server), close: (graceMs) => drain(server, graceMs) };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('Listens on no TCP port.');
  return address.port;
}

async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection that was busy when the closing began stays open once it is idle: look again.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
