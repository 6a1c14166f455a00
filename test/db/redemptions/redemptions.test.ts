import { describe, expect, it } from 'vitest';
import { violatedConstraint } from '../../../db/errors.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { listUsed } from '../../../db/redemptions/used.ts';
import * as currencies from '../../../db/tenants/currency.ts';
import { createRedemptionCodes } from '../../../gateways/crypto/redemption-codes.ts';
import { aRule, aTenant, aUser, aWallet, testKeys } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  type Issued,
  redemptionRow,
  testCodes,
} from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

const cashier = await aUser(db);
const burn = (issued: Issued, operatorId = cashier, tenantId = issued.tenantId) =>
  db.transaction((tx) =>
    redemptions.burn(tx, { tenantId, hmacs: testCodes.hmacsOf(issued.code), operatorId }),
  );

const find = (issued: Issued, tenantId = issued.tenantId) =>
  redemptions.findByCode(db, tenantId, testCodes.hmacsOf(issued.code));

describe('a code', () => {
  it('keeps the currency in which it was confirmed', async () => {
    const tenantId = await aTenant(db);
    const walletId = await aWallet(db, { tenantId, balance: 100 });
    const unknown = await aRedemption(db, { walletId });
    await db.transaction((tx) => currencies.replace(tx, tenantId, 'EUR'));
    const issued = await aRedemption(db, { walletId });
    await db.transaction((tx) => currencies.replace(tx, tenantId, 'KWD'));
    expect(await find(unknown)).toMatchObject({ currency: null });
    expect(await find(issued)).toMatchObject({ currency: 'EUR' });
    const { userId } = issued;
    expect(await listing.getOwned(db, userId, issued.id)).toMatchObject({ currency: 'EUR' });
    expect(await listing.listOfTenant(db, tenantId, { limit: 9 })).toMatchObject([
      { currency: 'EUR' },
      { currency: null },
    ]);
    expect(await burn(issued)).toMatchObject({ currency: 'EUR' });
    const page = { limit: 9, from: new Date(0) };
    expect(await listUsed(db, tenantId, page)).toMatchObject([{ currency: 'EUR' }]);
  });
});

