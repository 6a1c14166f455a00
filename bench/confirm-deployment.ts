import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../db/connection.ts';
import { verifyLedger } from '../db/ledger/verification/whole.ts';
import type { UserId, WalletId } from '../domain/ids.ts';
import { freePort } from '../sandbox/processes/ports.ts';
import { creditByHand } from './adjustments.ts';
import { startDiscardingMailServer } from './discarding-mail-server.ts';
import { startIssuer } from './issuer.ts';
import { measureCpu } from './process-figures.ts';
import { type Setting, startApi, startWorker } from './programs.ts';
import type { Testbed } from './testbed.ts';

/** What one confirm redeems. */
const POINTS = 1;

/** Enough that no two concurrent requests use the same wallet. */
const CONSUMERS = 500;
const BALANCE = 1_000_000_000;
/** The pool size of the API. */
const POOL_SIZE = 10;
const QUIET_MS = 500;
/** Of one core. Together they use less while they wait, and much more while they work. */
const QUIET_SHARE = 0.1;
/** Longer than the interval at which redemptions are looked for that nothing follows. */
const QUIET_WITHIN_MS = 90_000;

type Consumer = { walletId: WalletId; userId: UserId };

/** The service on a database of its own, with consumers who can redeem. */
export type Deployment = {
  port: number;
  /** A complete HTTP request for each consumer. */
  requests: string[];
  /** Those of the API, the worker and Temporal, as far as they run. */
  pids: number[];
  /** Waits until what follows the redemptions is done, at most a minute and a half. */
  untilQuiet(): Promise<void>;
  /** Throws unless exactly so many redemptions took their points, and the ledger is whole. */
  verify(confirms: number): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a deployment; where Temporal is down it has no worker. */
export async function startDeployment(
  testbed: Testbed,
  temporal: 'up' | 'down',
  setting: Setting = {},
): Promise<Deployment> {
  const databaseUrl = await testbed.database(`bench_confirm_${temporal}`);
  const db = connect(databaseUrl, POOL_SIZE, 'loyalty-bench');
  testbed.onClose(() => db.destroy());
  const consumers = await fundWallets(db);
  const issuer = await startIssuer(testbed);
  const server = temporal === 'up' ? await testbed.temporal() : undefined;
  const temporalAddress = server?.address ?? `127.0.0.1:${await freePort()}`;
  const smtp = { SMTP_URL: await startDiscardingMailServer(testbed) };
  const env = { ...issuer.env, ...smtp, ...setting.env };
  const options = { ...setting, databaseUrl, temporalAddress, env };
  const worker =
    temporal === 'up'
      ? await startWorker(testbed, { ...options, name: 'worker-confirm' })
      : undefined;
  const api = await startApi(testbed, { ...options, name: `api-${temporal}` });
  const pids = [api, worker, server].flatMap((process) => process?.pid ?? []);
  const requests = await Promise.all(
    consumers.map(async ({ walletId }, nth) => buildRequest(walletId, await issuer.tokenFor(nth))),
  );
  return {
    port: api.port,
    requests,
    pids,
    untilQuiet: () => untilQuiet(db, pids, temporal === 'up'),
    verify: (confirms) => verify(db, confirms),
    async stop() {
      for (const process of [api, worker, server]) await process?.stop();
    },
  };
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

async function untilQuiet(db: Db, pids: readonly number[], isFollowed: boolean): Promise<void> {
  for (const deadline = Date.now() + QUIET_WITHIN_MS; Date.now() < deadline; ) {
    const cpu = measureCpu(pids);
    await sleep(QUIET_MS);
    const used = cpu(QUIET_MS * 1000).reduce((sum, share) => sum + share, 0);
    if (used < QUIET_SHARE && !(isFollowed && (await hasUnfollowed(db)))) return;
  }
}

async function hasUnfollowed(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from redemptions where followed_at is null and status <> 'used' limit 1`,
  );
  return rows.length > 0;
}

async function verify(db: Db, confirms: number): Promise<void> {
  const { rows } = await db.raw<{ rows: { redemptions: number; points: number }[] }>(
    `select (select count(*) from redemptions) as redemptions,
       (select sum(balance)::bigint from wallets) as points`,
  );
  const { redemptions, points } = rows[0] ?? {};
  const left = CONSUMERS * BALANCE - confirms * POINTS;
  if (redemptions !== confirms || points !== left) {
    throw new Error(
      `${confirms} redemptions were confirmed, ${redemptions} are stored, and the wallets hold ` +
        `${points} points, not ${left}`,
    );
  }
  const [violation] = (await verifyLedger(db)).violations;
  if (violation !== undefined) throw new Error(`The ledger is not whole: ${violation.problem}`);
}
