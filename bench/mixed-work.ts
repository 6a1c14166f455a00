import { ingestEventBatch } from '../activities/ingestion/events/ingest-events.ts';
import { connect, type Db } from '../db/connection.ts';
import type { EventId } from '../domain/ids.ts';
import type { Options } from './options.ts';
import { deadlocksOf } from './population.ts';
import { type RedemptionCounts, startRedemptions } from './redemption-work.ts';
import { type Plan, type Sale, saleAt, TENANTS } from './sales.ts';
import { ingestPolicy } from './settings.ts';
import type { Testbed } from './testbed.ts';
import { verifyRun } from './verify-run.ts';

/** Batches of one tenant's sales, which share its hundred wallets with everything else. */
const PLAN = { name: 'mixed', buyers: 'one-tenant', reports: 'refunds' } satisfies Partial<Plan>;
const CONNECTIONS = 8;

export type MixedWork = RedemptionCounts & { refunds: number; deadlocks: number };

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
    const plan = { ...PLAN, events: quick ? 1_000 : 5_000 };
    const sales = Array.from({ length: plan.events }, (_, index) => saleAt(plan, index));
    const ids = await store(db, sales);
    const among = { everyConsumer: TENANTS, connections: 2, pauseMs: 1 };
    const redeeming = await startRedemptions(db, among);
    const ingesting = [0, 1].map(async () => {
      for (let next = ids.splice(0, batch); next.length > 0; next = ids.splice(0, batch)) {
        await ingestEventBatch(db, next, new Map(), ingestPolicy);
      }
    });
    await Promise.all(ingesting);
    const counts = await redeeming.stop();
    await verifyRun(db, [plan]);
    return { ...counts, refunds: await countRefunds(db), deadlocks: await deadlocksOf(db) };
  } finally {
    await db.destroy();
    await testbed.dropDatabase(databaseName);
  }
}

async function countRefunds(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) from event_outcomes where outcome = 'refund_reversed'`,
  );
  return rows[0]?.count ?? 0;
}
