import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress } from '../../domain/webhook-address.ts';
import {
  AddressError,
  type Judged,
  judgedAddresses,
  type Resolve,
  resolveByDns,
} from './addresses.ts';
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
        const url = new URL(message.url);
        const addresses = await judgedAddresses(url, { allowsLoopback, resolve, signal });
        const isLocal = addresses.every(({ address }) => isLoopbackAddress(address));
        if (url.protocol !== 'https:' && !isLocal) {
          throw new AddressError('The address does not begin with https.');
        }
        return { ...(await post(url, message, { addresses, signal })), ...took(began) };
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
  url: URL,
  { id, body, secrets }: Message,
  { addresses, signal }: { addresses: [Judged, ...Judged[]]; signal: AbortSignal },
): Promise<Omit<Sent, 'milliseconds'>> {
  const answer = await answerOf(url, body, {
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'Loyalty-Points-Webhooks',
      ...signedHeaders(body, { id, sentAt: new Date(), secrets }),
    },
    addresses,
    signal,
  });
  const { statusCode: responseStatus = 0 } = answer;
  const isTaken = responseStatus >= 200 && responseStatus < 300;
  const response = await beginningOf(answer);
  const error = isTaken ? null : `The endpoint answered ${responseStatus}.`;
  return { isTaken, responseStatus, response, error };
}

function answerOf(
  url: URL,
  body: string,
  options: {
    headers: Record<string, string | number>;
    addresses: [Judged, ...Judged[]];
    signal: AbortSignal;
  },
): Promise<IncomingMessage> {
  const { headers, addresses, signal } = options;
  const [first] = addresses;
  // No second resolution: Node is given the addresses that were judged.
  const lookup: LookupFunction = (_, { all }, found) =>
    all ? found(null, addresses) : found(null, first.address, first.family);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const servername = isIP(host) ? {} : { servername: host };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        method: 'POST',
        host,
        port: url.port || undefined,
        path: `${url.pathname}${url.search}`,
        headers: { Host: url.host, ...headers },
        agent: false,
        lookup,
        signal,
        ...servername,
      },
      resolve,
    );
    sending.on('error', reject);
    sending.end(body);
  });
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
