import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export type ReceivedRequest = {
  method: string;
  /** The path with its query. */
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
};
export type HttpReply = {
  status: number;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
};
export type HttpServer = { url: string; requests: ReceivedRequest[]; close(): Promise<void> };

/** Starts a server that answers as the test decides; `hangs` leaves the request unanswered. */
export async function startHttpServer(
  answer: (request: ReceivedRequest) => HttpReply | 'hangs' | Promise<HttpReply>,
): Promise<HttpServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, body: await text(request) };
    requests.push(received);
    const reply = await answer(received);
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
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
