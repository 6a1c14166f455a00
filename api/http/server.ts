import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type Koa from 'koa';
import { answerMalformed, refuseHeaders } from './requests/malformed-requests.ts';

/** What bounds callers of whom nothing is known yet. */
export type ServerLimits = {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** Between two looks for connections that have exceeded a timeout. */
  checkEveryMs: number;
  keepAliveTimeoutMs: number;
  /** Further connections are closed at once. Those of open streams come on top. */
  maxConnections: number;
  /** The last response of a connection says that it closes. */
  maxRequestsPerConnection: number;
  /** A request with more headers is refused. */
  maxHeaders: number;
  maxHeaderBytes: number;
};

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkEveryMs: 1_000,
  // Longer than a load balancer's usual idle timeout (60 s), so that the balancer closes first.
  keepAliveTimeoutMs: 65_000,
  // With a webhook of the usual size in each, a quarter of what the compose file allows a process.
  maxConnections: 2_000,
  maxRequestsPerConnection: 1_000,
  maxHeaders: 100,
  maxHeaderBytes: 16 * 1024,
};

/**
 * A proxy may be sending a request on a connection just as we close it, and could not tell whether
 * it was served. So a connection that is idle when draining begins stays open for longer than
 * `deploy/nginx/nginx.conf` keeps one idle (1 s), and only then is closed.
 */
const LINGER_MS = 2_000;
const IDLE_CHECK_MS = 50;

export type Listening = {
  port: number;
  /**
   * Stops accepting connections, gives running requests at most `graceMs` to finish, then cuts them
   * off. Every response announces that its connection closes, so that no further request uses it.
   */
  close(graceMs: number): Promise<void>;
};

type ServerOptions = {
  host: string;
  port: number;
  limits?: ServerLimits;
  /** How many connections are open streams, which are bounded elsewhere. */
  streams?: () => number;
};

/** Serves the app over HTTP; port 0 picks a free port. Rejects when the port is taken. */
export async function serve(
  app: Koa,
  { host, port, limits = SERVER_LIMITS, streams = () => 0 }: ServerOptions,
): Promise<Listening> {
  const serveRequest = app.callback();
  const responses = trackResponses((request, response) => {
    if (request.rawHeaders.length > 2 * limits.maxHeaders) refuseHeaders(response);
    else serveRequest(request, response);
  });
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    responses.handle,
  );
  // An unknown expectation need not be met; without this, Node would refuse the request.
  server.on('checkExpectation', responses.handle);
  answerMalformed(server);
  server.headersTimeout = limits.headersTimeoutMs;
  server.requestTimeout = limits.requestTimeoutMs;
  server.keepAliveTimeout = limits.keepAliveTimeoutMs;
  // Read for each new connection.
  Object.defineProperty(server, 'maxConnections', {
    get: () => limits.maxConnections + streams(),
  });
  server.maxRequestsPerSocket = limits.maxRequestsPerConnection;
  // Node drops headers beyond this number without a word, so it keeps one more than is accepted.
  server.maxHeadersCount = limits.maxHeaders + 1;

  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: portOf(server),
    close: (graceMs) => drain(server, responses, graceMs),
  };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server has no TCP port.');
  return address.port;
}

type TrackedResponses = {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Makes every response from now on close its connection, including those of running requests. */
  closeConnections(): void;
};

function trackResponses(handle: TrackedResponses['handle']): TrackedResponses {
  const running = new Set<ServerResponse>();
  let isClosing = false;
  return {
    handle(request, response) {
      if (isClosing) response.shouldKeepAlive = false;
      running.add(response);
      response.once('close', () => running.delete(response));
      handle(request, response);
    },
    closeConnections() {
      isClosing = true;
      for (const response of running) response.shouldKeepAlive = false;
    },
  };
}

async function drain(server: Server, responses: TrackedResponses, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  // Connections that are established but not yet accepted would be reset.
  await setImmediate();
  responses.closeConnections();
  // The HTTP server's own `close` would also close idle connections at once.
  NetServer.prototype.close.call(server);
  const lingersUntil = performance.now() + LINGER_MS;
  const sweep = setInterval(() => {
    if (performance.now() >= lingersUntil) server.closeIdleConnections();
  }, IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
