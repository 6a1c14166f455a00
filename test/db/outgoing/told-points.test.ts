import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestEvents } from '../../../activities/ingestion/events/ingest-events.ts';
import * as events from '../../../db/outgoing/events.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import type { TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import { MESSAGE_DATA } from '../../../domain/webhook-data.ts';
import {
  type AlphaPaymentOptions,
  aConnectedShop,
  aDebit,
  anAlphaEvent,
  aRule,
  aUser,
  postByHand,
  required,
  storedEvents,
  testPolicy,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anEndpoint, untilSettled } from '../../support/http/endpoints.ts';
import { aRedemption, expiresIn, testCodes } from '../../support/points/redemptions.ts';

// What a tenant's systems are told of points and codes: neither less nor more than what happened.

const { db } = await useDatabase();
let tenantId: TenantId;
let merchantId: string;
let email: string;
let userId: UserId;
beforeEach(async () => {
  ({ tenantId, merchantId, userId, email } = await aConnectedShop(db));
  await aRule(db, tenantId);
  await anEndpoint(db, tenantId);
});

let version = 0;
/** Reports a sale of 100; each report is newer than those before it. */
async function report(...sales: AlphaPaymentOptions[]): Promise<void> {
  const bodies = sales.map((sale) => {
    version += 1;
    const updatedAt = new Date(Date.parse('2026-01-15T10:00:02Z') + version * 1_000);
    return anAlphaEvent(merchantId, { amount: 100, email, updatedAt, ...sale });
  });
  const ids = await storedEvents(db, merchantId, bodies);
  expect((await ingestEvents(db, ids, new Map(), testPolicy)).failures).toEqual([]);
}

async function walletOf(): Promise<WalletId> {
  const wallet = await db('wallets').where({ tenantId, userId }).first('id');
  return wallet.id;
}

type Told = { id: string | undefined; type: string; data: object };
/** In one order: of one transaction, whatever comes first was told at the same time. */
const inOrder = (all: Told[]) => all.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
const keyOf = ({ type, data }: Told) => `${type} ${JSON.stringify(Object.entries(data).sort())}`;

/** What was told, of which each has the data that the document says. */
async function told(): Promise<Told[]> {
  await untilSettled(db);
  const found = required(await events.list(db, tenantId, { after: null, limit: 100 }));
  for (const { type, data } of found) MESSAGE_DATA[type].strict().parse(data);
  return inOrder(found.map(({ id, type, data }) => ({ id, type, data })));
}

/** The ids of a wallet's entries, oldest first. */
const entriesOf = (walletId: WalletId): Promise<string[]> =>
  db('ledger_entries').where({ walletId }).orderBy('seq').pluck('id');

async function use(code: string): Promise<void> {
  const operatorId = await aUser(db, { role: 'pos_operator' });
  const hmacs = testCodes.hmacsOf(code);
  await db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
}

describe('points of sales, of their refunds and of codes', () => {
  it('are told once each, by the entry that moved them', async () => {
    await report({ id: 'P1' });
    const walletId = await walletOf();
    const first = await aRedemption(db, { walletId, points: 60 });
    await report({ id: 'P1', refunded: 100 });
    // Its points come back, and pay what the balance did not hold.
    await db.transaction((tx) => lifecycle.cancel(tx, { id: first.id, userId }));
    // A sale that its first report says is refunded in part.
    await report({ id: 'P2', refunded: 25 });
    await db.transaction((tx) => postByHand(tx, [aDebit(walletId, 5)]));

    const entries = await entriesOf(walletId);
    const [p1, , reversed, , paid, p2, part, adjusted] = entries;
    expect(entries).toHaveLength(8);
    const payments: { id: string; providerPaymentId: string }[] = await db('payments')
      .where({ tenantId })
      .select('id', 'providerPaymentId');
    const idOf = (sale: string) =>
      required(payments.find(({ providerPaymentId }) => providerPaymentId === sale)).id;
    const data = (ledgerEntryId: string | undefined, points: number, balance: number) => ({
      walletId,
      userId,
      points,
      balance,
      ledgerEntryId,
    });
    const code = {
      redemptionId: first.id,
      walletId,
      points: 60,
      discountValueMinorUnits: 60,
      currency: null,
      cancelled: false,
      reward: null,
    };
    const [ofP1, ofP2] = [{ transactionId: idOf('P1') }, { transactionId: idOf('P2') }];
    const expected = [
      { id: p1, type: 'points.credited', data: { ...data(p1, 100, 100), ...ofP1 } },
      { id: expect.any(String), type: 'redemption.issued', data: code },
      { id: reversed, type: 'points.reversed', data: { ...data(reversed, 40, 0), ...ofP1 } },
      {
        id: expect.any(String),
        type: 'redemption.expired',
        data: { ...code, cancelled: true },
      },
      { id: paid, type: 'points.reversed', data: { ...data(paid, 60, 0), ...ofP1 } },
      { id: p2, type: 'points.credited', data: { ...data(p2, 100, 100), ...ofP2 } },
      { id: part, type: 'points.reversed', data: { ...data(part, 25, 75), ...ofP2 } },
      {
        id: adjusted,
        type: 'points.adjusted',
        data: { ...data(adjusted, 5, 70), transactionId: null },
      },
    ];
    expect(await told()).toEqual(inOrder(expected));
  });

  it('are told of each customer of a batch, and of none that moved no points', async () => {
    const other = `${randomUUID()}@example.com`;
    await aUser(db, { email: other });
    await report({ id: 'P1' }, { id: 'P2', email: other }, { id: 'P3', email: 'no@one.example' });
    const owners = await db('wallets').where({ tenantId }).pluck('id');
    const entries = await db('ledger_entries').whereIn('walletId', owners).pluck('id');
    const ids = (await told()).map(({ id, type }) => `${type} ${id}`);
    expect(owners).toHaveLength(2);
    expect(ids.sort()).toEqual(entries.map((id) => `points.credited ${id}`).sort());
  });
});

describe('a code', () => {
  it.each([
    ['used', 'redemption.used'],
    ['expired', 'redemption.expired'],
    ['expired without its points', 'redemption.expired'],
    ['of a frozen wallet', 'redemption.expired'],
  ])('%s: is told when it is issued, and once when it ends', async (how, type) => {
    await report({ id: 'P1' });
    const walletId = await walletOf();
    const { id, code } = await aRedemption(db, { walletId, points: 10 });
    if (how === 'used') await use(code);
    else if (how === 'of a frozen wallet') {
      await db.transaction((tx) => lifecycle.cancelOpen(tx, [walletId]));
    } else {
      await expiresIn(db, [id], -1);
      const policy = how === 'expired' ? 'refund' : 'forfeit';
      await lifecycle.expireOne(db, id, policy);
      await lifecycle.expireOne(db, id, policy);
    }
    const ended = (await told()).filter((event) => event.type.startsWith('redemption.'));
    const data = expect.objectContaining({ redemptionId: id });
    expect(ended).toMatchObject(
      [
        { type, data },
        { type: 'redemption.issued', data },
      ].sort((one, other) => (one.type < other.type ? -1 : 1)),
    );
  });
});
