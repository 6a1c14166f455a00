import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

export type Listener = {
  readonly port: number;
  readonly url: string;
  /** Starts answering: a request that came before it waits for nothing but this. */
  answerWith(handler: RequestListener): void;
  /** Stops listening and cuts every open connection. */
  stop(): Promise<void>;
};

/**
 * Listens on 127.0.0.1 only; port 0 takes a free one.
 *
 * The port is known before the handler is, because an OIDC issuer names its
 * own address. Rejects when the port is taken.
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
