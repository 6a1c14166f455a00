import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as ledger from '../../../../db/ledger/postings.ts';
import {
  NO_ID,
  verifyLedger,
  verifySlice,
  type WholePosition,
  type WholeSlice,
} from '../../../../db/ledger/verification/whole.ts';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import { TenantId, type WalletId } from '../../../../domain/ids.ts';
import { createUnverifiedDatabase } from '../../../support/database/test-database.ts';
import {
  aCredit,
  aDebit,
  aTenant,
  aWallet,
  postByHand,
  required,
} from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';
import { aCreditedPayment } from '../../../support/points/payments.ts';
import { aRedemption, expiresIn } from '../../../support/points/redemptions.ts';

const database = await useUnverifiedDatabase();
const { db } = database;

/** Does what the owner of the tables could do with the triggers switched off. */
async function forge(statement: string, bindings: Record<string, string | number>): Promise<void> {
  await database.owner.transaction(async (tx) => {
    await tx.raw(`alter table ledger_entries disable trigger ledger_entries_append_only;
      alter table redemptions disable trigger redemptions_close_once`);
    await tx.raw(statement, bindings);
    await tx.raw(`alter table ledger_entries enable trigger ledger_entries_append_only;
      alter table redemptions enable trigger redemptions_close_once`);
  });
}

const post = (...entries: ledger.Entry[]) => db.transaction((tx) => postByHand(tx, entries));

/** Returns the problems that are found with a wallet. */
async function problemsOf(walletId: WalletId): Promise<string[]> {
  const { violations } = await verifyLedger(db);
  const wallet = required(
    await db('wallets').where({ id: walletId }).first<{ tenantId: string }>('tenantId'),
  );
  const own = violations.filter((violation) => violation.walletId === walletId);
  for (const { tenantId } of own) expect(tenantId).toBe(wallet.tenantId);
  return own.map(({ seq, problem }) => `${seq ?? '-'} ${problem}`);
}

describe('entries and their payments', () => {
  async function credited(points = 50): Promise<{ walletId: WalletId; paymentId: string }> {
    const walletId = await aWallet(db);
    return { walletId, paymentId: await aCreditedPayment(db, walletId, points) };
  }

  it('agree', async () => {
    const { walletId, paymentId } = await credited();
    const refund = { ...purchase(paymentId), reason: 'payment_refunded' } as const;
    await post({ ...aDebit(walletId, 10), ...refund }, { ...aDebit(walletId, 5), ...refund });
    await db('payments')
      .where({ id: paymentId })
      .update({ pointsReversed: 15, refundedMinorUnits: 15 });
    expect(await problemsOf(walletId)).toEqual([]);
    expect((await verifyLedger(db)).payments).toBeGreaterThan(0);
  });

  it('finds a payment that is credited twice, in an intact chain', async () => {
    const { walletId, paymentId } = await credited();
    await database.owner.raw('drop index ledger_entries_once_per_source');
    await post({ ...aCredit(walletId, 50), ...purchase(paymentId) });
    expect(await problemsOf(walletId)).toEqual([`1 payment ${paymentId} is credited 2 times`]);
    await forge('delete from ledger_entries where wallet_id = :walletId', { walletId });
    await database.owner.raw(`create unique index ledger_entries_once_per_source
      on ledger_entries (source_id, reason) where reason <> 'payment_refunded'`);
  });

  it('finds a payment that is also credited to another wallet', async () => {
    const { paymentId } = await credited();
    const other = await aWallet(db);
    await database.owner.raw('drop index ledger_entries_once_per_source');
    await post({ ...aCredit(other, 50), ...purchase(paymentId) });
    expect(await problemsOf(other)).toEqual([`1 payment ${paymentId} belongs to another wallet`]);
    await forge('delete from ledger_entries where wallet_id = :other', { other });
    await database.owner.raw(`create unique index ledger_entries_once_per_source
      on ledger_entries (source_id, reason) where reason <> 'payment_refunded'`);
  });

  it('finds a credit of a payment that does not exist', async () => {
    const walletId = await aWallet(db, { balance: 5 });
    const paymentId = randomUUID();
    await post({ ...aCredit(walletId, 50), ...purchase(paymentId) });
    expect(await problemsOf(walletId)).toEqual([`2 payment ${paymentId} does not exist`]);
  });

  it.each([
    { column: 'points_awarded', value: 60, found: 'was awarded 60 points and 50 were credited' },
    { column: 'points_reversed', value: 7, found: 'has 7 points reversed and 0 debited' },
  ])('finds a changed $column', async ({ column, value, found }) => {
    const { walletId, paymentId } = await credited();
    await forge(`update payments set ${column} = :value where id = :paymentId`, {
      value,
      paymentId,
    });
    expect(await problemsOf(walletId)).toEqual([`1 payment ${paymentId} ${found}`]);
  });

  it('finds points that are reversed although they are not refunded', async () => {
    const { walletId, paymentId } = await credited();
    await post({ ...aDebit(walletId, 15), ...purchase(paymentId), reason: 'payment_refunded' });
    await db('payments')
      .where({ id: paymentId })
      .update({ pointsReversed: 15, refundedMinorUnits: 14 });
    expect(await problemsOf(walletId)).toEqual([
      `1 payment ${paymentId} has more points reversed than its refunds are worth`,
    ]);
  });

  it('agree after a refund that failed after all, and while points are owed', async () => {
    const { walletId, paymentId } = await credited();
    const refund = { ...purchase(paymentId), reason: 'payment_refunded' } as const;
    await post({ ...aDebit(walletId, 20), ...refund }, { ...aCredit(walletId, 20), ...refund });
    await aRedemption(db, { walletId, points: 30 });
    await db('payments')
      .where({ id: paymentId })
      .update({ pointsOwed: 30, owedSince: db.fn.now(), refundedMinorUnits: 30 });
    await db('wallets').where({ id: walletId }).update({ owed: 30 });
    await post(aDebit(walletId, 20));
    expect(await problemsOf(walletId)).toEqual([]);
  });

  it('finds that a wallet owes other points than its payments, or holds some as well', async () => {
    const { walletId, paymentId } = await credited();
    await db('payments')
      .where({ id: paymentId })
      .update({ pointsOwed: 31, owedSince: db.fn.now(), refundedMinorUnits: 50 });
    const other = '- owes 0 points and its payments owe 31';
    expect(await problemsOf(walletId)).toEqual([other]);
    await db('wallets').where({ id: walletId }).update({ owed: 31 });
    expect(await problemsOf(walletId)).toEqual(['- owes 31 points and holds 50']);
  });

  it('finds that the last entry is removed, although the wallet was made to match', async () => {
    const { walletId, paymentId } = await credited();
    await forge('delete from ledger_entries where wallet_id = :walletId', { walletId });
    await forge(
      `update wallets set balance = 0, seq = 0, head = decode(repeat('00', 32), 'hex')
       where id = :walletId`,
      { walletId },
    );
    expect(await problemsOf(walletId)).toEqual([
      `- payment ${paymentId} was awarded 50 points and has no entry`,
    ]);
  });
});

