import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { writeAtomically } from '../write-atomically.ts';

const KEPT_DELIVERIES = 100;
const KEPT_SECRETS = 10;

export const BEHAVIOURS = ['accept', 'answer 500', 'hang'] as const;
/** What the receiver does with the next deliveries. */
export type Behaviour = (typeof BEHAVIOURS)[number];

/** The headers of the standard, and the bytes that were signed. */
export type Delivered = { id: string; timestamp: string; signature: string; body: string };

/** A delivery as the page shows it. */
export type Delivery = {
  at: string;
  id: string;
  type: string;
  /** How often the id was delivered so far, as far as it is kept. */
  attempt: number;
  check: string;
  answer: string;
  body: string;
};

/** The status to answer with; undefined: not at all. */
export type Answer = { status: 200 | 401 | 500 | undefined };

export type Receiver = {
  /** Checks and keeps a delivery, and says how to answer it. */
  receive(delivered: Delivered): Answer;
  /** The last hundred, newest first. */
  deliveries(): Delivery[];
  /** Checks signatures with this secret, too. Throws a RangeError when it is none. */
  trust(secret: string, endpointId?: string): void;
  secrets(): readonly string[];
  /** The endpoint that the button has created, for test events. */
  endpointId(): string | undefined;
  behaviour: Behaviour;
};

const Kept = z.object({ secrets: z.array(z.string()), endpointId: z.string().optional() });

/**
 * Creates a receiver of webhooks as an app would write one: signatures are verified by the library
 * of the Standard Webhooks specification. Secrets are kept in the file across restarts.
 */
export function createReceiver(file?: string): Receiver {
  let kept = readKept(file);
  const newestFirst: Delivery[] = [];
  const receiver: Receiver = {
    behaviour: 'accept',
    receive(delivered) {
      const check = checkOf(delivered, kept.secrets);
      const answer = answerTo(receiver.behaviour, check);
      const { id, body } = delivered;
      newestFirst.unshift({
        at: new Date().toISOString(),
        id,
        type: typeOf(body),
        attempt: newestFirst.filter((earlier) => earlier.id === id).length + 1,
        check,
        answer: answer.status === undefined ? 'none' : String(answer.status),
        body,
      });
      newestFirst.splice(KEPT_DELIVERIES);
      return answer;
    },
    deliveries: () => [...newestFirst],
    trust(secret, endpointId) {
      requireSecret(secret);
      const secrets = [secret, ...kept.secrets.filter((each) => each !== secret)];
      kept = { secrets: secrets.slice(0, KEPT_SECRETS), endpointId: endpointId ?? kept.endpointId };
      if (file !== undefined) writeAtomically(file, JSON.stringify(kept, null, 2));
    },
    secrets: () => kept.secrets,
    endpointId: () => kept.endpointId,
  };
  return receiver;
}

const VERIFIED = 'verified';
const UNCHECKED = 'not checked: no secret is known here';

function checkOf({ id, timestamp, signature, body }: Delivered, secrets: readonly string[]) {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  };
  let reason: string = UNCHECKED;
  for (const secret of secrets) {
    try {
      new Webhook(secret).verify(body, headers);
      return VERIFIED;
    } catch (error) {
      reason = `refused: ${error instanceof Error ? error.message : error}`;
    }
  }
  return reason;
}

function answerTo(behaviour: Behaviour, check: string): Answer {
  if (behaviour === 'hang') return { status: undefined };
  if (behaviour === 'answer 500') return { status: 500 };
  return { status: check === VERIFIED || check === UNCHECKED ? 200 : 401 };
}

function typeOf(body: string): string {
  try {
    return z.object({ type: z.string() }).parse(JSON.parse(body)).type;
  } catch {
    return 'unreadable';
  }
}

function requireSecret(secret: string): void {
  if (/^whsec_[A-Za-z0-9+/]{32,128}={0,2}$/.test(secret)) return;
  throw new RangeError('A secret begins with whsec_ and goes on with 24 to 64 bytes in base64.');
}

function readKept(file: string | undefined): z.output<typeof Kept> {
  try {
    if (file !== undefined) return Kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Lost or damaged: the secrets can be pasted, or an endpoint created, again.
  }
  return { secrets: [] };
}