describe('lockRedeemable', () => {
  it('reads the same beside it, and lets nobody else lock the wallet meanwhile', async () => {
    const [userId, tenantId] = [await aUser(db), await aTenant(db)];
    const walletId = await aWallet(db, { userId, tenantId, balance: 9 });
    await aRule(db, tenantId, { minBalanceToRedeem: 5 });
    await db.transaction(async (tx) => {
      const read = await redemptions.getRedeemable(tx, walletId, userId);
      expect(read).toMatchObject({ balance: 9, rule: { minBalanceToRedeem: 5 } });
      expect(await redemptions.lockRedeemable(tx, walletId, userId)).toEqual(read);
      const others = db.raw('select from wallets where id = ? for no key update skip locked', [
        walletId,
      ]);
      expect((await others).rows).toEqual([]);
    });
    const stranger = await aUser(db);
    await expect(
      db.transaction((tx) => redemptions.lockRedeemable(tx, walletId, stranger)),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('getRedeemable', () => {
  it('reads the wallet with the newest rule in effect', async () => {
    const tenantId = await aTenant(db);
    const userId = await aUser(db);
    const walletId = await aWallet(db, { balance: 40, userId, tenantId });
    expect(await redemptions.getRedeemable(db, walletId, userId)).toEqual({
      id: walletId,
      tenantId,
      userId,
      balance: 40,
      pending: 0,
      nextRelease: null,
      recent: 0,
      status: 'active',
      tenantStatus: 'active',
      currency: null,
      rule: null,
    });

    await aRule(db, tenantId, { minBalanceToRedeem: 5, maxRedemptionPercentage: 12.5 });
    await aRule(db, tenantId, { minBalanceToRedeem: 6, maxRedemptionPercentage: 12.5 });
    const effectiveFrom = new Date(Date.now() + 3_600_000).toISOString();
    await aRule(db, tenantId, { minBalanceToRedeem: 7, effectiveFrom });
    expect((await redemptions.getRedeemable(db, walletId, userId)).rule).toEqual({
      version: 2,
      minBalanceToRedeem: 6,
      maxRedemptionPercentage: '12.500000',
    });
  });

  it('NOT_FOUND for another person’s wallet', async () => {
    const walletId = await aWallet(db);
    const stranger = await aUser(db);
    await expect(redemptions.getRedeemable(db, walletId, stranger)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('issue', () => {
  it('debits the wallet and stores the code as HMAC and sealed copy, for 15 minutes', async () => {
    const { id, walletId, code, expiresAt, tenantId } = await aRedemption(db, { points: 30 });
    expect(await balanceOf(db, walletId)).toBe(70);
    expect(await db('ledger_entries').where({ sourceId: id })).toMatchObject([
      { entryType: 'debit', points: 30, reason: 'redemption', balanceAfter: 70 },
    ]);

    const row = await redemptionRow(db, id);
    expect(row).toMatchObject({ status: 'issued', expiresAt, followedAt: null });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(900_000);
    expect(JSON.stringify(row)).not.toContain(code);
    const { rows } = await db.raw('select sealed_code from redemptions where id = ?', [id]);
    expect(testCodes.open(rows[0].sealedCode, { id, tenantId })).toBe(code);
  });

  it('replaces a taken code by another, and debits the wallet once', async () => {
    const first = await aRedemption(db);
    const bytes = [first.code, first.code, '0123456789AB'];
    const codes = createRedemptionCodes(testKeys, () => Buffer.from(bytes.shift() ?? '', 'hex'));
    const second = await aRedemption(db, { codes });
    expect(second.code).toBe('0123456789AB');
    expect(bytes).toEqual([]);
    expect(await balanceOf(db, second.walletId)).toBe(70);
    expect(await db('ledger_entries').where({ sourceId: second.id })).toHaveLength(1);
  });

  it('replaces a code that is taken under an older key', async () => {
    const first = await aRedemption(db);
    const bytes = [first.code, 'ABABABABABAB'];
    const ring = [{ id: 'k2', key: new Uint8Array(32).fill(9) }, ...testKeys];
    const codes = createRedemptionCodes(ring, () => Buffer.from(bytes.shift() ?? '', 'hex'));
    expect((await aRedemption(db, { codes })).code).toBe('ABABABABABAB');
  });

  it('debits nothing when only taken codes are drawn', async () => {
    const first = await aRedemption(db);
    let draws = 0;
    const codes = createRedemptionCodes(testKeys, () => {
      draws += 1;
      return Buffer.from(first.code, 'hex');
    });
    const walletId = await aWallet(db, { balance: 100 });
    await expect(aRedemption(db, { codes, walletId })).rejects.toThrow('8 new redemption codes');
    expect(draws).toBe(8);
    expect(await balanceOf(db, walletId)).toBe(100);
  });

  it('issues two codes when two concurrent calls draw the same one', async () => {
    const race = async (fallback: string) => {
      const bytes = ['C0FFEEC0FFEE', fallback];
      const codes = createRedemptionCodes(testKeys, () => Buffer.from(bytes.shift() ?? '', 'hex'));
      return (await aRedemption(db, { codes })).code;
    };
    const codes = await Promise.all([race('111111111111'), race('222222222222')]);
    expect(codes).toContain('C0FFEEC0FFEE');
    expect(new Set(codes).size).toBe(2);
  });

  it('violates a constraint, and issues no code, for more than the wallet holds', async () => {
    const walletId = await aWallet(db, { balance: 10 });
    const refused = await aRedemption(db, { walletId, points: 11 }).catch(violatedConstraint);
    expect(refused).toMatch(/balance_not_negative/);
    expect(await db('redemptions').where({ walletId })).toEqual([]);
    expect(await balanceOf(db, walletId)).toBe(10);
  });
});

describe('burn', () => {
  it('burns an issued code once, records by whom, and deletes the sealed copy', async () => {
    const issued = await aRedemption(db);
    const operatorId = await aUser(db, { role: 'pos_operator' });
    const burned = await burn(issued, operatorId);
    expect(burned).toMatchObject({ id: issued.id, points: 30, discountValueMinorUnits: 30 });
    expect(await redemptionRow(db, issued.id)).toMatchObject({
      status: 'used',
      usedBy: operatorId,
      usedAt: burned?.usedAt,
      sealedCode: null,
    });
    expect(await burn(issued)).toBeUndefined();
    expect(await find(issued)).toMatchObject({ status: 'used', usedAt: burned?.usedAt });
  });

  it('burns a code for one of 20 concurrent calls', async () => {
    const issued = await aRedemption(db);
    const results = await Promise.all(Array.from({ length: 20 }, () => burn(issued)));
    expect(results.filter((result) => result !== undefined)).toHaveLength(1);
  });

  it('refuses a code after its expiry by the database’s clock, even if not closed', async () => {
    const issued = await aRedemption(db);
    await expiresIn(db, [issued.id], 0);
    expect(await burn(issued)).toBeUndefined();
    expect(await redemptionRow(db, issued.id)).toMatchObject({ status: 'issued' });
    expect(await find(issued)).toMatchObject({ status: 'expired', usedAt: null });
  });

  it('refuses a code after its expiry, even if the transaction began before', async () => {
    const issued = await aRedemption(db);
    const late = await db.transaction(async (tx) => {
      await tx.raw('select now()');
      await expiresIn(db, [issued.id], 0);
      const hmacs = testCodes.hmacsOf(issued.code);
      return redemptions.burn(tx, { ...issued, hmacs, operatorId: cashier });
    });
    expect(late).toBeUndefined();
  });

  it('refuses the operator’s own code, which another one burns', async () => {
    const issued = await aRedemption(db);
    expect(await burn(issued, issued.userId)).toBeUndefined();
    expect(await find(issued)).toMatchObject({ status: 'issued', userId: issued.userId });
    expect(await burn(issued)).toMatchObject({ id: issued.id });
  });

  it('refuses a code of another tenant, for which it is unknown', async () => {
    const issued = await aRedemption(db);
    const other = await aTenant(db);
    expect(await burn(issued, cashier, other)).toBeUndefined();
    expect(await find(issued, other)).toBeUndefined();
    expect(await find(issued)).toMatchObject({ status: 'issued' });
  });
});

describe('the table of redemptions', () => {
  const refused = async (issued: Issued, change: Record<string, unknown>) =>
    db('redemptions')
      .where({ id: issued.id })
      .update(change)
      .then(
        () => 'accepted',
        (error) => violatedConstraint(error) ?? error.message,
      );

  it.each([
    ['redemptions_used_say_when_and_by_whom', { status: 'used', sealedCode: null }],
    ['redemptions_expired_say_when', { status: 'expired', sealedCode: null }],
    ['redemptions_closed_hold_no_code', { sealedCode: null }],
    ['redemptions_only_expired_return_points', { pointsReturned: true }],
    ['redemptions_points_positive', { points: 0 }],
    ['redemptions_status_known', { status: 'lost', sealedCode: null }],
  ])('enforces %s', async (constraint, change) => {
    expect(await refused(await aRedemption(db), change)).toBe(constraint);
  });

  it('keeps used and expired exclusive, and a closed redemption closed', async () => {
    const issued = await aRedemption(db);
    const now = new Date();
    const used = { status: 'used', usedAt: now, usedBy: issued.userId, sealedCode: null };
    expect(await refused(issued, { ...used, expiredAt: issued.expiresAt })).toBe(
      'redemptions_expired_say_when',
    );
    const afterwards = new Date(issued.expiresAt.getTime() + 1);
    expect(await refused(issued, { ...used, usedAt: afterwards })).toBe(
      'redemptions_used_before_expiry',
    );
    await burn(issued);
    const expired = { status: 'expired', expiredAt: issued.expiresAt, usedAt: null, usedBy: null };
    expect(await refused(issued, expired)).toContain('is used and stays so');
    const removal = database.owner('redemptions').where({ id: issued.id }).delete();
    await expect(removal).rejects.toThrow('refused');
  });

  it('gets tenant and user from the wallet', async () => {
    const { id, walletId } = await aRedemption(db);
    const wallet = await db('wallets').where({ id: walletId }).first('tenantId', 'userId');
    expect(await db('redemptions').where({ id }).first('tenantId', 'userId')).toEqual(wallet);
  });
});
