import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Returns a port on which nothing listens at 127.0.0.1: the preferred one if it is free, else a
 * random one. It is not reserved, so callers must retry when it was taken in between.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined) {
    const port = await tryPort(preferred);
    if (port !== undefined) return port;
  }
  for (;;) {
    const port = await tryPort(randomInt(LOWEST, HIGHEST + 1));
    if (port !== undefined && !given.has(port)) {
      given.add(port);
      return port;
    }
  }
}

/** Whether something accepts connections on this port of 127.0.0.1. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

// Below the ports that systems pick for outgoing connections: one of those may be taken as the port
// of a connection before the caller listens.
const LOWEST = 12_000;
const HIGHEST = 32_767;

// Otherwise two calls before the first caller listens could return the same port.
const given = new Set<number>();

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen({ host: '127.0.0.1', port, exclusive: true });
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : undefined;
}