describe('entries and their redemptions', () => {
  it('agree when issued, returned and forfeited', async () => {
    const issued = [await aRedemption(db), await aRedemption(db), await aRedemption(db)];
    const [, returned, forfeited] = issued;
    await expiresIn(db, [required(returned).id, required(forfeited).id], -60);
    await lifecycle.expireOne(db, required(returned).id, 'refund');
    await lifecycle.expireOne(db, required(forfeited).id, 'forfeit');
    for (const { walletId } of issued) expect(await problemsOf(walletId)).toEqual([]);
    expect((await verifyLedger(db)).redemptions).toBeGreaterThanOrEqual(3);
  });

  it('finds points that were returned twice', async () => {
    const { id, walletId } = await aRedemption(db);
    await expiresIn(db, [id], -60);
    await lifecycle.expireOne(db, id, 'refund');
    await database.owner.raw('drop index ledger_entries_once_per_source');
    await post({ ...aCredit(walletId, 30), ...ofRedemption(id), reason: 'redemption_expired' });
    expect(await problemsOf(walletId)).toEqual([
      `2 redemption ${id} is expired and its points were returned 2 times`,
    ]);
    await forge('delete from ledger_entries where wallet_id = :walletId', { walletId });
    await database.owner.raw(`create unique index ledger_entries_once_per_source
      on ledger_entries (source_id, reason) where reason <> 'payment_refunded'`);
  });

  it('finds returned points of a used code', async () => {
    const { id, walletId, userId } = await aRedemption(db);
    await db('redemptions')
      .where({ id })
      .update({ status: 'used', usedAt: db.fn.now(), usedBy: userId, sealedCode: null });
    await post({ ...aCredit(walletId, 30), ...ofRedemption(id), reason: 'redemption_expired' });
    expect(await problemsOf(walletId)).toEqual([
      `2 redemption ${id} is used and its points were returned 1 times`,
    ]);
  });

  it('finds points other than those of the code', async () => {
    const { id, walletId } = await aRedemption(db);
    await forge('update redemptions set points = 3 where id = :id', { id });
    expect(await problemsOf(walletId)).toEqual([
      `2 redemption ${id} is worth 3 points and 30 were debited`,
    ]);
  });

  it('finds a code without a debit, and one that is issued twice', async () => {
    const { id, walletId } = await aRedemption(db);
    await database.owner.raw('alter table redemptions drop constraint redemptions_code_once');
    const copy = randomUUID();
    await forge(
      `insert into redemptions (id, wallet_id, tenant_id, user_id, points,
         discount_value_minor_units, rule_version, code_key_id, code_hmac, sealed_code, created_at,
         expires_at)
       select :copy, wallet_id, tenant_id, user_id, points, discount_value_minor_units,
         rule_version, code_key_id, code_hmac, sealed_code, created_at, expires_at
       from redemptions where id = :id`,
      { id, copy },
    );
    expect((await problemsOf(walletId)).sort()).toEqual(
      [
        `- redemption ${copy} has no entry`,
        `- redemption ${id} has the same code as another`,
      ].sort(),
    );
  });
});

