import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** `K`, and the length of what a server says to a new session: its process and a secret. */
const SESSION_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

/**
 * Passes sessions on to a database and says, as a pooler does, that another process serves them.
 * Returns the address of the same database behind it.
 */
export async function startFakePooler(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream);
    upstream.on('data', (bytes) => {
      const at = bytes.indexOf(SESSION_KEY);
      if (at !== -1) bytes.writeInt32BE(1, at + SESSION_KEY.length);
      client.write(bytes);
    });
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${address.port}`;
  return { url: url.href, close: () => server.close() };
}
