import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

const HERE = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

function isForHere(host: string | undefined): boolean {
  return host !== undefined && HERE.test(host);
}

export type Listener = {
  readonly port: number;
  readonly url: string;
  /** Starts handling requests; earlier ones wait until then. */
  answerWith(handler: RequestListener): void;
  /** Stops listening and closes every open connection. */
  stop(): Promise<void>;
};

/**
 * Listens on 127.0.0.1 only; port 0 picks a free port. Rejects when the port is taken. Requests for
 * any other name than this machine's are refused: a page whose name is made to point here could
 * otherwise read and press everything that it shows. The port may be another one, when forwarded.
 *
 * The port is known before the handler is set, because an OIDC issuer contains its own address.
 */
export async function listenOnLoopback(port: number): Promise<Listener> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.');

  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    answerWith: (handler) => {
      server.on('request', (request, response) => {
        if (isForHere(request.headers.host)) return handler(request, response);
        response.writeHead(421, { 'content-type': 'text/plain', connection: 'close' });
        response.end('The sandbox answers to 127.0.0.1 and localhost only.\n');
      });
    },
    async stop() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
