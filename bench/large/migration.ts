import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../../db/connection.ts';
import type { WalletId } from '../../domain/ids.ts';
import { machineMs } from '../clock.ts';
import { buildRequest as confirmRequest } from '../confirm-deployment.ts';
import { startDiscardingMailServer } from '../discarding-mail-server.ts';
import { startIssuer } from '../issuer.ts';
import type { Options } from '../options.ts';
import { runMigration, startApi, startWorker } from '../programs.ts';
import type { Section } from '../report.ts';
import { buildRequest, emailOf } from '../sales.ts';
import { FREQUENT_SWEEPS, ISSUER } from '../settings.ts';
import { percentile } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import { type LockWatch, watchLocks } from './locks.ts';
import { buyersOf, prepareOld } from './old-rows.ts';
import { releaseOf } from './releases.ts';
import { oldSize, tenantOf } from './sizes.ts';
import { type Seen, type Side, startTraffic, type Traffic } from './traffic.ts';
import { untilDrained, verifyMigrated } from './verify-migrated.ts';

/** The release that is upgraded from; its schema is that of migrations 0001 to 0021. */
const OLD = 'd586070';
const SIDES = 3;
const CONFIRMING = 50;
/** Leaves the machine room, so that a slow request is one that had to wait for the migration. */
const PAUSE_MS = 100;
/** Each confirm starts a run of its own in Temporal. */
const CONFIRM_PAUSE_MS = 500;
const BAR_MS = 500;
const DRAINED_WITHIN_MS = 300_000;

/** Before a phase that counts, while connections and plans are made. */
const WARM_UP = 'warm-up';
const WARM_UP_MS = 5_000;
const PHASES = ['old release', 'migrating', 'both releases', 'new release'] as const;

/**
 * Measures a migration with data while the old release serves, and a rolling deploy after it.
 * Throws when an event was lost or counted twice.
 */
export async function measureMigration(testbed: Testbed, options: Options): Promise<Section> {
  const release = await releaseOf(OLD);
  if (release === undefined) {
    throw new Error(`The history does not reach back to ${OLD}: fetch all of it, and run again.`);
  }
  const databaseUrl = await testbed.database('bench_migration', 'old');
  const db = connect(databaseUrl, 2, 'loyalty-bench', 0);
  const waiting = await prepareOld(db, oldSize(options.scale));
  const issuer = await startIssuer(testbed);
  const smtp = { SMTP_URL: await startDiscardingMailServer(testbed) };
  const env = { ...issuer.env, ...smtp, ...FREQUENT_SWEEPS };
  const { address } = await testbed.temporal();
  const service = { databaseUrl, temporalAddress: address, env };

  const worker = await startWorker(testbed, { ...service, release, name: 'old-worker' });
  const api = await startApi(testbed, { ...service, release, name: 'old-api' });
  const traffic = startTraffic(await sidesOf(db, options.scale, issuer));
  testbed.onClose(() => traffic.stop());
  const seconds = options.quick ? 3 : 15;
  const during = async (phase: string, ports: number[], ms: number) => {
    traffic.route(ports);
    traffic.enter(phase);
    await sleep(ms);
  };
  await during(WARM_UP, [api.port], WARM_UP_MS);
  await during('old release', [api.port], seconds * 1000);

  testbed.log('Migrating');
  traffic.enter('migrating');
  const watch = await watchLocks(db);
  const begun = machineMs();
  await runMigration(testbed, { databaseUrl });
  const migratedIn = (machineMs() - begun) / 1000;
  const locks = await watch.stop();

  testbed.log('Deploying');
  traffic.enter('both releases');
  const newApi = await startApi(testbed, { ...service, name: 'new-api' });
  await during('both releases', [api.port, newApi.port], seconds * 1000);
  const newWorker = await startWorker(testbed, { ...service, name: 'new-worker' });
  await during('both releases', [api.port, newApi.port], seconds * 1000);
  traffic.route([newApi.port]);
  await sleep(1_000);
  await api.stop();
  await worker.stop();
  await during('new release', [newApi.port], seconds * 1000);
  await traffic.stop();

  testbed.log('Draining and verifying');
  const due = [...acknowledged(traffic), ...waiting];
  const drainedIn = (await untilDrained(db, DRAINED_WITHIN_MS)) / 1000;
  await newApi.stop();
  await newWorker.stop();
  const verified = await verifyMigrated(db, due);
  await db.destroy();
  const about = { migratedIn, drainedIn, verified, locks, scale: options.scale };
  return sectionOf(traffic.seen, about);
}

