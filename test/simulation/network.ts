import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as send,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** The way from the service to a provider. */
export type Network = {
  /** The address that the service takes for the provider's. */
  url: string;
  /**
   * For `forMs`, what passes is late by up to `mostMs`, on its way or on its way back. Resolves
   * once all of it has arrived.
   */
  delay(delay: { forMs: number; mostMs: number }): Promise<void>;
  close(): Promise<void>;
};

type Message = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Of one connection only, or wrong for a body that was read as a whole. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** Passes all requests on to a provider; `hear` is told what is said in both directions. */
export async function startNetwork(
  provider: string,
  hear: (text: string) => void,
): Promise<Network> {
  // A kept connection that the other side closes would look like a fault.
  const agent = new Agent({ keepAlive: false });
  const late = new Set<Promise<void>>();
  let mostMs = 0;

  const wait = async (share: number) => {
    const waiting = sleep(mostMs * share);
    late.add(waiting);
    await waiting;
    late.delete(waiting);
  };
  const pass = async (request: IncomingMessage): Promise<Message> => {
    const body = await buffer(request);
    const { url = '/', headers } = request;
    hear(`${url}\n${headers.authorization}\n${body.toString()}`);
    const isLate = mostMs > 0;
    const isLateThere = Math.random() < 0.5;
    if (isLate && isLateThere) await wait(Math.random());
    // A caller that has given up meanwhile does not call it back.
    const answer = await forward(new URL(url, provider), request, { agent, body });
    hear(`${answer.headers.location}\n${tokensIn(answer.body)}`);
    if (isLate && !isLateThere) await wait(Math.random());
    return answer;
  };

  const server = createServer((request, response) => {
    pass(request).then(
      ({ status, headers, body }) => response.writeHead(status, passedOn(headers)).end(body),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The network has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async delay(delay) {
      mostMs = delay.mostMs;
      await sleep(delay.forMs);
      mostMs = 0;
      await Promise.all(late);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, 'close');
    },
  };
}

async function forward(
  url: URL,
  { method, headers }: IncomingMessage,
  { agent, body }: { agent: Agent; body: Buffer },
): Promise<Message> {
  const passing = send(url, { method, headers: passedOn(headers), agent });
  passing.end(body);
  const [answer]: IncomingMessage[] = await once(passing, 'response');
  if (answer === undefined) throw new Error('The provider did not answer.');
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
}

function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

/** An answer has tokens, but its field `code` is that of an error. */
function tokensIn(body: Buffer): string {
  return body.toString().replaceAll('"code"', '');
}
