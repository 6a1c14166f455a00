import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestEvents } from '../../../activities/ingestion/events/ingest-events.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import type { TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import {
  type AlphaPaymentOptions,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
  testPolicy,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  aRedemption,
  expiresIn,
  type Issued,
  testCodes,
} from '../../support/points/redemptions.ts';

// What was refunded after its points were used stays owed, and is paid by whatever comes next.

const { db } = await useDatabase();
let tenantId: TenantId;
let merchantId: string;
let email: string;
let userId: UserId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  merchantId = `M-${randomUUID()}`;
  email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
  await anAlphaConnection(db, { tenantId, merchantId });
  await aRule(db, tenantId);
});

let version = 0;
/** A report that is newer than those before it. */
const report = (sale: AlphaPaymentOptions) => {
  version += 1;
  const updatedAt = new Date(Date.parse('2026-01-15T10:00:02Z') + version * 1_000);
  return { amount: 100, email, updatedAt, ...sale };
};
async function ingest(...reports: AlphaPaymentOptions[]): Promise<void> {
  const bodies = reports.map((each) => anAlphaEvent(merchantId, each));
  const ids = await storedEvents(db, merchantId, bodies);
  const { failures } = await ingestEvents(db, ids, new Map(), testPolicy);
  expect(failures).toEqual([]);
}
const walletOf = (): Promise<{ id: WalletId; balance: number; owed: number }> =>
  db('wallets').where({ tenantId, userId }).first('id', 'balance', 'owed');
async function use({ code }: Issued): Promise<void> {
  const hmacs = testCodes.hmacsOf(code);
  const operatorId = await aUser(db, { role: 'pos_operator' });
  const burned = await db.transaction((tx) =>
    redemptions.burn(tx, { tenantId, hmacs, operatorId }),
  );
  expect(burned).toBeDefined();
}
const sumsOf = async (providerPaymentId: string) => {
  const { pointsReversed, pointsOwed, pointsWrittenOff } = await db('payments')
    .where({ tenantId, providerPaymentId })
    .first();
  return [pointsReversed, pointsOwed, pointsWrittenOff];
};

describe('two rounds of buying, redeeming and returning', () => {
  it('earn something once: the second sale pays what the first one owes', async () => {
    await ingest(report({ id: 'P1' }));
    const { id: walletId } = await walletOf();
    await use(await aRedemption(db, { walletId, points: 100 }));
    await ingest(report({ id: 'P1', refunded: 100 }));
    expect(await walletOf()).toMatchObject({ balance: 0, owed: 100 });
    expect(await sumsOf('P1')).toEqual([0, 100, 0]);

    await ingest(report({ id: 'P2' }));
    expect(await walletOf()).toMatchObject({ balance: 0, owed: 0 });
    expect(await sumsOf('P1')).toEqual([100, 0, 0]);
    await ingest(report({ id: 'P2', refunded: 100 }));
    expect(await walletOf()).toMatchObject({ balance: 0, owed: 100 });
    expect(await sumsOf('P2')).toEqual([0, 100, 0]);
    const entries = await db('ledger_entries').where({ walletId }).orderBy('seq');
    expect(entries.map(({ reason, points }) => `${reason} ${points}`)).toEqual([
      'purchase 100',
      'redemption 100',
      'purchase 100',
      'payment_refunded 100',
    ]);
  });

  it('earn nothing when both sales and the refund arrive together', async () => {
    await ingest(report({ id: 'P1' }));
    const { id: walletId } = await walletOf();
    await use(await aRedemption(db, { walletId, points: 100 }));
    await ingest(
      report({ id: 'P1', refunded: 100 }),
      report({ id: 'P2', amount: 30 }),
      report({ id: 'P3', amount: 50 }),
    );
    expect(await walletOf()).toMatchObject({ balance: 0, owed: 20 });
    expect(await sumsOf('P1')).toEqual([80, 20, 0]);
  });
});

