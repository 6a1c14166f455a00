import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, type Sale, saleAt } from '../../bench/sales.ts';
import type { WalletId } from '../../domain/ids.ts';
import { required } from '../support/factories.ts';
import { type Attempt, atRate, type Client } from './client.ts';
import { untilDrained } from './draining.ts';
import { SIGNATURE_KEY } from './external-services.ts';
import type { Topology } from './topology.ts';

const WEBHOOK_PATH = '/api/v1/webhooks/alpha';
/** A provider waits longer before it retries; a scenario cannot. */
const RETRY_MS = 500;

export type Series = { name: string };

export type Sent = {
  /** Every attempt, including repeated ones. */
  attempts: Attempt[];
  /** Number of requests, which are numbered from 0. */
  count: number;
  /** Numbers of the requests that were answered with 200. */
  accepted: Set<number>;
};

export type Pace = {
  perSecond: number;
  /** Whether to continue, given the seconds since the first request. */
  shouldContinue: (seconds: number) => boolean;
  /** Whether each request is repeated until it is answered with 200. */
  retry: boolean;
};

/** Prepares the request with this number; the returned function sends it. */
type Prepare = (nth: number) => () => Promise<Attempt & { text: string }>;

async function sendAll(
  { perSecond, shouldContinue, retry }: Pace,
  prepare: Prepare,
): Promise<Sent> {
  const sent: Sent = { attempts: [], count: 0, accepted: new Set() };
  sent.count = await atRate(perSecond, shouldContinue, async (nth) => {
    const send = prepare(nth);
    for (;;) {
      const { text: _, ...attempt } = await send();
      sent.attempts.push(attempt);
      if (attempt.status === 200) sent.accepted.add(nth);
      if (attempt.status === 200 || !retry) return;
      await sleep(RETRY_MS);
    }
  });
  return sent;
}

/** Delivers the sales of a series, whose name distinguishes them from those of other series. */
export function deliver(
  topology: Topology,
  client: Client,
  series: Series,
  pace: Pace,
): Promise<Sent> {
  return sendAll(pace, (nth) => {
    const body = bodyOf(saleOf(series, nth));
    const signed = createHmac('sha256', SIGNATURE_KEY)
      .update(topology.url + WEBHOOK_PATH)
      .update(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-alpha-hmacsha256-signature': signed.digest('base64'),
    };
    return () => client.post(WEBHOOK_PATH, headers, body);
  });
}

/** Returns the sale of a series with this number. */
export function saleOf({ name }: Series, nth: number): Sale {
  return saleAt({ name, events: nth + 1 }, nth);
}

export type Redeemers = { walletId: WalletId; token: string }[];

const PURCHASES_PER_SECOND = 100;

/** Sells once to this many consumers, and returns their wallets and access tokens. */
export async function createRedeemers(
  topology: Topology,
  client: Client,
  count: number,
): Promise<Redeemers> {
  const { db, issuer } = topology;
  const series = { name: 'redeemers' };
  await deliver(topology, client, series, {
    perSecond: PURCHASES_PER_SECOND,
    shouldContinue: (seconds) => seconds * PURCHASES_PER_SECOND < count,
    retry: true,
  });
  await untilDrained(db, 120);
  const { rows } = await db.raw<{ rows: { id: WalletId; sub: string; email: string }[] }>(
    `select w.id, u.sub, u.email from wallets w join users u on u.id = w.user_id
     where w.balance > 0`,
  );
  return Promise.all(
    rows.map(async ({ id, sub, email }) => ({
      walletId: id,
      token: await issuer.token({ sub, email, email_verified: true }),
    })),
  );
}

/** Redeems one point per request, each with its own idempotency key. */
export function redeem(client: Client, redeemers: Redeemers, pace: Pace): Promise<Sent> {
  const body = Buffer.from('{"pointsToRedeem":1}');
  return sendAll(pace, (nth) => {
    const { walletId, token } = required(redeemers[nth % redeemers.length]);
    const path = `/api/v1/consumer/wallets/${walletId}/redeem/confirm`;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
      'idempotency-key': randomUUID(),
    };
    return () => client.post(path, headers, body);
  });
}

/** Counts the attempts by their status or error code. */
export function tally(attempts: readonly Attempt[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of attempts) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
