import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../db/connection.ts';
import { verifyLedger } from '../db/ledger/verification.ts';
import * as redemptions from '../db/redemptions/redemptions.ts';
import { RedemptionId, type UserId, type WalletId } from '../domain/ids.ts';
import { CODE_LIFETIME_MS, quoteRedemption } from '../domain/redemption.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { freePort } from '../sandbox/processes/ports.ts';
import { creditByHand } from './adjustments.ts';
import { machineMs } from './clock.ts';
import {
  type ConfirmLoadGenerator,
  type ConfirmLoadResult,
  startConfirmLoadGenerator,
} from './confirm-load.ts';
import { startDiscardingMailServer } from './discarding-mail-server.ts';
import { startIssuer } from './issuer.ts';
import { type Options, repetitions } from './options.ts';
import { startApi, startWorker } from './programs.ts';
import { formatLatency, type Section } from './report.ts';
import { appendTo, percentile } from './statistics.ts';
import type { Testbed } from './testbed.ts';

const CONCURRENCIES = [1, 16, 64] as const;
/** Enough that no two concurrent requests use the same wallet. */
const CONSUMERS = 500;
const BALANCE = 1_000_000_000;
const POINTS = 1;
/** The pool size of the API. */
const POOL_SIZE = 10;

const VARIANTS = ['SQL alone', 'HTTP, Temporal down', 'HTTP, Temporal up'] as const;
type Variant = (typeof VARIANTS)[number];
type Confirmers = Record<
  Variant,
  (concurrency: number, seconds: number) => Promise<ConfirmLoadResult>
>;

/** Measures confirm over HTTP, with and without Temporal, against its SQL alone. */
export async function runConfirm(
  testbed: Testbed,
  options: Pick<Options, 'quick' | 'print'>,
): Promise<Section[]> {
  const load = startConfirmLoadGenerator(testbed);
  const down = await startDeployment(testbed, 'down');
  const up = await startDeployment(testbed, 'up');
  const confirmers: Confirmers = {
    'SQL alone': (concurrency, seconds) => confirmInSql(down, concurrency, seconds),
    'HTTP, Temporal down': (concurrency, seconds) =>
      confirmOverHttp(load, down, concurrency, seconds),
    'HTTP, Temporal up': async (concurrency, seconds) => {
      const result = await confirmOverHttp(load, up, concurrency, seconds);
      await quiesce(up.db);
      return result;
    },
  };

  const results = new Map<string, ConfirmLoadResult[]>();
  const seconds = options.quick ? 1 : 5;
  for (const variant of VARIANTS) await confirmers[variant](16, options.quick ? 1 : 3);
  for (const repetition of repetitions(options)) {
    for (const concurrency of CONCURRENCIES) {
      for (const variant of VARIANTS) {
        testbed.log(`Repetition ${repetition}, ${concurrency} concurrent, ${variant}`);
        const result = await confirmers[variant](concurrency, seconds);
        appendTo(results, `${variant}, ${concurrency}`, result);
      }
    }
  }
  for (const { db } of [down, up]) {
    const { violations } = await verifyLedger(db);
    if (violations.length > 0)
      throw new Error(`Ledger verification failed: ${violations[0]?.problem}`);
  }
  const section = sectionOf(results);
  options.print(section);
  return [section];
}

type Consumer = { walletId: WalletId; userId: UserId };
type Deployment = { db: Db; consumers: Consumer[]; port: number; requests: string[] };

async function startDeployment(testbed: Testbed, temporal: 'up' | 'down'): Promise<Deployment> {
  const databaseUrl = await testbed.database(`bench_confirm_${temporal}`);
  const db = connect(databaseUrl, POOL_SIZE, 'loyalty-bench');
  testbed.onClose(() => db.destroy());
  const consumers = await fundWallets(db);
  const issuer = await startIssuer(testbed);
  const temporalAddress =
    temporal === 'up' ? (await testbed.temporal()).address : `127.0.0.1:${await freePort()}`;
  const env = { ...issuer.env, SMTP_URL: await startDiscardingMailServer(testbed) };
  const options = { databaseUrl, temporalAddress, env };
  if (temporal === 'up') await startWorker(testbed, { ...options, name: 'worker-confirm' });
  const api = await startApi(testbed, { ...options, name: `api-${temporal}` });
  const requests = await Promise.all(
    consumers.map(async ({ walletId }, nth) => buildRequest(walletId, await issuer.tokenFor(nth))),
  );
  return { db, consumers, port: api.port, requests };
}

