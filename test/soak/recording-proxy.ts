import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { listenOnLoopback } from '../../sandbox/processes/listen.ts';

/** The address of the service, behind which the API may be killed and started again. */
export type RecordingProxy = {
  url: string;
  /** The correlation ids of the webhooks that were answered with 200, in the order of answers. */
  acknowledged: readonly string[];
  /** How many webhooks were answered with each status; 502 where the API did not answer. */
  statuses: ReadonlyMap<number, number>;
  /** Returns the milliseconds that webhooks waited for their 200 since the last call. */
  takeWaits(): number[];
  stop(): Promise<void>;
};

const WEBHOOKS = '/api/v1/webhooks/';
const CORRELATION = 'x-correlation-id';

/** Passes requests on to the API at this port, and records what becomes of webhooks. */
export async function startRecordingProxy(apiPort: number): Promise<RecordingProxy> {
  const agent = new Agent({ keepAlive: true });
  const acknowledged: string[] = [];
  const statuses = new Map<number, number>();
  let waits: number[] = [];

  const record = (answer: { status: number; correlationId: string; ms: number }) => {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status !== 200) return;
    acknowledged.push(answer.correlationId);
    waits.push(answer.ms);
  };
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, url: path = '', headers } = incoming;
    const startedAt = performance.now();
    const ended = (status: number, correlationId = '') => {
      if (!path.startsWith(WEBHOOKS)) return;
      record({ status, correlationId, ms: performance.now() - startedAt });
    };
    const forwarded = request({ host: '127.0.0.1', port: apiPort, method, path, headers, agent });
    forwarded.once('response', (answer) => {
      const { statusCode: status = 502, headers: named } = answer;
      if (outgoing.destroyed) {
        // The provider has not waited so long, and sends the webhook again.
        answer.resume();
        return ended(502);
      }
      outgoing.writeHead(status, named);
      pipeline(answer, outgoing, (error) => {
        // An answer that was cut off did not reach the provider, which sends the webhook again.
        if (error) outgoing.destroy();
        ended(error ? 502 : status, String(named[CORRELATION]));
      });
    });
    forwarded.on('error', () => {
      if (outgoing.headersSent) return;
      if (!outgoing.destroyed) outgoing.writeHead(502).end();
      ended(502);
    });
    incoming.pipe(forwarded);
  };
  const listener = await listenOnLoopback(0);
  listener.answerWith(pass);
  return {
    url: listener.url,
    acknowledged,
    statuses,
    takeWaits() {
      const taken = waits;
      waits = [];
      return taken;
    },
    async stop() {
      await listener.stop();
      agent.destroy();
    },
  };
}