describe('entries and the audit log', () => {
  it('agree on adjustments in both directions', async () => {
    const walletId = await aWallet(db, { balance: 40 });
    await post(aDebit(walletId, 15));
    expect(await problemsOf(walletId)).toEqual([]);
  });

  it('finds an adjustment that the audit log does not have', async () => {
    const walletId = await aWallet(db);
    const credit = aCredit(walletId, 50);
    await db.transaction((tx) => ledger.post(tx, [credit]));
    expect(await problemsOf(walletId)).toEqual([
      `1 adjustment ${credit.sourceId} is not in the audit log`,
    ]);
  });

  it.each([
    { change: { targetId: randomUUID() }, found: 'belongs to another wallet' },
    { change: { after: '{"points":-50}' }, found: 'belongs to another entry' },
    {
      change: { after: db.raw(`jsonb_set(after, '{points}', '-50')`) },
      found: 'is of -50 points in the audit log and of 50 here',
    },
    { change: { after: '{"points":"fifty"}' }, found: 'belongs to another entry' },
    { change: { action: 'wallet.freeze' }, found: 'is not in the audit log' },
  ])('finds an audit entry of which $found', async ({ change, found }) => {
    const walletId = await aWallet(db);
    const credit = aCredit(walletId, 50);
    await post(credit);
    await database.owner.transaction(async (tx) => {
      await tx.raw('alter table audit_log disable trigger audit_log_append_only');
      await tx('audit_log').where('id', credit.sourceId).update(change);
      await tx.raw('alter table audit_log enable trigger audit_log_append_only');
    });
    expect(await problemsOf(walletId)).toEqual([`1 adjustment ${credit.sourceId} ${found}`]);
  });

  it('finds an adjustment that the audit log has and the ledger has not', async () => {
    const walletId = await aWallet(db);
    const credit = aCredit(walletId, 50);
    await post(credit);
    await forge('delete from ledger_entries where wallet_id = :walletId', { walletId });
    await forge(
      `update wallets set balance = 0, seq = 0, head = decode(repeat('00', 32), 'hex')
       where id = :walletId`,
      { walletId },
    );
    expect(await problemsOf(walletId)).toEqual([
      `- adjustment ${credit.sourceId} is in the audit log and has no entry`,
    ]);
  });
});

describe('verifySlice', () => {
  it('continues where it stopped, and verifies each wallet and source once', async () => {
    const own = await createUnverifiedDatabase();
    const tenantId = TenantId.parse(await aTenant(own.db));
    for (let nth = 0; nth < 3; nth++) await aWallet(own.db, { tenantId, balance: 1 });
    await aRedemption(own.db);
    const parts: unknown[] = [];
    let total = 0;
    let place: WholePosition | null = { part: 'wallets', after: NO_ID };
    while (place !== null) {
      parts.push(place.part);
      const slice: WholeSlice = await verifySlice(own.db, place);
      total += slice.wallets + slice.redemptions;
      place = slice.next;
    }
    expect(parts).toEqual([
      'wallets',
      'payments',
      'redemptions',
      'adjustments',
      'expiries',
      'campaigns',
      'rewards',
      'erasures',
      'liability',
      'imports',
      'counts',
    ]);
    expect(total).toBe(5);
    await own.close();
  });

  it('covers all wallets together when they need several slices', async () => {
    const own = await createUnverifiedDatabase();
    const tenantId = await aTenant(own.db);
    await own.db.raw(
      `with people as (
         insert into users (iss, sub, role, status)
         select 'https://many.test', n, 'consumer', 'active' from generate_series(1, 5201) n
         returning id
       )
       insert into wallets (user_id, tenant_id) select id, :tenantId from people`,
      { tenantId },
    );
    const last = required(
      await own.db('wallets').orderBy('id', 'desc').first<{ id: string }>('id'),
    );
    await own.owner('wallets').where(last).update({ balance: 1 });
    const report = await verifyLedger(own.db);
    expect(report).toMatchObject({ wallets: 5201, violations: [{ walletId: last.id }] });
    await own.close();
  });
});

const purchase = (sourceId: string) =>
  ({ sourceType: 'payment', reason: 'purchase', sourceId }) as const;
const ofRedemption = (sourceId: string) => ({ sourceType: 'redemption', sourceId }) as const;
