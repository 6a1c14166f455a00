import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { headers: IncomingHttpHeaders; id: string; body: string };

export type Receiver = {
  url: string;
  /** All that it was sent, refused messages included. */
  received: Received[];
  /** What it answers from now on: a status, or `hang` for none. */
  answer(status: number | 'hang', headers?: Record<string, string>): void;
  /** Ids of the messages that it took. */
  taken(): string[];
  close(): Promise<void>;
};

/** An endpoint of a tenant on this machine. `close` it at the end. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const taken: string[] = [];
  let answer: { status: number | 'hang'; headers: Record<string, string> } = {
    status: 200,
    headers: {},
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const id = String(request.headers['webhook-id']);
    received.push({ headers: request.headers, id, body: Buffer.concat(parts).toString() });
    const { status, headers } = answer;
    if (status === 'hang') return;
    if (status < 300) taken.push(id);
    response.writeHead(status, headers).end('Thanks');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answer(status, headers = {}) {
      answer = { status, headers };
    },
    taken: () => taken,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
