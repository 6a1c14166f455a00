import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import { ingestEvents } from '../../../../activities/ingestion/events/ingest-events.ts';
import { createReconciliationActivities } from '../../../../activities/reconciliation.ts';
import { connect, type Db } from '../../../../db/connection.ts';
import { HELD } from '../../../../db/events/webhook-events.ts';
import type { EventId } from '../../../../domain/ids.ts';
import { readAlphaReport } from '../../../../gateways/providers/alpha/payloads.ts';
import { createMetrics } from '../../../../gateways/telemetry/metrics.ts';
import {
  type AlphaPaymentOptions,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  aWallet,
  storedEvents,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { aRedemption, expiresIn, redemptionRow } from '../../../support/points/redemptions.ts';

// Somebody holds a wallet for longer than a batch may wait: a forgotten transaction in psql.

const database = await useDatabase();
const { db } = database;

/** More than could wait for a second each before a test ends. */
const SALES = 200;

async function aShop() {
  const tenantId = await aTenant(db);
  const merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  await aRule(db, tenantId);
  const email = `${randomUUID()}@example.com`;
  const walletId = await aWallet(db, { userId: await aUser(db, { email }), tenantId });
  const sale = (nth: number, some: AlphaPaymentOptions = {}) =>
    anAlphaEvent(merchantId, { id: `P${nth}`, amount: 100, email, ...some });
  const stored = (count: number, some?: AlphaPaymentOptions) =>
    storedEvents(
      db,
      merchantId,
      Array.from({ length: count }, (_, nth) => sale(nth, some)),
    );
  const balance = async () =>
    Number((await db('wallets').where({ id: walletId }).first('balance')).balance);
  return { tenantId, merchantId, walletId, sale, stored, balance };
}
type Shop = Awaited<ReturnType<typeof aShop>>;

const ingest = (ids: readonly EventId[], by: Db = db) =>
  ingestEvents(by, ids, new Map(), testPolicy);

async function whileHeld<T>(
  { walletId }: Pick<Shop, 'walletId'>,
  work: () => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx('wallets').where({ id: walletId }).forUpdate().select('id');
    return work();
  });
}

const openOf = (ids: readonly EventId[]) =>
  db('pending_events')
    .whereIn('id', [...ids])
    .select('attempts', 'lastError');

describe('a batch with sales of a held wallet', () => {
  it('credits the sale behind them, and leaves them for the next attempt, uncounted', async () => {
    const [hot, other] = [await aShop(), await aShop()];
    const held = await hot.stored(SALES);
    const ids = [...held, ...(await other.stored(1))];
    await whileHeld(hot, async () => {
      expect((await ingest(ids)).held).toHaveLength(SALES);
      expect(await other.balance()).toBe(100);
      const open = await openOf(ids);
      expect(open).toHaveLength(SALES);
      for (const event of open) expect(event).toEqual({ attempts: 0, lastError: HELD });
    });
    await ingest(ids);
    expect(await hot.balance()).toBe(SALES * 100);
    expect(await openOf(ids)).toEqual([]);
  });

  it('reverses the refund behind theirs, and leaves theirs, uncounted', async () => {
    const [hot, other] = [await aShop(), await aShop()];
    await ingest([...(await hot.stored(SALES)), ...(await other.stored(1))]);
    const ids = [
      ...(await hot.stored(SALES, { refunded: 30 })),
      ...(await other.stored(1, { refunded: 30 })),
    ];
    await whileHeld(hot, async () => {
      expect((await ingest(ids)).held).toHaveLength(SALES);
      expect(await other.balance()).toBe(70);
      for (const event of await openOf(ids))
        expect(event).toEqual({ attempts: 0, lastError: HELD });
    });
    await ingest(ids);
    expect(await hot.balance()).toBe(SALES * 70);
  });
});

describe('a page of a poll with a sale of a held wallet', () => {
  it('credits the others, and leaves it as an event without an attempt', async () => {
    const [hot, other] = [await aShop(), await aShop()];
    const listed = [hot, other].map(({ tenantId, sale }) => {
      const report = readAlphaReport(sale(1));
      if (report.kind !== 'payment') throw new Error(report.kind);
      return { tenantId, payment: report.payment };
    });
    await whileHeld(hot, async () => {
      const counts = await ingestListedPayments(db, listed, testPolicy);
      expect(counts).toMatchObject({ credited: 1, failed: 1 });
      expect(await other.balance()).toBe(100);
    });
    const left = await db('pending_events').where({ tenantId: hot.tenantId }).first();
    expect(left).toMatchObject({ attempts: 0, lastError: HELD });
  });
});

describe('overdue codes of which one wallet is held', () => {
  it('are expired, but for that one', async () => {
    const [held, other] = [await aRedemption(db), await aRedemption(db)];
    await expiresIn(db, [held.id, other.id], -1);
    const metrics = createMetrics('worker');
    const activities = createReconciliationActivities({ db, expiredCodes: 'refund', metrics });
    await whileHeld(held, async () => {
      expect(await activities.expireOverdueRedemptions()).toBe(1);
    });
    expect(await redemptionRow(db, other.id)).toMatchObject({ status: 'expired' });
    expect(await redemptionRow(db, held.id)).toMatchObject({ status: 'issued' });
  });
});

describe('a sale whose statement takes longer than a statement may', () => {
  it('counts the attempt only when it was alone, and the database is well', async () => {
    const [hot, other] = [await aShop(), await aShop()];
    const ids = [...(await hot.stored(1)), ...(await other.stored(1))];
    const impatient = connect(database.url, 2, 'loyalty-test', 250);
    try {
      await whileHeld(hot, () => ingest(ids, impatient));
    } finally {
      await impatient.destroy();
    }
    expect(await other.balance()).toBe(100);
    expect(await openOf(ids)).toEqual([
      { attempts: 1, lastError: expect.stringContaining('57014') },
    ]);
  });
});
