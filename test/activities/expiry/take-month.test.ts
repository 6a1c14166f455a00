import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeMonth } from '../../../activities/expiry/take-month.ts';
import { ingestEvents } from '../../../activities/ingestion/events/ingest-events.ts';
import { byOps } from '../../../db/audit-log.ts';
import { readValidity } from '../../../db/ledger/validity.ts';
import { verifyLedger } from '../../../db/ledger/verification/whole.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as progress from '../../../db/tenants/expiry-progress.ts';
import { reinstate, suspend } from '../../../db/tenants/status.ts';
import { NEVER } from '../../../domain/expiry.ts';
import type { TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import { monthOf, startOfMonth } from '../../../domain/intervals.ts';
import { countStatements } from '../../support/database/count-statements.ts';
import {
  type AlphaPaymentOptions,
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
import { aRedemption, balanceOf } from '../../support/points/redemptions.ts';

// Entries are of the present month, so their months are ended ahead: what is earned now, with a
// validity of one month, is due by the end of the next one.

const { db } = await useDatabase();
const now = monthOf(new Date(), 'UTC');
const [next, later] = [now + 1, now + 2];
const lastMonth = startOfMonth(now - 1, 'UTC');
const log = { error: () => undefined };

let tenantId: TenantId;
let merchantId: string;
let email: string;
let userId: UserId;
let walletId: WalletId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
  await aProgramme(db, tenantId, { validityMonths: 1, publishedAt: lastMonth });
  merchantId = `M-${randomUUID()}`;
  email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
  await anAlphaConnection(db, { tenantId, merchantId });
  walletId = await aWallet(db, { tenantId, userId });
});

let version = 0;
/** Ingests a report of a sale that is newer than those before it. */
async function sell(...sales: AlphaPaymentOptions[]): Promise<void> {
  const bodies = sales.map((sale) => {
    version += 1;
    const updatedAt = new Date(Date.parse('2026-01-15T10:00:02Z') + version * 1_000);
    return anAlphaEvent(merchantId, { amount: 100, email, updatedAt, ...sale });
  });
  const ids = await storedEvents(db, merchantId, bodies);
  const { failures } = await ingestEvents(db, ids, new Map(), testPolicy);
  expect(failures).toEqual([]);
}
const take = async (month: number, again = false) =>
  required(await takeMonth({ db, log }, { tenantId, month, again }));
const sumsOf = async (providerPaymentId: string) => {
  const sums = await db('payments').where({ tenantId, providerPaymentId }).first();
  return [sums.pointsReversed, sums.pointsOwed, sums.pointsAbsorbed];
};
const entries = async () =>
  (await db('ledger_entries').where({ walletId }).orderBy('seq')).map(
    ({ reason, entryType, points }) => `${reason} ${entryType === 'credit' ? '+' : '-'}${points}`,
  );
const adjust = (points: number) =>
  db.transaction((tx) =>
    postByHand(tx, [points > 0 ? aCredit(walletId, points) : aDebit(walletId, -points)]),
  );
const act = { acting: byOps(), reason: 'A test.' };

