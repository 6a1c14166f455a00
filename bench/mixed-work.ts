import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ingestEventBatch } from '../activities/ingestion/ingest-events.ts';
import { connect, type Db } from '../db/connection.ts';
import { verifyLedger } from '../db/ledger/verification.ts';
import * as lifecycle from '../db/redemptions/lifecycle.ts';
import * as redemptions from '../db/redemptions/redemptions.ts';
import { type EventId, RedemptionId, type UserId, type WalletId } from '../domain/ids.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import type { Options } from './options.ts';
import { deadlocksOf } from './population.ts';
import { type Plan, type Sale, saleAt } from './sales.ts';
import { ingestPolicy } from './settings.ts';
import type { Testbed } from './testbed.ts';

/** Batches of one tenant's sales, which share its hundred wallets with everything else. */
const PLAN = { name: 'mixed', buyers: 'one-tenant' } satisfies Partial<Plan>;
const CONNECTIONS = 8;
const REFUND_EVERY = 4;
/** How many events after its sale a refund is reported: in the next batch, or one beside it. */
const REFUND_DISTANCE = 121;
const CODE_LIFETIME_MS = 50;

export type MixedWork = { refunds: number; confirms: number; expiries: number; deadlocks: number };

/** Stores the events of sales, in the order of their ingestion, and returns their ids. */
type StoreEvents = (db: Db, sales: readonly Sale[]) => Promise<EventId[]>;

/**
 * Ingests batches of sales and refunds while codes are issued and expire in the same wallets, and
 * counts the deadlocks. Throws when an event failed or a sum is wrong.
 */
export async function runMixedWork(
  testbed: Testbed,
  { quick }: Options,
  { store, batch }: { store: StoreEvents; batch: number },
): Promise<MixedWork> {
  const databaseName = 'bench_mixed';
  const db = connect(await testbed.database(databaseName), CONNECTIONS, 'loyalty-bench');
  try {
    const sales = reportsOf(quick ? 1_000 : 5_000);
    const ids = await store(db, sales);
    const done = { confirms: 0, expiries: 0 };
    let isOver = false;
    const beside = [confirmOnce, confirmOnce, expireSome, expireSome].map(async (work) => {
      for (; !isOver; await sleep(1)) await work(db, done);
    });
    const ingesting = [0, 1].map(async () => {
      for (let next = ids.splice(0, batch); next.length > 0; next = ids.splice(0, batch)) {
        await ingestEventBatch(db, next, new Map(), ingestPolicy);
      }
    });
    await Promise.all(ingesting).finally(() => {
      isOver = true;
    });
    await Promise.all(beside);
    const refunds = await countRefunds(db);
    await requireExact(db);
    return { refunds, ...done, deadlocks: await deadlocksOf(db) };
  } finally {
    await db.destroy();
    await testbed.dropDatabase(databaseName);
  }
}

function reportsOf(events: number): Sale[] {
  const plan = { ...PLAN, events };
  return Array.from({ length: events }, (_, index) => {
    const refunded = index - REFUND_DISTANCE;
    if (index % REFUND_EVERY > 0 || refunded < 0) return saleAt(plan, index);
    const sale = saleAt(plan, refunded);
    return { ...sale, refunded: Math.floor(sale.amount / 2) };
  });
}

type Done = { confirms: number; expiries: number };
const codes = createRedemptionCodes([{ id: 'k1', key: new Uint8Array(32) }]);

async function confirmOnce(db: Db, done: Done): Promise<void> {
  const { rows } = await db.raw<{ rows: { walletId: WalletId; userId: UserId }[] }>(
    'select id as wallet_id, user_id from wallets where balance > 0 order by random() limit 1',
  );
  const [wallet] = rows;
  if (wallet === undefined) return;
  const { walletId, userId } = wallet;
  await db.transaction(async (tx) => {
    const { balance, tenantId } = await redemptions.lockRedeemable(tx, walletId, userId);
    const points = Math.ceil(balance / 2);
    if (points === 0) return;
    const owner = { id: RedemptionId.parse(randomUUID()), tenantId };
    const terms = { points, discountValueMinorUnits: points, ruleVersion: 1 };
    await redemptions.issue(
      tx,
      { ...owner, ...terms, walletId, lifetimeMs: CODE_LIFETIME_MS },
      () => codes.make(owner),
    );
    done.confirms += 1;
  });
}

async function expireSome(db: Db, done: Done): Promise<void> {
  done.expiries += (await lifecycle.expireOverdue(db, 'refund', 20)).length;
}

async function countRefunds(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) from event_outcomes where outcome = 'refund_reversed'`,
  );
  return rows[0]?.count ?? 0;
}

async function requireExact(db: Db): Promise<void> {
  const { rows } = await db.raw<{ rows: { open: number; wrong: number }[] }>(
    `select (select count(*) from pending_events) as open,
       (select count(*) from payments
        where points_reversed + points_owed + points_written_off <> refunded_minor_units) as wrong`,
  );
  const { violations } = await verifyLedger(db);
  const { open, wrong } = rows[0] ?? { open: 0, wrong: 0 };
  if (open + wrong + violations.length > 0) {
    throw new Error(
      `${open} events are open, ${wrong} payments do not fit their refunds, and the ledger has ` +
        `${violations.length} violations: ${violations[0]?.problem ?? 'none'}`,
    );
  }
}
