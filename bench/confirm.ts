import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../db/connection.ts';
import * as ledger from '../db/ledger/postings.ts';
import { verifyLedger } from '../db/ledger/verification.ts';
import * as redemptions from '../db/redemptions/redemptions.ts';
import { RedemptionId, type UserId, type WalletId } from '../domain/ids.ts';
import { CODE_LIFETIME_MS, quoteRedemption } from '../domain/redemption.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { freePort } from '../sandbox/processes/ports.ts';
import { machineMs } from './clock.ts';
import { type Answered, type Requester, startRequester } from './confirm-load.ts';
import { discardMails } from './discarded-mails.ts';
import { startIssuer } from './issuer.ts';
import { type Options, repetitions } from './options.ts';
import { startApi, startWorker } from './programs.ts';
import { formatLatency, type Section } from './report.ts';
import type { Stage } from './stage.ts';
import { percentile } from './statistics.ts';

const AT_ONCE = [1, 16, 64] as const;
/** Enough that no two at once are of the same wallet. */
const PEOPLE = 500;
const BALANCE = 1_000_000_000;
const POINTS = 1;
/** What the API has. */
const POOL = 10;

const VARIANTS = ['SQL alone', 'HTTP, Temporal down', 'HTTP, Temporal up'] as const;
type Variant = (typeof VARIANTS)[number];
type Confirming = Record<Variant, (atOnce: number, seconds: number) => Promise<Answered>>;

/** Measures confirm over HTTP, with and without Temporal, beside the SQL that it cannot do without. */
export async function runConfirm(
  stage: Stage,
  options: Pick<Options, 'quick' | 'print'>,
): Promise<Section[]> {
  const requester = startRequester(stage);
  const down = await startShop(stage, 'down');
  const up = await startShop(stage, 'up');
  const confirming: Confirming = {
    'SQL alone': (atOnce, seconds) => confirmInSql(down, atOnce, seconds),
    'HTTP, Temporal down': (atOnce, seconds) => confirmOverHttp(requester, down, atOnce, seconds),
    'HTTP, Temporal up': async (atOnce, seconds) => {
      const answered = await confirmOverHttp(requester, up, atOnce, seconds);
      await settled(up.db);
      return answered;
    },
  };

  const found = new Map<string, Answered[]>();
  const seconds = options.quick ? 1 : 5;
  for (const variant of VARIANTS) await confirming[variant](16, options.quick ? 1 : 3);
  for (const repetition of repetitions(options)) {
    for (const atOnce of AT_ONCE) {
      for (const variant of VARIANTS) {
        stage.tell(`Repetition ${repetition}, ${atOnce} at once, ${variant}`);
        const key = `${variant}, ${atOnce}`;
        found.set(key, [...(found.get(key) ?? []), await confirming[variant](atOnce, seconds)]);
      }
    }
  }
  for (const { db } of [down, up]) {
    const { violations } = await verifyLedger(db);
    if (violations.length > 0) throw new Error(`The ledger is broken: ${violations[0]?.problem}`);
  }
  const section = sectionOf(found);
  options.print(section);
  return [section];
}

type Person = { walletId: WalletId; userId: UserId };
type Shop = { db: Db; people: Person[]; port: number; requests: string[] };

async function startShop(stage: Stage, temporal: 'up' | 'down'): Promise<Shop> {
  const databaseUrl = await stage.database(`bench_confirm_${temporal}`);
  const db = connect(databaseUrl, POOL, 'loyalty-bench');
  stage.atEnd(() => db.destroy());
  const people = await enrich(db);
  const issuer = await startIssuer(stage);
  const temporalAddress =
    temporal === 'up' ? (await stage.temporal()).address : `127.0.0.1:${await freePort()}`;
  const env = { ...issuer.env, SMTP_URL: await discardMails(stage) };
  const at = { databaseUrl, temporalAddress, env };
  if (temporal === 'up') await startWorker(stage, { ...at, name: 'worker-confirm' });
  const api = await startApi(stage, { ...at, name: `api-${temporal}` });
  const requests = await Promise.all(
    people.map(async ({ walletId }, person) => requestOf(walletId, await issuer.tokenOf(person))),
  );
  return { db, people, port: api.port, requests };
}

/** Gives the first people so many points that they never run out. */
async function enrich(db: Db): Promise<Person[]> {
  const { rows: people } = await db.raw<{ rows: Person[] }>(
    `select w.id as wallet_id, u.id as user_id from wallets w join users u on u.id = w.user_id
     where u.sub::int < :people order by u.sub::int`,
    { people: PEOPLE },
  );
  const credits = people.map(({ walletId }): ledger.Entry => {
    const source = { sourceType: 'adjustment', sourceId: randomUUID() } as const;
    const reason = 'admin_adjustment';
    return { walletId, entryType: 'credit', points: BALANCE, reason, ...source };
  });
  await db.transaction((tx) => ledger.post(tx, credits));
  return people;
}

function requestOf(walletId: WalletId, token: string): string {
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

function confirmOverHttp(requester: Requester, shop: Shop, atOnce: number, seconds: number) {
  const { port, requests } = shop;
  return requester.ask({ port, requests, atOnce, seconds });
}

const codes = createRedemptionCodes([{ id: 'k1', key: new Uint8Array(32) }]);

/** The transaction of the API's handler, without anything around it. */
async function confirmInSql(shop: Shop, atOnce: number, seconds: number): Promise<Answered> {
  const { db, people } = shop;
  const answered: Answered = { refused: 0, seconds: 0, latencies: [] };
  const startedAt = machineMs();
  let next = 0;
  const work = async () => {
    while (machineMs() - startedAt < seconds * 1000) {
      const person = people[next++ % people.length];
      if (person === undefined) return;
      const sentAt = machineMs();
      await confirmOnce(db, person);
      answered.latencies.push(machineMs() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  answered.seconds = (machineMs() - startedAt) / 1000;
  return answered;
}

async function confirmOnce(db: Db, { walletId, userId }: Person): Promise<void> {
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
const SETTLED_WITHIN_MS = 60_000;

/** Waits until no more runs are started, and has reconcile leave the rest, which nobody waits for. */
async function settled(db: Db): Promise<void> {
  let before = -1;
  for (const deadline = machineMs() + SETTLED_WITHIN_MS; machineMs() < deadline; ) {
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

function sectionOf(found: ReadonlyMap<string, readonly Answered[]>): Section {
  const of = (variant: Variant, atOnce: number) => found.get(`${variant}, ${atOnce}`) ?? [];
  const latencies = (variant: Variant, atOnce: number) =>
    of(variant, atOnce).flatMap((answered) => answered.latencies);
  const perSecond = (variant: Variant, atOnce: number) => {
    const rates = of(variant, atOnce).map((item) => item.latencies.length / item.seconds);
    return percentile(rates, 50);
  };
  const p50 = (variant: Variant) => percentile(latencies(variant, 16), 50);
  const http = ['HTTP, Temporal down', 'HTTP, Temporal up'] as const;
  return {
    title: 'Confirm, ms (p50/p99) and confirms/s',
    note: 'Wallets spread; HTTP with a signed token for each person; API, worker and load apart.',
    columns: ['variant', ...AT_ONCE.map((atOnce) => `${atOnce} at once`)],
    rows: VARIANTS.map((variant) => [
      variant,
      ...AT_ONCE.map((atOnce) => {
        const rate = Math.round(perSecond(variant, atOnce)).toLocaleString('en-GB');
        return `${formatLatency(latencies(variant, atOnce))}, ${rate}/s`;
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
