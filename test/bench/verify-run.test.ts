import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ingestEventBatch } from '../../activities/ingestion/events/ingest-events.ts';
import { populate } from '../../bench/population.ts';
import { startRedemptions } from '../../bench/redemption-work.ts';
import { type Plan, saleAt } from '../../bench/sales.ts';
import { ingestPolicy } from '../../bench/settings.ts';
import { chunk, eventOf } from '../../bench/sql-ingestion.ts';
import { verifyRun } from '../../bench/verify-run.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import { createUnverifiedDatabase, type TestDatabase } from '../support/database/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createUnverifiedDatabase();
  await populate(database.ownerUrl);
});
afterEach(() => database.close());

const BATCH = 100;

/** Ingests the events of the plan, batch by batch, in their order or the opposite one. */
async function ingest(plan: Plan, isReversed = false) {
  const { db } = database;
  const events = Array.from({ length: plan.events }, (_, index) => eventOf(saleAt(plan, index)));
  await webhookEvents.insert(db, events);
  const ids = events.map(({ id }) => id);
  for (const batch of chunk(isReversed ? ids.reverse() : ids, BATCH)) {
    await ingestEventBatch(db, batch, new Map(), ingestPolicy);
  }
}

const plans = [
  { name: 'sales', events: 300 },
  { name: 'duplicates', events: 300, duplicates: true },
  { name: 'refunds', events: 300, reports: 'refunds' },
  { name: 'pairs', events: 400, reports: 'pairs' },
] as const;

describe('verifyRun', () => {
  it('exact for all kinds of reports, in their order', async () => {
    for (const plan of plans) await ingest(plan);
    await verifyRun(database.db, plans);
  });

  it('exact for reports in the opposite order', async () => {
    for (const plan of plans) await ingest(plan, true);
    await verifyRun(database.db, plans);
  });

  it('exact while codes are issued and expire in the same wallets', async () => {
    const everyConsumer = 1_000;
    const plan = { name: 'mixed', events: 600, reports: 'refunds', buyers: 'hot' } as const;
    const redeeming = await startRedemptions(database.db, {
      everyConsumer,
      connections: 2,
      pauseMs: 1,
    });
    await ingest(plan);
    await expect
      .poll(async () => {
        const { rows } = await database.db.raw('select from redemptions limit 1');
        return rows.length;
      })
      .toBe(1);
    const { confirms, expiries } = await redeeming.stop();
    expect(confirms).toBeGreaterThan(0);
    expect(expiries).toBe(confirms);
    await verifyRun(database.db, [plan]);
  });

  it.each([
    { sent: plans[0], told: [{ ...plans[0], events: 301 }], problem: /sales-300 is not stored/ },
    { sent: plans[0], told: [plans[0], plans[1]], problem: /events credited, not/ },
    { sent: plans[2], told: [{ name: 'refunds', events: 300 }], problem: /refund_reversed, not 0/ },
    { sent: plans[3], told: [{ name: 'pairs', events: 400 }], problem: /events ignored, not 0/ },
  ])('throws when something else was sent: $problem', async ({ sent, told, problem }) => {
    await ingest(sent);
    await expect(verifyRun(database.db, told)).rejects.toThrow(problem);
  });

  it('throws when a balance is not what its entries make of it', async () => {
    await ingest(plans[0]);
    await database.owner.raw('update wallets set balance = balance + 1 where balance > 0');
    await expect(verifyRun(database.db, [plans[0]])).rejects.toThrow(/holds/);
  });
});