describe('the end of a month', () => {
  it('takes what is due by it, once, however often and late it is taken', async () => {
    await sell({});
    await adjust(-30);
    expect(await take(now)).toEqual({ skipped: null, points: 0, wallets: 0, failed: 0 });
    expect(await Promise.all([take(next), take(next)])).toEqual(
      expect.arrayContaining([expect.objectContaining({ points: 70 })]),
    );
    await take(next, true);
    await take(later);
    expect(await balanceOf(db, walletId)).toBe(0);
    expect(await entries()).toEqual([
      'purchase +100',
      'admin_adjustment -30',
      'points_expired -70',
    ]);
    const [row] = await db('point_expiries').where({ walletId });
    expect(row).toMatchObject({ points: 70, tenantId });
  });

  it('leaves what can be used longer, by when it is due', async () => {
    await aProgramme(db, tenantId, { validityMonths: 2 });
    await sell({});
    // For months to come the newest version governs: it prolongs.
    expect((await take(next)).points).toBe(0);
    const validity = required(await readValidity(db, { id: walletId, tenantId }));
    expect(validity.validityMonths).toBe(2);
    expect(validity.points).toEqual([
      { month: later, points: 100, expiresAt: startOfMonth(later + 1, 'UTC') },
    ]);
    expect((await take(later)).points).toBe(100);
  });

  it('reads no wallet where nothing can be due, and says what never expires', async () => {
    const other = await aTenant(db);
    await aProgramme(db, other);
    await aRule(db, other);
    const id = await aWallet(db, { tenantId: other, balance: 50 });
    const taken = await takeMonth({ db, log }, { tenantId: other, month: next });
    expect(taken).toEqual({ skipped: null, points: 0, wallets: 0, failed: 0 });
    const validity = await readValidity(db, { id, tenantId: other });
    expect(validity?.points).toEqual([{ month: NEVER, points: 50, expiresAt: null }]);
    expect(await takeMonth({ db, log }, { tenantId: await aTenant(db), month: next })).toBe(
      undefined,
    );
  });

  it('goes on where it was killed, and the command from the beginning', async () => {
    const others: WalletId[] = [];
    for (let nth = 0; nth < 4; nth++) others.push(await aWallet(db, { tenantId, balance: 5 }));
    const run = { tenantId, month: next };
    await progress.begin(db, run, null);
    const done = { after: required(others[2]), openCodes: 0 };
    await db.transaction((tx) => progress.advance(tx, run, done));
    expect(await take(next)).toMatchObject({ points: 5, wallets: 1 });
    expect(await take(next, true)).toMatchObject({ points: 15, wallets: 4 });
  });

  it('leaves a wallet that somebody holds, says so, and finds it again', async () => {
    const held = await aWallet(db, { tenantId, balance: 5 });
    const free = await aWallet(db, { tenantId, balance: 5 });
    let logged = 0;
    const counting = { error: () => void logged++ };
    await db.transaction(async (tx) => {
      await wallets.lock(tx, held);
      const taken = await takeMonth({ db, log: counting }, { tenantId, month: next });
      expect(taken).toMatchObject({ points: 5, failed: 1 });
    });
    expect(logged).toBe(1);
    expect(await balanceOf(db, free)).toBe(0);
    expect(await take(next)).toMatchObject({ points: 5, failed: 0 });
  });

  it('is skipped while nobody could use points, and what was due goes with the next', async () => {
    await sell({});
    await suspend(db, tenantId, act);
    expect(await take(next)).toMatchObject({ skipped: 'suspended', points: 0 });
    await reinstate(db, tenantId, act);
    expect(await take(next)).toMatchObject({ skipped: 'suspended', points: 0 });
    const validity = required(await readValidity(db, { id: walletId, tenantId }));
    expect(validity.points).toMatchObject([{ month: later, points: 100 }]);
    // As if 14 days had passed: the audit log is never changed, so another shop has none.
    const other = await aTenant(db);
    await aProgramme(db, other, { validityMonths: 1, publishedAt: lastMonth });
    await aWallet(db, { tenantId: other, balance: 50 });
    const skipped = await takeMonth({ db, log }, { tenantId: other, month: next });
    expect(skipped).toMatchObject({ skipped: 'no_rule', points: 0 });
    await aRule(db, other);
    const taken = await takeMonth({ db, log }, { tenantId: other, month: next, again: true });
    expect(taken).toMatchObject({ skipped: null, points: 50 });
  });
});

describe('a month of a shop that was suspended', () => {
  const past = (at: Date, action: string) =>
    db('audit_log').insert({
      ...byOps(),
      action,
      targetType: 'tenant',
      targetId: tenantId,
      tenantId,
      before: {},
      after: {},
      createdAt: at,
    });

  it('waits for the reinstatement if it had ended before', async () => {
    await suspend(db, tenantId, act);
    expect(await takeMonth({ db, log }, { tenantId, month: now - 1 })).toBeUndefined();
    expect(await db('expiry_runs').where({ tenantId })).toEqual([]);
    await reinstate(db, tenantId, act);
    expect(await take(now - 1)).toMatchObject({ skipped: null });
  });

  it('is skipped if it ended meanwhile, and taken by who asks for it later', async () => {
    const end = startOfMonth(now - 1, 'UTC').getTime();
    const DAY_MS = 86_400_000;
    await past(new Date(end - 20 * DAY_MS), 'tenant.suspend');
    await past(new Date(end + DAY_MS), 'tenant.reinstate');
    expect(await take(now - 2)).toMatchObject({ skipped: 'suspended' });
    expect(await take(now - 2, true)).toMatchObject({ skipped: null });
  });
});

