import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export type ErrorCollector = { dsn: string; reports(): string; stop(): Promise<void> };

/** Starts a server that takes error reports as Sentry does, and keeps their text. */
export async function startErrorCollector(): Promise<ErrorCollector> {
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const isPacked = request.headers['content-encoding'] === 'gzip';
    texts.push(`${request.url}\n${(isPacked ? gunzipSync(body) : body).toString()}`);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return {
    dsn: `http://publickey@127.0.0.1:${address.port}/7`,
    reports: () => texts.join('\n'),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
