import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeMonth } from '../../../activities/expiry/take-month.ts';
import { takeWallets } from '../../../activities/expiry/take-wallets.ts';
import { ingestEvents } from '../../../activities/ingestion/events/ingest-events.ts';
import type { Db } from '../../../db/connection.ts';
import { readCalendar } from '../../../db/ledger/expiring.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as progress from '../../../db/tenants/expiry-progress.ts';
import * as liability from '../../../db/tenants/liability.ts';
import { pointsNow } from '../../../db/tenants/outstanding.ts';
import type { TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import { monthOf, startOfMonth } from '../../../domain/intervals.ts';
import { lostAtPage } from '../../support/database/lost-connection.ts';
import { asEarnedAt } from '../../support/database/rewritten-ledger.ts';
import {
  aCredit,
  aDebit,
  anAlphaConnection,
  anAlphaEvent,
  aProgramme,
  aRule,
  aTenant,
  aUser,
  aWallet,
  postByHand,
  required,
  storedEvents,
  testPolicy,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aRedemption } from '../../support/points/redemptions.ts';

// What a month leaves that is owed. Points are valid for one month after that of their entry.

const database = await useDatabase();
const { db, owner } = database;
const now = monthOf(new Date(), 'UTC');
const [earliest, last, next] = [now - 2, now - 1, now + 1];
const log = { error: () => undefined };

let tenantId: TenantId;
let userId: UserId;
let walletId: WalletId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
  await aProgramme(db, tenantId, { validityMonths: 1, publishedAt: startOfMonth(now - 4, 'UTC') });
  const email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
  walletId = await aWallet(db, { tenantId, userId, balance: 140 });
  // 100 of the month before the last, 40 of the last, and a sale of this month, 10 refunded.
  await adjust(walletId, -40);
  await asEarnedAt(owner, { walletId, seq: 1 }, startOfMonth(earliest, 'UTC'));
  await adjust(walletId, 40);
  await asEarnedAt(owner, { walletId, seq: 3 }, startOfMonth(last, 'UTC'));
  const merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  for (const refunded of [0, 10]) {
    const updatedAt = new Date(Date.parse('2026-01-15T10:00:02Z') + refunded * 1_000);
    const sale = anAlphaEvent(merchantId, { id: 'P1', amount: 40, email, updatedAt, refunded });
    const ids = await storedEvents(db, merchantId, [sale]);
    expect((await ingestEvents(db, ids, new Map(), testPolicy)).failures).toEqual([]);
  }
});

const adjust = (id: WalletId, points: number) =>
  db.transaction((tx) => postByHand(tx, [points > 0 ? aCredit(id, points) : aDebit(id, -points)]));
const take = async (month: number, again = false) =>
  required(await takeMonth({ db, log }, { tenantId, month, again }));
const find = (month?: number) => liability.find(db, tenantId, month);
/** What the run of a month has found, by the months in which points were earned. */
async function owedAfter(month?: number) {
  const { months, openCodes } = required(await find(month));
  const sums = months.map((each) => {
    const { earned, reversed, used, expired, left } = each;
    expect(earned - reversed - used - expired).toBe(left);
    return [each.month - now, earned, reversed, used, expired, left];
  });
  const left = months.reduce((sum, each) => sum + each.left, 0);
  return { sums, openCodes, outstanding: left + openCodes };
}
const outstanding = async () => (await pointsNow(db, tenantId)).outstanding;
/** Runs the last month wallet by wallet. */
async function takePages(own: Db = db) {
  const since = await progress.begin(db, { tenantId, month: last }, null);
  const calendar = required(await readCalendar(db, tenantId));
  return takeWallets({ db: own, log }, { tenantId, month: last, calendar, now, since }, 1);
}
const lostAt = (nth: number) => lostAtPage(database.url, nth);

