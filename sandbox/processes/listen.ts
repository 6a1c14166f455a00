import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

export type Listener = {
  readonly port: number;
  readonly url: string;
  /** Starts handling requests; earlier ones wait until then. */
  answerWith(handler: RequestListener): void;
  /** Stops listening and closes every open connection. */
  stop(): Promise<void>;
};

/**
 * Listens on 127.0.0.1 only; port 0 picks a free port. Rejects when the port is taken.
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
      server.on('request', handler);
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
