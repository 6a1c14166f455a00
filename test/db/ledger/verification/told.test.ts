import { beforeEach, describe, expect, it } from 'vitest';
import { ingestEvents } from '../../../../activities/ingestion/events/ingest-events.ts';
import { verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import { newId } from '../../../../db/new-id.ts';
import * as endpoints from '../../../../db/outgoing/endpoints.ts';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../../db/redemptions/redemptions.ts';
import type { EndpointId, TenantId, UserId, WalletId } from '../../../../domain/ids.ts';
import {
  aConnectedShop,
  aCredit,
  aDebit,
  anAlphaEvent,
  aRule,
  aUser,
  aWallet,
  postByHand,
  storedEvents,
  testPolicy,
} from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';
import { anEndpoint } from '../../../support/http/endpoints.ts';
import { aRedemption, testCodes } from '../../../support/points/redemptions.ts';

const { db } = await useUnverifiedDatabase();
let tenantId: TenantId;
let merchantId: string;
let email: string;
let userId: UserId;
let walletId: WalletId;
let endpointId: EndpointId;
beforeEach(async () => {
  ({ tenantId, merchantId, userId, email } = await aConnectedShop(db));
  await aRule(db, tenantId);
  ({ id: endpointId } = await anEndpoint(db, tenantId));
  walletId = await aWallet(db, { tenantId, userId, balance: 100 });
});

/** What is found wrong with the wallet. */
async function problems(): Promise<string[]> {
  const { violations } = await verifyLedger(db);
  const own = violations.filter((each) => each.tenantId === tenantId);
  for (const each of own) expect(each).toMatchObject({ walletId });
  return own.map(({ problem }) => problem);
}

/** Credits a sale of 5, and returns its entry. */
async function sell(): Promise<string> {
  const body = anAlphaEvent(merchantId, { email, amount: 5 });
  const ids = await storedEvents(db, merchantId, [body]);
  expect((await ingestEvents(db, ids, new Map(), testPolicy)).failures).toEqual([]);
  const entry = await db('ledger_entries').where({ walletId }).orderBy('seq', 'desc').first('id');
  return entry.id;
}

const eventOf = (id: string) => db('tenant_events').where({ id });
const told = (id: string, type: string) =>
  db('tenant_events').where({ type }).whereRaw(`data ->> 'redemptionId' = ?`, [id]);

describe('a shop whose systems are told', () => {
  it('is found right while it sells, refunds and gives codes', async () => {
    let isOver = false;
    const found: string[][] = [];
    const looking = (async () => {
      while (!isOver) found.push(await problems());
    })();
    const operatorId = await aUser(db, { role: 'pos_operator' });
    const selling = async (nth: number) => {
      const sale = { id: `SALE-${nth}`, email, amount: 20 };
      for (const refunded of [0, 10, 20]) {
        const updatedAt = new Date(Date.parse('2026-01-15T10:00:02Z') + refunded * 1_000);
        const body = anAlphaEvent(merchantId, { ...sale, updatedAt, refunded });
        const ids = await storedEvents(db, merchantId, [body]);
        await ingestEvents(db, ids, new Map(), testPolicy);
      }
      const { id, code } = await aRedemption(db, { walletId, points: 1 });
      const hmacs = testCodes.hmacsOf(code);
      await db.transaction<unknown>((tx) =>
        nth % 2 === 0
          ? redemptions.burn(tx, { tenantId, hmacs, operatorId })
          : lifecycle.cancel(tx, { id, userId }),
      );
      await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 2), aDebit(walletId, 1)]));
    };
    const lanes = [0, 1, 2].map(async (lane) => {
      for (let nth = lane; nth < 9; nth += 3) await selling(nth);
    });
    await Promise.all(lanes).finally(() => (isOver = true));
    await looking;
    expect(found.flat()).toEqual([]);
    expect(await problems()).toEqual([]);
    const types = await db('tenant_events').where({ tenantId }).distinct('type').pluck('type');
    expect(types.sort()).toEqual([
      'points.adjusted',
      'points.credited',
      'points.reversed',
      'redemption.expired',
      'redemption.issued',
      'redemption.used',
    ]);
  }, 120_000);

  it('is found wrong where an entry is not told', async () => {
    const entry = await sell();
    await eventOf(entry).delete();
    expect(await problems()).toEqual([`entry ${entry} is not told`]);
  });

  it.each([
    ['as another type', { type: 'points.reversed' }, 'is told as points.reversed'],
    ['to another shop', { tenantId: newId() }, 'is told to another shop'],
    [
      'with other points',
      { data: db.raw(`data || '{"points": 6}'`) },
      'is told with another wallet, balance or points',
    ],
  ])('is found wrong where an entry is told %s', async (_, change, words) => {
    const entry = await sell();
    expect(await problems()).toEqual([]);
    await eventOf(entry).update(change);
    expect(await problems()).toEqual([`entry ${entry} ${words}`]);
  });

  it('is found wrong where the entry of a code is told beside the code', async () => {
    await aRedemption(db, { walletId });
    const entry = await db('ledger_entries').where({ walletId, reason: 'redemption' }).first('id');
    await db('tenant_events').insert({
      id: entry.id,
      tenantId,
      type: 'points.reversed',
      data: {},
    });
    expect(await problems()).toEqual([`entry ${entry.id} of a code is told as points.reversed`]);
  });

  it('is found wrong where a code is not told, or told twice, or not as what it is', async () => {
    const { id } = await aRedemption(db, { walletId });
    const issued = await told(id, 'redemption.issued').first('data');
    await told(id, 'redemption.issued').delete();
    expect(await problems()).toEqual([`redemption ${id} is told 0 times as issued`]);
    const event = { tenantId, type: 'redemption.issued', data: issued.data };
    await db('tenant_events').insert([event, event]);
    expect(await problems()).toEqual([`redemption ${id} is told 2 times as issued`]);
    await db('tenant_events').where({ tenantId, type: event.type }).delete();
    await db('tenant_events').insert([event, { ...event, type: 'redemption.used' }]);
    expect(await problems()).toEqual([`redemption ${id} is told 1 times as used`]);
  });

  it('is found wrong where the end of a code is not told', async () => {
    const { id } = await aRedemption(db, { walletId });
    await db.transaction((tx) => lifecycle.cancel(tx, { id, userId }));
    await told(id, 'redemption.expired').delete();
    expect(await problems()).toEqual([`redemption ${id} is told 0 times as expired`]);
  });

  it('is found right where what is not told is older than what is kept of it', async () => {
    const { id } = await aRedemption(db, { walletId });
    await told(id, 'redemption.issued').delete();
    const daysAgo = (days: number) => db.raw(`now() - make_interval(days => ?)`, [days]);
    await db('webhook_endpoints')
      .where({ id: endpointId })
      .update({ createdAt: daysAgo(90) });
    await db('redemptions')
      .where({ id })
      .update({ createdAt: daysAgo(30) });
    expect(await problems()).toEqual([]);
    await db('redemptions')
      .where({ id })
      .update({ createdAt: daysAgo(28) });
    expect(await problems()).toEqual([`redemption ${id} is told 0 times as issued`]);
  });
});

describe('a shop without an endpoint', () => {
  it('is found right, whatever it was told of', async () => {
    await eventOf(await sell()).delete();
    await db.transaction((tx) => endpoints.remove(tx, tenantId, endpointId));
    expect(await problems()).toEqual([]);
  });

  it('is found right for what happened before its first', async () => {
    await db('webhook_endpoints').where({ id: endpointId }).update({ deletedAt: db.fn.now() });
    await db('tenants').where({ id: tenantId }).update({ tellsEvents: false });
    await sell();
    const { id } = await aRedemption(db, { walletId });
    await anEndpoint(db, tenantId);
    await db.transaction((tx) => lifecycle.cancel(tx, { id, userId }));
    expect(await problems()).toEqual([]);
    expect(await told(id, 'redemption.issued')).toEqual([]);
    expect(await told(id, 'redemption.expired')).toHaveLength(1);
  });
});
