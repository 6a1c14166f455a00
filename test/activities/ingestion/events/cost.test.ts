import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ingestEventBatch } from '../../../../activities/ingestion/events/ingest-events.ts';
import type { Tx } from '../../../../db/connection.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { countStatements } from '../../../support/database/count-statements.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aProgramme,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';

const { db } = await useDatabase();
const SALES = 20;

type Rows = { read: number; inserted: number; updated: number; deleted: number };

/** The rows that this transaction has read and written so far. */
async function rowsOf(tx: Tx): Promise<Rows> {
  const { rows } = await tx.raw<{ rows: [Rows] }>(
    `select sum(seq_tup_read + idx_tup_fetch)::integer as read, sum(n_tup_ins)::integer as inserted,
       sum(n_tup_upd)::integer as updated, sum(n_tup_del)::integer as deleted
     from pg_stat_xact_user_tables`,
  );
  return rows[0];
}

/** What batches of sales, of the same sales again, and of their refunds cost at a shop. */
async function costsAt(tenantId: TenantId) {
  await aRule(db, tenantId);
  const merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  const emails = Array.from({ length: SALES }, () => `${randomUUID()}@example.com`);
  for (const email of emails) await aUser(db, { email });
  const createdAt = new Date();
  const updatedAt = new Date(createdAt.getTime() + 1_000);
  const batch = async (series: string, refund: { refunded?: number; updatedAt?: Date } = {}) => {
    const sales = emails.map((email, nth) =>
      anAlphaEvent(merchantId, { id: `${series}${nth}`, email, createdAt, ...refund }),
    );
    const ids = await storedEvents(db, merchantId, sales);
    const seen: Rows[] = [];
    const statements = await countStatements(db, async (tx) => {
      // Or the plans depend on whether the tables have been analysed meanwhile.
      await tx.raw('set local enable_seqscan = off');
      seen.push(await rowsOf(tx));
      await ingestEventBatch(tx, ids, new Map(), testPolicy);
      seen.push(await rowsOf(tx));
    });
    const moved = (of: keyof Rows) => required(seen[1])[of] - required(seen[0])[of];
    return {
      // Without those of the test.
      statements: statements - 3,
      read: moved('read'),
      inserted: moved('inserted'),
      updated: moved('updated'),
      deleted: moved('deleted'),
    };
  };
  // The wallets are there, as they mostly are.
  await batch('FIRST');
  return {
    sales: await batch('P'),
    again: await batch('P'),
    refunds: await batch('P', { refunded: 5, updatedAt }),
  };
}

/** Counted with the release that knew no programmes as well. */
const COSTS = {
  sales: { statements: 5, read: 162, inserted: 60, updated: 20, deleted: 20 },
  again: { statements: 5, read: 142, inserted: 20, updated: 0, deleted: 20 },
  refunds: { statements: 15, read: 364, inserted: 40, updated: 60, deleted: 20 },
};

describe('what a batch of 20 costs', () => {
  it('is the same at a shop without a programme as before there were any', async () => {
    expect(await costsAt(await aTenant(db))).toEqual(COSTS);
  });

  it('is one statement more for sales, and for refunds, at a shop with one', async () => {
    const tenantId = await aTenant(db);
    await aProgramme(db, tenantId, { validityMonths: 12, returnWindowDays: 14 });
    const oneMore = (cost: typeof COSTS.sales) => ({ ...cost, statements: cost.statements + 1 });
    const { sales, again, refunds } = COSTS;
    // It reads the version of the programme, which has no tiers, once for all sales.
    const withTiers = { ...oneMore(sales), read: sales.read + 1 };
    const costs = { sales: withTiers, again, refunds: oneMore(refunds) };
    expect(await costsAt(tenantId)).toEqual(costs);
  });
});
