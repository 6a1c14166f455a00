import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type Koa from 'koa';
import { answerMalformed } from './malformed-requests.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the usual idle time of a load balancer (60 s), so that the balancer closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/**
 * A proxy may be sending a request on a connection just as we close it, and could not tell whether
 * it was served. So a connection that is idle when the draining begins is left to the proxy for
 * longer than `deploy/nginx.conf` keeps one idle (1 s), and only then closed.
 */
const LINGER_MS = 2_000;
const IDLE_CHECK_MS = 50;

export type Listening = {
  port: number;
  /**
   * Stops accepting, lets running requests finish for at most `graceMs`, then cuts them off. Each
   * answer says that its connection closes, so that no request is sent into a closing one.
   */
  close(graceMs: number): Promise<void>;
};

/** Listens for the app's requests; port 0 takes a free one. Rejects when the port is taken. */
export async function serve(
  app: Koa,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const answers = createAnswers(app.callback());
  const server = createServer(answers.answer);
  // An expectation that is not known need not be met; Node would refuse the request by itself.
  server.on('checkExpectation', answers.answer);
  answerMalformed(server);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;

  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: portOf(server),
    close: (graceMs) => drain(server, answers, graceMs),
  };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('Listens on no TCP port.');
  return address.port;
}

type Answers = {
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Has every answer from now on close its connection, also those of requests that are running. */
  beLast(): void;
};

function createAnswers(answer: Answers['answer']): Answers {
  const running = new Set<ServerResponse>();
  let areLast = false;
  return {
    answer(request, response) {
      if (areLast) response.shouldKeepAlive = false;
      running.add(response);
      response.once('close', () => running.delete(response));
      answer(request, response);
    },
    beLast() {
      areLast = true;
      for (const response of running) response.shouldKeepAlive = false;
    },
  };
}

async function drain(server: Server, answers: Answers, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  // Connections that have been made but not been accepted yet would be reset.
  await setImmediate();
  answers.beLast();
  // The HTTP server's own `close` would also cut idle connections at once.
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