/** Credits the first consumers with more points than they can redeem. */
async function fundWallets(db: Db): Promise<Consumer[]> {
  const { rows: consumers } = await db.raw<{ rows: Consumer[] }>(
    `select w.id as wallet_id, u.id as user_id from wallets w join users u on u.id = w.user_id
     where u.sub::int < :consumers order by u.sub::int`,
    { consumers: CONSUMERS },
  );
  await creditByHand(
    db,
    consumers.map(({ walletId }) => ({ walletId, points: BALANCE })),
  );
  return consumers;
}

/** Builds the complete HTTP request that confirms one point. */
export function buildRequest(walletId: WalletId, token: string): string {
  const body = JSON.stringify({ pointsToRedeem: POINTS });
  return [
    `POST /api/v1/consumer/wallets/${walletId}/redeem/confirm HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

function confirmOverHttp(
  load: ConfirmLoadGenerator,
  { port, requests }: Deployment,
  concurrency: number,
  seconds: number,
) {
  return load.send({ port, requests, concurrency, seconds });
}

const codes = createRedemptionCodes([{ id: 'k1', key: new Uint8Array(32) }]);

/** Runs only the transaction of the API's handler. */
async function confirmInSql(
  { db, consumers }: Deployment,
  concurrency: number,
  seconds: number,
): Promise<ConfirmLoadResult> {
  const result: ConfirmLoadResult = { refused: 0, seconds: 0, latencies: [] };
  const startedAt = machineMs();
  let next = 0;
  const work = async () => {
    while (machineMs() - startedAt < seconds * 1000) {
      const consumer = consumers[next++ % consumers.length];
      if (consumer === undefined) return;
      const sentAt = machineMs();
      await confirmOnce(db, consumer);
      result.latencies.push(machineMs() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  result.seconds = (machineMs() - startedAt) / 1000;
  return result;
}

async function confirmOnce(db: Db, { walletId, userId }: Consumer): Promise<void> {
  await db.transaction(async (tx) => {
    const wallet = await redemptions.lockRedeemable(tx, walletId, userId);
    const quote = quoteRedemption({ pointsToRedeem: POINTS, ...wallet });
    const owner = { id: RedemptionId.parse(randomUUID()), tenantId: wallet.tenantId };
    const points = quote.eligiblePoints;
    const redemption = { ...quote, ...owner, points, walletId, lifetimeMs: CODE_LIFETIME_MS };
    await redemptions.issue(tx, redemption, () => codes.make(owner));
  });
}

const QUIET_MS = 1_000;
const QUIET_WITHIN_MS = 60_000;

/**
 * Waits until no further redemption codes are mailed, then marks the remaining redemptions as
 * followed, so that reconcile starts no runs for them during the next measurement.
 */
async function quiesce(db: Db): Promise<void> {
  let before = -1;
  for (const deadline = machineMs() + QUIET_WITHIN_MS; machineMs() < deadline; ) {
    const { rows } = await db.raw<{ rows: { count: number }[] }>(
      'select count(*) from redemptions where code_mailed_at is not null',
    );
    const count = rows[0]?.count ?? 0;
    if (count === before) break;
    before = count;
    await sleep(QUIET_MS);
  }
  await db.raw('update redemptions set followed_at = now() where followed_at is null');
}

function sectionOf(results: ReadonlyMap<string, readonly ConfirmLoadResult[]>): Section {
  const of = (variant: Variant, concurrency: number) =>
    results.get(`${variant}, ${concurrency}`) ?? [];
  const latencies = (variant: Variant, concurrency: number) =>
    of(variant, concurrency).flatMap((result) => result.latencies);
  const perSecond = (variant: Variant, concurrency: number) => {
    const rates = of(variant, concurrency).map((item) => item.latencies.length / item.seconds);
    return percentile(rates, 50);
  };
  const p50 = (variant: Variant) => percentile(latencies(variant, 16), 50);
  const http = ['HTTP, Temporal down', 'HTTP, Temporal up'] as const;
  return {
    title: 'Confirm, ms (p50/p99) and confirms/s',
    note: 'Many wallets; HTTP with a signed token per consumer; separate API, worker and load.',
    columns: ['variant', ...CONCURRENCIES.map((concurrency) => `${concurrency} concurrent`)],
    rows: VARIANTS.map((variant) => [
      variant,
      ...CONCURRENCIES.map((concurrency) => {
        const rate = Math.round(perSecond(variant, concurrency)).toLocaleString('en-GB');
        return `${formatLatency(latencies(variant, concurrency))}, ${rate}/s`;
      }),
    ]),
    bars: http.flatMap((variant) => [
      {
        figure: `${variant} ÷ SQL alone, p50 at 16`,
        value: p50(variant) / p50('SQL alone'),
        atMost: 2.5,
      },
      {
        figure: `${variant}, p99 at 16, ms`,
        value: percentile(latencies(variant, 16), 99),
        atMost: 40,
      },
    ]),
  };
}
