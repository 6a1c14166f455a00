import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '../../sandbox/processes/listen.ts';
import { type Chance, chanceOf } from './chance.ts';

/** A message as it came, and whether its receiver has taken it. */
export type Message = { headers: IncomingHttpHeaders; body: string; isTaken: boolean };

/** The systems of a shop: an address, and all that came there, in its order. */
export type Inbox = { url: string; messages: Message[] };

/** The systems of all shops of a deployment, which sometimes fail. */
export type Receiver = {
  /** Gives a shop an address of its own. */
  open(name: string): Inbox;
  close(): Promise<void>;
};

/** What becomes of a message: most are taken, some late, and some are not, as far as is told. */
const ENDS = { taken: 90, slow: 3, refused: 3, cut: 1, 'taken and cut': 2, 'taken, then 500': 1 };
/** Far less than a sender waits, and more than an answer takes. */
const SLOW_MS = 400;

/** Starts to receive; the seed draws what fails. */
export async function startReceiver(seed: number): Promise<Receiver> {
  const chance = chanceOf(seed);
  const inboxes = new Map<string, Inbox>();
  const listener = await listenOnLoopback(0);
  listener.answerWith(async (request, response) => {
    // A sender that is killed breaks off.
    const body = await text(request).catch(() => undefined);
    const inbox = inboxes.get(request.url ?? '');
    if (body === undefined || inbox === undefined) {
      response.writeHead(404).end();
      return;
    }
    const message = { headers: request.headers, body, isTaken: false };
    inbox.messages.push(message);
    await answer(message, response, chance);
  });
  return {
    open(name) {
      const inbox = { url: `${listener.url}/${name}`, messages: [] };
      inboxes.set(`/${name}`, inbox);
      return inbox;
    },
    close: () => listener.stop(),
  };
}

async function answer(message: Message, response: ServerResponse, chance: Chance): Promise<void> {
  const end = chance.weighted(ENDS);
  message.isTaken = end.startsWith('taken') || end === 'slow';
  if (end === 'slow') await sleep(SLOW_MS);
  if (end === 'cut' || end === 'taken and cut') response.destroy();
  else response.writeHead(end === 'refused' || end === 'taken, then 500' ? 500 : 204).end();
}

/** What is wrong with how a message is signed, by the Standard Webhooks specification. */
export function problemOfSignature({ headers, body }: Message, secret: string): string | undefined {
  const [id, sentAt, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  if (!/^\d{10}$/.test(sentAt ?? '')) return `says that it was sent at ${sentAt}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest();
  const given = (signatures ?? '').split(' ').flatMap((each) => {
    const bytes = Buffer.from(each.replace(/^v1,/, ''), 'base64');
    return each.startsWith('v1,') && bytes.length === expected.length ? [bytes] : [];
  });
  if (given.some((each) => timingSafeEqual(each, expected))) return undefined;
  return 'is not signed with the secret of its address';
}