/** Webhooks, wallet reads and confirms, each from several sides. */
async function sidesOf(
  db: Db,
  scale: number,
  issuer: Awaited<ReturnType<typeof startIssuer>>,
): Promise<Side[]> {
  const size = oldSize(scale);
  const buyers = buyersOf(size);
  const consumerAt = (nth: number) => buyers[nth % buyers.length] ?? 0;
  const readers = await Promise.all(
    buyers.slice(0, CONFIRMING).map(async (consumer) => {
      const { rows } = await db.raw<{ rows: { id: WalletId }[] }>(
        `select w.id from wallets w join users u on u.id = w.user_id
         where u.iss = :iss and u.sub = :sub`,
        { iss: ISSUER, sub: String(consumer) },
      );
      const [wallet] = rows;
      if (wallet === undefined) throw new Error(`Consumer ${consumer} has no wallet.`);
      const token = await issuer.tokenFor(consumer);
      return {
        read: Buffer.from(walletsRequest(token)),
        confirm: Buffer.from(confirmRequest(wallet.id, token)),
      };
    }),
  );
  const reader = (nth: number) => readers[nth % readers.length];
  return Array.from({ length: SIDES }, (_, side) => [
    {
      kind: `webhook ${side}`,
      pauseMs: PAUSE_MS,
      request(nth: number) {
        const consumer = consumerAt(nth * SIDES + side);
        return buildRequest({
          paymentId: paymentIdOf(side, nth),
          merchantId: `MERCHANT${tenantOf(consumer, size)}`,
          email: emailOf(consumer),
          amount: 100 + (nth % 900),
        });
      },
    },
    {
      kind: 'read',
      pauseMs: PAUSE_MS,
      request: (nth: number) => reader(nth * SIDES + side)?.read ?? Buffer.of(),
    },
    {
      kind: 'confirm',
      pauseMs: CONFIRM_PAUSE_MS,
      request: (nth: number) => reader(nth * SIDES + side)?.confirm ?? Buffer.of(),
    },
  ]).flat();
}

const paymentIdOf = (side: number | string, nth: number) => `migration-${side}-${nth}`;

function walletsRequest(token: string): string {
  const head = ['GET /api/v1/consumer/wallets HTTP/1.1', 'Host: 127.0.0.1'];
  return [...head, `Authorization: Bearer ${token}`, '', ''].join('\r\n');
}

/** The payments of the webhooks that were answered with 200. */
function acknowledged({ seen }: Traffic): string[] {
  return seen.flatMap(({ kind, nth, status }) => {
    const [, side] = /^webhook (\d)$/.exec(kind) ?? [];
    return side !== undefined && status === 200 ? [paymentIdOf(side, nth)] : [];
  });
}

type About = {
  migratedIn: number;
  drainedIn: number;
  verified: string;
  locks: Awaited<ReturnType<LockWatch['stop']>>;
  scale: number;
};

function sectionOf(seen: readonly Seen[], about: About): Section {
  const of = (phase: string) => seen.filter((each) => each.phase === phase);
  const slowest = (phase: string) => Math.max(...of(phase).map(({ ms }) => ms));
  const failed = (phase: string) => of(phase).filter(({ status }) => status !== 200).length;
  const count = (1_000_000 * about.scale).toLocaleString('en-GB');
  return {
    title: `Migration from ${OLD} under load, ms`,
    note:
      `${count} payments and as many events; migrated in ${about.migratedIn.toFixed(0)} s, ` +
      `drained ${about.drainedIn.toFixed(0)} s after the last request. ${about.verified} ` +
      `Longest locks: ${about.locks.held
        .map(({ mode, table, ms }) => `${mode} of ${table}, ${ms.toFixed(0)} ms`)
        .join('; ')}.`,
    columns: ['phase', 'requests', 'failed', 'p50', 'p99', 'slowest'],
    rows: PHASES.map((phase) => {
      const times = of(phase).map(({ ms }) => ms);
      return [
        phase,
        times.length,
        failed(phase),
        percentile(times, 50),
        percentile(times, 99),
        slowest(phase),
      ];
    }),
    bars: [
      {
        figure: 'slowest request while migrating, ms',
        value: slowest('migrating'),
        atMost: BAR_MS,
      },
      {
        figure: 'slowest request of the deploy, ms',
        value: Math.max(slowest('both releases'), slowest('new release')),
        atMost: BAR_MS,
      },
      {
        figure: 'longest wait of the service for a lock while migrating, ms',
        value: about.locks.longestWaitMs,
        atMost: BAR_MS,
      },
      {
        figure: 'failed requests',
        value: PHASES.map(failed).reduce((sum, each) => sum + each, 0),
        atMost: 0,
      },
    ],
  };
}
