import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestEventBatch } from '../../activities/ingestion/events/ingest-events.ts';
import type { WalletId } from '../../domain/ids.ts';
import { createUnverifiedDatabase, type TestDatabase } from '../support/database/test-database.ts';
import {
  aConnectedShop,
  anAlphaEvent,
  aRule,
  required,
  storedEvents,
  testPolicy,
} from '../support/factories.ts';
import { aRedemption } from '../support/points/redemptions.ts';
import { newAccounts } from './accounts.ts';
import { prove } from './proof.ts';

let database: TestDatabase;
let paymentId: string;
let code: string;
let sale: { paymentId: string; merchantId: string; email: string; amount: number };

// One sale of 1,000 points whose webhook has the correlation id `test`, and one code.
beforeAll(async () => {
  database = await createUnverifiedDatabase();
  const { db } = database;
  const { tenantId, merchantId, email } = await aConnectedShop(db);
  await aRule(db, tenantId);
  paymentId = `PAY_${randomUUID()}`;
  const ids = await storedEvents(db, merchantId, [
    anAlphaEvent(merchantId, { id: paymentId, email, amount: 1_000 }),
  ]);
  await ingestEventBatch(db, ids, new Map(), testPolicy);
  sale = { paymentId, merchantId, email, amount: 1_000 };
  const wallet = await db('wallets').where({ tenantId }).first<{ id: WalletId }>('id');
  ({ code } = await aRedemption(db, { walletId: required(wallet).id, points: 100 }));
  await db.raw(`update redemptions set status = 'used', sealed_code = null, used_at = now(),
    used_by = (select id from users limit 1)`);
});
afterAll(() => database.close());

async function failed(change: {
  acknowledged?: string[];
  sales?: [string, typeof sale][];
  codes?: string[];
  burned?: string[];
}) {
  const accounts = {
    ...newAccounts(),
    sales: new Map(change.sales ?? [[paymentId, sale]]),
    codes: change.codes ?? [code],
    burned: new Set(change.burned ?? [code]),
  };
  const { acknowledged = ['test'] } = change;
  const { lines } = await prove(database.db, { accounts, acknowledged });
  return lines.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name);
}

describe('prove', () => {
  it('passes what is as it was answered', async () => {
    expect(await failed({})).toEqual([]);
  });

  it('finds a webhook that was answered and is gone', async () => {
    const acknowledged = ['test', 'another'];
    expect(await failed({ acknowledged })).toEqual([
      'every webhook answered 200 stored once and closed',
    ]);
  });

  it('finds a sale that is not credited, and one that was credited otherwise', async () => {
    const lost = { ...sale, paymentId: 'PAY_LOST', email: 'nobody@example.com' };
    const credits = 'every sale credited once, every refund settled';
    expect(
      await failed({
        sales: [
          [paymentId, sale],
          [lost.paymentId, lost],
        ],
      }),
    ).toEqual([credits]);
    expect(await failed({ sales: [[paymentId, { ...sale, amount: 999 }]] })).toContain(credits);
  });

  it('finds confirms and burns that left nothing, or more than was answered', async () => {
    const redemptions = 'every answered confirm left one redemption, every answered burn used one';
    expect(await failed({ codes: [code, 'ABCDEF012345'] })).toEqual([redemptions]);
    expect(await failed({ codes: [] })).toEqual([redemptions]);
    expect(await failed({ burned: [] })).toEqual([redemptions]);
  });
});