describe('what comes back after its month', () => {
  it('is taken in the same transaction, as without the code (E3)', async () => {
    await sell({});
    const { id } = await aRedemption(db, { walletId, points: 30 });
    expect((await take(next)).points).toBe(70);
    expect(await db.transaction((tx) => lifecycle.cancel(tx, { id, userId }))).toBe(true);
    expect(await balanceOf(db, walletId)).toBe(0);
    expect((await entries()).slice(-3)).toEqual([
      'points_expired -70',
      'redemption_expired +30',
      'points_expired -30',
    ]);
    expect((await take(next, true)).points).toBe(0);
  });

  it('pays a debt first', async () => {
    await sell({ id: 'P1' });
    const { id } = await aRedemption(db, { walletId, points: 100 });
    await sell({ id: 'P1', refunded: 60 });
    expect(await sumsOf('P1')).toEqual([0, 60, 0]);
    await take(next);
    await db.transaction((tx) => lifecycle.cancel(tx, { id, userId }));
    expect(await sumsOf('P1')).toEqual([60, 0, 0]);
    expect(await balanceOf(db, walletId)).toBe(0);
    expect((await entries()).slice(-2)).toEqual(['payment_refunded -60', 'points_expired -40']);
  });

  it('is left where its month was skipped', async () => {
    await sell({});
    const { id } = await aRedemption(db, { walletId, points: 30 });
    await suspend(db, tenantId, act);
    expect(await take(next)).toMatchObject({ skipped: 'suspended' });
    await db.transaction((tx) => lifecycle.cancel(tx, { id, userId }));
    expect(await balanceOf(db, walletId)).toBe(100);
  });

  it('costs a shop without a programme nothing more', async () => {
    const plain = await aWallet(db, { balance: 100 });
    const { id } = await aRedemption(db, { walletId: plain, points: 30 });
    const { userId: owner } = await db('wallets').where({ id: plain }).first('userId');
    const statements = await countStatements(db, (tx) =>
      lifecycle.cancel(tx, { id, userId: owner }),
    );
    expect(statements).toBe(2);
  });
});

describe('a refund of a sale whose points have expired', () => {
  it('is absorbed as far as they have, and the rest is debited (E2)', async () => {
    await sell({ id: 'P1' });
    await adjust(-20);
    expect((await take(next)).points).toBe(80);
    await adjust(30);
    await sell({ id: 'P1', refunded: 100 });
    expect(await sumsOf('P1')).toEqual([20, 0, 80]);
    expect(await balanceOf(db, walletId)).toBe(10);
  });

  it('comes to the same before the month ends (E2)', async () => {
    await sell({ id: 'P1' });
    await adjust(-20);
    await sell({ id: 'P1', refunded: 100 });
    expect(await sumsOf('P1')).toEqual([80, 20, 0]);
    await adjust(30);
    expect(await sumsOf('P1')).toEqual([100, 0, 0]);
    expect((await take(next)).points).toBe(10);
  });

  it('that fails after all releases what was taken last (E12)', async () => {
    await sell({ id: 'P1', amount: 20 });
    await sell({ id: 'P1', amount: 20, refunded: 4 });
    expect((await take(next)).points).toBe(16);
    await sell({ id: 'P1', amount: 20, refunded: 20 });
    expect(await sumsOf('P1')).toEqual([4, 0, 16]);
    await sell({ id: 'P1', amount: 20, refunded: 4 });
    expect(await sumsOf('P1')).toEqual([4, 0, 0]);
    await sell({ id: 'P1', amount: 20, refunded: 0 });
    expect(await sumsOf('P1')).toEqual([0, 0, 0]);
    expect(await balanceOf(db, walletId)).toBe(0);
    expect(await entries()).toEqual([
      'purchase +20',
      'payment_refunded -4',
      'points_expired -16',
      'payment_refunded +4',
      'points_expired -4',
    ]);
  });

  it('absorbs no point twice, also of several sales in one batch', async () => {
    await sell({ id: 'P1', amount: 60 }, { id: 'P2', amount: 40 });
    await adjust(-50);
    expect((await take(next)).points).toBe(50);
    await sell({ id: 'P1', amount: 60, refunded: 60 }, { id: 'P2', amount: 40, refunded: 40 });
    const [one, two] = await Promise.all([sumsOf('P1'), sumsOf('P2')]);
    expect([one[2] + two[2], one[1] + two[1]]).toEqual([50, 50]);
    await sell({ id: 'P2', amount: 40, refunded: 0 }, { id: 'P1', amount: 60, refunded: 0 });
    expect(await sumsOf('P1')).toEqual([0, 0, 0]);
    expect(await sumsOf('P2')).toEqual([0, 0, 0]);
    const { owed, balance } = required(await db('wallets').where({ id: walletId }).first());
    expect([owed, balance]).toEqual([0, 0]);
  });
});

describe('the verification', () => {
  it('finds nothing wrong with all of it', async () => {
    expect((await verifyLedger(db)).violations).toEqual([]);
  });
});
