import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export type Heard = {
  method: string;
  /** The path with its query. */
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
};
export type Said = {
  status: number;
  /** Sent as JSON, unless it is text. */
  body?: unknown;
  headers?: Record<string, string>;
};
export type HttpServer = { url: string; heard: Heard[]; close(): Promise<void> };

/** A server on a port of its own that says what it is told to; `hangs` never answers. */
export async function startHttpServer(
  answer: (request: Heard) => Said | 'hangs',
): Promise<HttpServer> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const said = { method, path: url, headers, body: await text(request) };
    heard.push(said);
    const reply = answer(said);
    if (reply === 'hangs') return;
    const { status, body = '', headers: more } = reply;
    const isText = typeof body === 'string';
    response.writeHead(status, { ...(!isText && { 'content-type': 'application/json' }), ...more });
    response.end(isText ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    heard,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
