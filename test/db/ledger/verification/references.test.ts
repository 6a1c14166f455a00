import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyPhases } from '../../../../db/ledger/verification/run.ts';
import { verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import { aTenant, aWallet } from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';
import { aCreditedPayment } from '../../../support/points/payments.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

const database = await useUnverifiedDatabase();
const { db, owner } = database;
const nobody = randomUUID();

beforeAll(async () => {
  const { rows } = await owner.raw<{ rows: { table: string; key: string }[] }>(
    `select conrelid::regclass::text as "table", conname as key from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const names of rows) await owner.raw('alter table :table: drop constraint :key:', names);
});

async function problems(): Promise<string[]> {
  return (await verifyLedger(db)).violations.map(({ problem }) => problem);
}

describe('a verification of the whole', () => {
  it('finds nothing where every reference leads to its row', async () => {
    await aCreditedPayment(db, await aWallet(db), 50);
    await aRedemption(db);
    expect(await problems()).toEqual([]);
  });

  it.each([
    { column: 'tenant_id', problem: 'is of a tenant that does not exist' },
    { column: 'user_id', problem: 'is of a user who does not exist' },
  ])('finds a payment whose $column names no row', async ({ column, problem }) => {
    const id = await aCreditedPayment(db, await aWallet(db), 50);
    await owner('payments')
      .where({ id })
      .update({ [column]: nobody, walletId: null, pointsAwarded: 0 });
    expect(await problems()).toContain(`payment ${id} ${problem}`);
  });

  it.each(['tenant_id', 'user_id', 'wallet_id'])(
    'finds a credited payment whose %s is not that of its wallet',
    async (column) => {
      const id = await aCreditedPayment(db, await aWallet(db), 50);
      await owner('payments')
        .where({ id })
        .update({ [column]: nobody });
      expect(await problems()).toContain(
        `payment ${id} names a wallet that is not of its tenant and user`,
      );
    },
  );

  it('finds a payment whose wallet is of another user, or of another tenant', async () => {
    const { userId } = await aRedemption(db);
    for (const change of [{ userId }, { tenantId: await aTenant(db) }]) {
      const id = await aCreditedPayment(db, await aWallet(db), 50);
      await owner('payments').where({ id }).update(change);
      expect(await problems()).toContain(
        `payment ${id} names a wallet that is not of its tenant and user`,
      );
    }
  });

  it.each(['wallet_id', 'tenant_id', 'user_id'])(
    'finds a redemption whose %s is not that of its wallet',
    async (column) => {
      const { id } = await aRedemption(db);
      await owner('redemptions')
        .where({ id })
        .update({ [column]: nobody });
      expect(await problems()).toContain(
        `redemption ${id} names a wallet that is not of its tenant and user`,
      );
    },
  );

  it('finds a redemption that was used by nobody', async () => {
    const { id } = await aRedemption(db);
    const used = { status: 'used', usedAt: db.fn.now(), usedBy: nobody, sealedCode: null };
    await owner('redemptions').where({ id }).update(used);
    expect(await problems()).toContain(`redemption ${id} was used by a user who does not exist`);
  });

  it.each([
    { column: 'tenant_id', problem: `tenant ${nobody} does not exist` },
    { column: 'user_id', problem: `user ${nobody} does not exist` },
  ])('finds a wallet whose $column names no row', async ({ column, problem }) => {
    const id = await aWallet(db);
    await owner('wallets')
      .where({ id })
      .update({ [column]: nobody });
    const { violations } = await verifyLedger(db);
    expect(violations).toContainEqual(expect.objectContaining({ walletId: id, problem }));
  });
});

describe('entries of a wallet that does not exist', () => {
  const violationOf = (walletId: string) => ({
    walletId,
    tenantId: null,
    seq: 1,
    problem: 'entries name this wallet, which does not exist',
  });

  it('are found with what moved, again in each run, and with the whole', async () => {
    const walletId = await aWallet(db, { balance: 3 });
    await owner('wallets').where({ id: walletId }).delete();
    for (const phase of ['moved', 'problems', 'part'] as const) {
      const { violations } = await verifyPhases(db, { phases: [phase] });
      expect(violations).toContainEqual(violationOf(walletId));
    }
    expect((await verifyLedger(db)).violations).toContainEqual(violationOf(walletId));
  });

  it('are found after the last wallet', async () => {
    const walletId = await aWallet(db, { balance: 3 });
    const last = 'ffffffff-ffff-4fff-bfff-fffffffffff0';
    await owner('wallets').where({ id: walletId }).update({ id: last });
    await owner.transaction(async (tx) => {
      await tx.raw('alter table ledger_entries disable trigger ledger_entries_append_only');
      await tx('ledger_entries').where({ walletId }).update({ walletId: last });
      await tx.raw('alter table ledger_entries enable trigger ledger_entries_append_only');
    });
    await owner('wallets').where({ id: last }).delete();
    expect((await verifyLedger(db)).violations).toContainEqual(violationOf(last));
  });
});
