import type { IncomingMessage } from 'node:http';
import { AddressError, type Resolve, resolveByDns } from './addresses.ts';
import { type Calling, postToPublic } from './post.ts';
import { signedHeaders } from './signature.ts';

/** A message to an endpoint; the body is what is signed. */
export type Message = {
  id: string;
  url: string;
  body: string;
  secrets: readonly string[];
};

/** What came of sending a message. Without an answer, `error` says why. */
export type Sent = {
  isTaken: boolean;
  milliseconds: number;
  responseStatus: number | null;
  /** The first 1 KiB of the answer. */
  response: string | null;
  /** In a few words, for the tenant; null when the endpoint took the message. */
  error: string | null;
};

export type WebhookSender = {
  /** Sends a message once. Never rejects. */
  send(message: Message): Promise<Sent>;
};

const WITHIN_MS = 10_000;
const MAX_READ_BYTES = 64 * 1024;
const KEPT_BYTES = 1024;

/**
 * Creates what sends webhooks. A name is resolved once, all of its addresses are judged, and one of
 * those is connected to. A redirect is an answer like any other that is not 2xx. DNS, connecting
 * and the answer have ten seconds together; of the answer 64 KiB are read.
 */
export function createWebhookSender(options: {
  /** Whether http and this machine are allowed, as in the sandbox. */
  allowsLoopback: boolean;
  resolve?: Resolve;
  withinMs?: number;
}): WebhookSender {
  const { allowsLoopback, resolve = resolveByDns, withinMs = WITHIN_MS } = options;
  return {
    async send(message) {
      const began = performance.now();
      const signal = AbortSignal.timeout(withinMs);
      const answer = { responseStatus: null, response: null };
      try {
        const sent = await post(message, { allowsLoopback, resolve, signal });
        return { ...sent, ...took(began) };
      } catch (error) {
        const text = signal.aborted ? `No answer within ${withinMs / 1_000} s.` : textOf(error);
        return { isTaken: false, ...answer, error: text, ...took(began) };
      }
    },
  };
}

function took(began: number) {
  return { milliseconds: Math.round(performance.now() - began) };
}

function textOf(error: unknown): string {
  if (error instanceof AddressError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z_0-9]+$/.test(code) ? `The request failed: ${code}.` : 'The request failed.';
}

async function post(
  { id, url, body, secrets }: Message,
  calling: Calling,
): Promise<Omit<Sent, 'milliseconds'>> {
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Loyalty-Points-Webhooks',
    ...signedHeaders(body, { id, sentAt: new Date(), secrets }),
  };
  const answer = await postToPublic({ url: new URL(url), headers, body }, calling);
  const { statusCode: responseStatus = 0 } = answer;
  const isTaken = responseStatus >= 200 && responseStatus < 300;
  const response = await beginningOf(answer);
  const error = isTaken ? null : `The endpoint answered ${responseStatus}.`;
  return { isTaken, responseStatus, response, error };
}

/** The beginning of an answer, as text that Postgres can store. What comes late is left out. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of answer) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_READ_BYTES) break;
    }
  } catch {
    // The status is known: an answer that breaks off, or takes too long, is kept as far as it came.
  } finally {
    answer.destroy();
  }
  const kept = Buffer.concat(parts).subarray(0, KEPT_BYTES).toString('utf8');
  return kept.replaceAll('\0', '\uFFFD');
}