describe('sales, refunds, their failures and the ends of codes', () => {
  const SALES = 4;
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ sale: fc.nat(SALES - 1), share: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.constantFrom('return' as const, 'use' as const) },
  );
  const history = fc.record({
    spent: fc.constantFrom(0, 40, 100),
    steps: fc.array(step, { minLength: 3, maxLength: 12 }),
    /** Where a batch ends. */
    cuts: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    order: fc.array(fc.nat(1_000), { minLength: 12, maxLength: 12 }),
  });
  type History = typeof history extends fc.Arbitrary<infer H> ? H : never;

  /** Takes the steps in an order and in batches, and returns what the wallet then has and owes. */
  async function end(
    run: string,
    { spent, steps, cuts, order }: History & { order: number[] },
  ): Promise<[number, number]> {
    const buyer = `${run}@example.com`;
    const owner = await aUser(db, { email: buyer });
    await ingest({ id: `${run}-first`, amount: 100, email: buyer });
    const { id: walletId } = await db('wallets').where({ tenantId, userId: owner }).first('id');
    if (spent > 0) await use(await aRedemption(db, { walletId, points: spent }));
    const code = spent < 100 ? await aRedemption(db, { walletId, points: 100 - spent }) : undefined;
    const at = (nth: number) => new Date(Date.parse('2026-01-16T10:00:00Z') + nth * 1_000);
    const numbered = steps.map((each, nth) => ({ each, nth }));
    numbered.sort((one, other) => (order[one.nth] ?? 0) - (order[other.nth] ?? 0));
    let batch: AlphaPaymentOptions[] = [];
    const flush = async () => {
      await ingest(...batch);
      batch = [];
    };
    for (const { each, nth } of numbered) {
      if (typeof each === 'string') {
        await flush();
        if (code === undefined) continue;
        if (each === 'use') await db.transaction((tx) => burnIfOpen(tx, code));
        else await returnIfOpen(code);
        continue;
      }
      const { sale, share } = each;
      const name = sale === 0 ? 'first' : sale;
      const sold = { id: `${run}-${name}`, amount: 100 - 20 * sale, email: buyer };
      const refunded = Math.floor((sold.amount * share) / 4);
      batch.push({ ...sold, updatedAt: at(nth), ...(refunded > 0 && { refunded }) });
      if (cuts[nth]) await flush();
    }
    await flush();
    const { balance, owed } = await db('wallets').where({ id: walletId }).first();
    return [balance, owed];
  }

  const burnIfOpen = (tx: Parameters<typeof redemptions.burn>[0], { code }: Issued) =>
    redemptions.burn(tx, { tenantId, hmacs: testCodes.hmacsOf(code), operatorId: userId });
  const returnIfOpen = async ({ id }: Issued) => {
    const { status } = await db('redemptions').where({ id }).first('status');
    if (status !== 'issued') return;
    await expiresIn(db, [id], -1);
    await lifecycle.expireOne(db, id, 'refund');
  };

  it('lead to one balance and one sum of debts, in any order and any batches', async () => {
    const seen = { owing: 0, holding: 0 };
    const property = fc.asyncProperty(history, async ({ steps, ...rest }) => {
      // A code ends once, so its ends are no question of order.
      const last = steps.findLastIndex((each) => typeof each === 'string');
      const only = steps.filter((each, nth) => typeof each !== 'string' || nth === last);
      const asTold = only.map((_, nth) => nth);
      const told = await end(randomUUID(), { ...rest, steps: only, order: asTold });
      const mixed = await end(randomUUID(), { ...rest, steps: only });
      expect(mixed).toEqual(told);
      expect(Math.min(...told)).toBe(0);
      if (required(told[1]) > 0) seen.owing++;
      if (required(told[0]) > 0) seen.holding++;
    });
    await fc.assert(property, { numRuns: 30 });
    expect(Math.min(seen.owing, seen.holding)).toBeGreaterThan(0);
  }, 240_000);
});

describe('a credit and a refund at the same moment', () => {
  it('leave no wallet that owes and holds', async () => {
    for (let nth = 0; nth < 10; nth++) await ingest(report({ id: `P${nth}`, amount: 10 }));
    const { id: walletId } = await walletOf();
    await use(await aRedemption(db, { walletId, points: 100 }));
    await Promise.all(
      Array.from({ length: 10 }, (_, nth) => [
        ingest(report({ id: `P${nth}`, amount: 10, refunded: 10 })),
        ingest(report({ id: `Q${nth}`, amount: 7 })),
      ]).flat(),
    );
    expect(await walletOf()).toMatchObject({ balance: 0, owed: 30 });
    const owing = await db('payments').where({ walletId }).select('pointsOwed');
    expect(owing.reduce((sum, { pointsOwed }) => sum + pointsOwed, 0)).toBe(30);
  });
});
