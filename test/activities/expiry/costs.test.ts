import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ingestEvents } from '../../../activities/ingestion/events/ingest-events.ts';
import { connect } from '../../../db/connection.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import type { TenantId } from '../../../domain/ids.ts';
import {
  type AlphaPaymentOptions,
  anAlphaConnection,
  anAlphaEvent,
  aProgramme,
  aRule,
  aTenant,
  aUser,
  storedEvents,
  testPolicy,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aRedemption } from '../../support/points/redemptions.ts';

// What a programme costs a shop that has none, and one that has, in statements.

const database = await useDatabase();
const { db } = database;

/** The statements that some work sends, by its own connection. */
async function statementsOf(work: (own: typeof db) => Promise<unknown>): Promise<number> {
  const own = connect(database.url, 1, 'counting');
  let statements = 0;
  own.on('query', ({ sql }: { sql: string }) => {
    if (!/^(begin|commit|set |select set_config)/i.test(sql)) statements += 1;
  });
  // Connecting asks for settings of its own.
  await own.raw('select 1');
  statements = 0;
  await work(own);
  await own.destroy();
  return statements;
}

async function costsAt(tenantId: TenantId) {
  await aRule(db, tenantId);
  const merchantId = `M-${randomUUID()}`;
  const email = `${randomUUID()}@example.com`;
  const userId = await aUser(db, { email });
  await anAlphaConnection(db, { tenantId, merchantId });
  let version = 0;
  const ingest = async (...sales: AlphaPaymentOptions[]) => {
    const bodies = sales.map((sale) => {
      version += 1;
      const updatedAt = new Date(Date.parse('2026-01-15T10:00:02Z') + version * 1_000);
      return anAlphaEvent(merchantId, { amount: 100, email, updatedAt, ...sale });
    });
    const ids = await storedEvents(db, merchantId, bodies);
    return statementsOf((own) => ingestEvents(own, ids, new Map(), testPolicy));
  };
  const sales = await ingest({ id: 'P1' }, { id: 'P2' }, { id: 'P3' });
  const refund = await ingest({ id: 'P1', refunded: 50 });
  const refundThatFails = await ingest({ id: 'P1', refunded: 0 });
  const { id: walletId } = await db('wallets').where({ tenantId }).first('id');
  const { id } = await aRedemption(db, { walletId, points: 10 });
  const cancel = await statementsOf((own) =>
    own.transaction((tx) => lifecycle.cancel(tx, { id, userId })),
  );
  return { sales, refund, refundThatFails, cancel };
}

describe('the statements of a batch', () => {
  it('are a look-up or two more with a programme', async () => {
    const without = await costsAt(await aTenant(db));
    // As many as before there were programmes.
    expect(without).toEqual({ sales: 4, refund: 10, refundThatFails: 10, cancel: 2 });
    const tenantId = await aTenant(db);
    await aProgramme(db, tenantId, { validityMonths: 12 });
    const withOne = await costsAt(tenantId);
    expect(withOne).toEqual({
      // What campaigns there are.
      sales: without.sales + 1,
      refund: without.refund + 1,
      refundThatFails: without.refundThatFails + 2,
      cancel: without.cancel + 1,
    });
  });
});