describe('what is owed after a month', () => {
  it('says by months what was refunded, used, expired and is left, beside codes', async () => {
    await aRedemption(db, { walletId, points: 20 });
    const without = await aWallet(db, { tenantId, balance: 20 });
    await adjust(without, -20);
    await aRedemption(db, { walletId: await aWallet(db, { tenantId, balance: 25 }), points: 25 });
    // 130 are left: 100 less 40 and 20 of the earliest month have expired.
    expect(await take(last)).toMatchObject({ points: 80, wallets: 3 });
    expect(await owedAfter()).toEqual({
      sums: [
        [-2, 140, 0, 60, 80, 0],
        [-1, 40, 0, 0, 0, 40],
        [0, 85, 10, 45, 0, 30],
      ],
      openCodes: 45,
      outstanding: await outstanding(),
    });
    expect(required(await find(last)).month).toBe(last);
    expect(required(await find()).asOf.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('stays as it was when codes come back, or points move', async () => {
    const { id } = await aRedemption(db, { walletId, points: 20 });
    await take(last);
    const before = await owedAfter(last);
    await db.transaction((tx) => lifecycle.cancel(tx, { id, userId }));
    await adjust(walletId, 5);
    await take(last);
    expect(await owedAfter(last)).toEqual(before);
    // The command counts anew: what came back had expired by then.
    await take(last, true);
    const after = await owedAfter(last);
    expect(after.sums[0]).toEqual([-2, 140, 0, 40, 100, 0]);
    expect(after.openCodes).toBe(0);
    expect(after.outstanding).toBe(await outstanding());
  });

  it('leaves out what the months before have taken', async () => {
    for (const month of [last, now, next]) await take(month);
    expect((await owedAfter()).sums).toEqual([[0, 40, 10, 0, 30, 0]]);
    expect(await owedAfter(last)).toMatchObject({ outstanding: 70 });
  });
});

describe('a run', () => {
  beforeEach(async () => {
    for (let nth = 0; nth < 3; nth++) await aWallet(db, { tenantId, balance: 5 });
  });
  const all = {
    sums: [
      [-2, 140, 0, 40, 100, 0],
      [-1, 40, 0, 0, 0, 40],
      [0, 55, 10, 0, 0, 45],
    ],
    openCodes: 0,
    outstanding: 85,
  };

  it('that is lost between pages counts each wallet once', async () => {
    for (const nth of [1, 2, 3]) {
      const own = lostAt(nth);
      await expect(takePages(own)).rejects.toThrow('The database goes.');
      await own.destroy();
      expect(await find()).toBeUndefined();
    }
    await takePages();
    expect(await owedAfter()).toEqual(all);
  });

  it('beside others, also of the command, counts each wallet once', async () => {
    await Promise.all([takePages(), takePages(), take(last, true), takePages(), take(last, true)]);
    expect(await owedAfter()).toEqual(all);
  });

  it('of the command that is lost is gone on with by the next hour', async () => {
    await take(last);
    const own = lostAt(1);
    const again = { tenantId, month: last, again: true };
    await expect(takeMonth({ db: own, log }, again)).rejects.toThrow('The database goes.');
    await own.destroy();
    expect(await find()).toBeUndefined();
    await take(last);
    expect(await owedAfter()).toEqual(all);
  });

  it('that passes over a wallet shows nothing until it has read all', async () => {
    await db.transaction(async (tx) => {
      await wallets.lock(tx, walletId);
      expect(await takePages()).toMatchObject({ wallets: 4, failed: 1 });
    });
    expect(await find()).toBeUndefined();
    expect(await takePages()).toMatchObject({ points: 100, wallets: 4, failed: 0 });
    expect(await owedAfter()).toEqual(all);
  });

  it('that reads no wallet, or is skipped, shows nothing', async () => {
    await take(earliest - 1);
    expect(await find(earliest - 1)).toBeUndefined();
    await progress.begin(db, { tenantId, month: last }, 'suspended');
    expect(await find(last)).toBeUndefined();
    // What was due by it is taken by the next one.
    await take(now);
    expect((await owedAfter(now)).sums).toEqual([
      [-2, 140, 0, 40, 100, 0],
      [-1, 40, 0, 0, 40, 0],
      [0, 55, 10, 0, 0, 45],
    ]);
  });
});
