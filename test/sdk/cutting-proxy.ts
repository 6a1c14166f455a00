import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type CuttingProxy = {
  url: string;
  /** How many connections were made. */
  connections(): number;
  /** How many of the next answers are lost: the service has answered, and nothing arrives. */
  answersToLose: number;
  /** Breaks every open connection. */
  cut(): void;
  /** While true, no connection can be made. */
  isDown: boolean;
  close(): Promise<void>;
};

/** Starts a proxy of TCP connections before a service, which breaks them as a test wishes. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const open = new Set<Socket>();
  let made = 0;
  const server = createServer((client) => {
    made += 1;
    if (proxy.isDown) {
      client.destroy();
      return;
    }
    const service = connect(Number(targetPort), hostname);
    for (const socket of [client, service]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        service.destroy();
      });
    }
    client.pipe(service);
    service.on('data', (bytes) => {
      if (proxy.answersToLose > 0) {
        proxy.answersToLose -= 1;
        client.destroy();
      } else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => made,
    answersToLose: 0,
    cut,
    isDown: false,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
