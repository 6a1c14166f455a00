import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type RawRequest = {
  method: string;
  /** Sent as it is, neither escaped nor normalised. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
};
export type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };
export type RawClient = { ask(request: RawRequest): Promise<RawAnswer>; close(): void };

/** Longer than any request takes on a slow machine. */
const HANGS_MS = 15_000;

/** A client that sends what `fetch` would refuse or normalise; a missing response is an error. */
export function createRawClient(url: string): RawClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  return {
    ask: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = { 'content-length': String(body?.length ?? 0) };
        const request = httpRequest({
          agent,
          hostname,
          port,
          method,
          path,
          headers: { ...headers, ...(body !== undefined && length) },
          signal: AbortSignal.timeout(HANGS_MS),
        });
        request.on('error', reject);
        request.on('response', (response) => {
          const { statusCode: status = 0, headers: received } = response;
          // A stream would go on for as long as its token.
          if (received['content-type']?.startsWith('text/event-stream')) {
            response.destroy();
            resolve({ status, headers: received, body: Buffer.alloc(0) });
            return;
          }
          buffer(response).then(
            (bytes) => resolve({ status, headers: received, body: bytes }),
            reject,
          );
        });
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}
