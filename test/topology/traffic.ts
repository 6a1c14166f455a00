import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, type Sale, saleAt } from '../../bench/sales.ts';
import type { WalletId } from '../../domain/ids.ts';
import { required } from '../support/factories.ts';
import { type Attempt, atRate, type Client } from './client.ts';
import { untilDrained } from './draining.ts';
import { SIGNATURE_KEY } from './outside.ts';
import type { Topology } from './topology.ts';

const HOOK = '/api/v1/webhooks/alpha';
/** A provider waits longer before it sends again; a story cannot. */
const RETRY_MS = 500;

export type Series = { name: string };

export type Sent = {
  /** Every attempt, also of those that were repeated. */
  attempts: Attempt[];
  /** How many there were, numbered from 0. */
  count: number;
  /** The numbers of those that were answered with 200. */
  accepted: Set<number>;
};

export type Pace = {
  perSecond: number;
  /** Whether to go on, so many seconds after the first one. */
  goesOn: (seconds: number) => boolean;
  /** Whether each is sent again until it is answered with 200. */
  retry: boolean;
};

/** Sends one request of a series, as the pace says, and notes what becomes of it. */
type Send = (nth: number) => () => Promise<Attempt & { text: string }>;

async function sendAll({ perSecond, goesOn, retry }: Pace, prepare: Send): Promise<Sent> {
  const sent: Sent = { attempts: [], count: 0, accepted: new Set() };
  sent.count = await atRate(perSecond, goesOn, async (nth) => {
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

/** Delivers the sales of a series, which its name tells apart from others. */
export function deliver(
  topology: Topology,
  client: Client,
  series: Series,
  pace: Pace,
): Promise<Sent> {
  return sendAll(pace, (nth) => {
    const body = bodyOf(saleOf(series, nth));
    const signed = createHmac('sha256', SIGNATURE_KEY)
      .update(topology.url + HOOK)
      .update(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-alpha-hmacsha256-signature': signed.digest('base64'),
    };
    return () => client.post(HOOK, headers, body);
  });
}

/** The sale of a series with this number. */
export function saleOf({ name }: Series, nth: number): Sale {
  return saleAt({ name, events: nth + 1 }, nth);
}

export type Redeemers = { walletId: WalletId; token: string }[];

const PURCHASES_PER_SECOND = 100;

/** People who have just bought something, each in a different shop, and can redeem for a while. */
export async function buyers(
  topology: Topology,
  client: Client,
  count: number,
): Promise<Redeemers> {
  const { db, issuer } = topology;
  const series = { name: 'buyers' };
  await deliver(topology, client, series, {
    perSecond: PURCHASES_PER_SECOND,
    goesOn: (seconds) => seconds * PURCHASES_PER_SECOND < count,
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

/** Redeems points one by one, each by a key of its own. */
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

/** How many attempts ended in which way. */
export function tally(attempts: readonly Attempt[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of attempts) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The time that this share of the attempts took at most, in milliseconds. */
export function percentileMs(attempts: readonly Attempt[], percent: number): number {
  const sorted = attempts.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}
