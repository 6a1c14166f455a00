import { Agent, type IncomingMessage, request } from 'node:http';

/** The outcome of one request: its status, or the error code with which the connection ended. */
export type Attempt = { at: number; status: number | string; ms: number };

export type Client = {
  post(
    path: string,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<Attempt & { text: string }>;
  close(): void;
};

/** Longer than the proxy waits for an API, so that the proxy always answers first. */
const TIMEOUT_MS = 60_000;

/** Creates a client that keeps its connections open and never repeats a request. */
export function createClient(port: number, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    async post(path, headers, body) {
      const at = Date.now();
      try {
        const { status, text } = await send(agent, { port, path, headers }, body);
        return { at, status, text, ms: Date.now() - at };
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        return { at, status: code, text: '', ms: Date.now() - at };
      }
    },
    close: () => agent.destroy(),
  };
}

function send(
  agent: Agent,
  to: { port: number; path: string; headers: Record<string, string> },
  body: Buffer,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', method: 'POST', agent, timeout: TIMEOUT_MS, ...to };
    const sent = request(options, (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        reject,
      );
    });
    sent.once('timeout', () => sent.destroy(Object.assign(new Error('late'), { code: 'TIMEOUT' })));
    sent.once('error', reject);
    sent.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/**
 * Calls `act` this many times per second for as long as `shouldContinue` holds, without waiting for
 * earlier calls. Returns the number of calls once all of them have ended.
 */
export async function atRate(
  perSecond: number,
  shouldContinue: (seconds: number) => boolean,
  act: (nth: number) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  const acts: Promise<void>[] = [];
  for (;;) {
    const seconds = (performance.now() - startedAt) / 1000;
    if (!shouldContinue(seconds)) break;
    while (acts.length < seconds * perSecond) acts.push(act(acts.length));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(acts);
  return acts.length;
}
