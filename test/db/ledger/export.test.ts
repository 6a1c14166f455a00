import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type ExportedEntry, readLedger } from '../../../db/ledger/export.ts';
import type * as ledger from '../../../db/ledger/postings.ts';
import { TenantId } from '../../../domain/ids.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const post = (...entries: ledger.Entry[]) => db.transaction((tx) => postByHand(tx, entries));

it('passes every entry of the tenant, chain by chain, in parts, as of one moment', async () => {
  const tenantId = await aTenant(db);
  const wallets = [await aWallet(db, { tenantId }), await aWallet(db, { tenantId })];
  for (const walletId of wallets) {
    await post(...Array.from({ length: 1_500 }, () => aCredit(walletId, 1)));
  }
  await aWallet(db, { balance: 9 });

  const parts: ExportedEntry[][] = [];
  await readLedger(db, tenantId, async (entries) => {
    if (parts.length === 0) await post(...wallets.map((walletId) => aCredit(walletId, 1)));
    parts.push(entries);
  });
  expect(parts.map(({ length }) => length)).toEqual([2_000, 1_000]);
  const entries = parts.flat();
  expect(entries.map(({ walletId, seq }) => `${walletId} ${seq}`)).toEqual(
    [...wallets]
      .sort()
      .flatMap((id) => Array.from({ length: 1_500 }, (_, nth) => `${id} ${nth + 1}`)),
  );
  expect(entries[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
});

it('passes nothing for a tenant without entries; TENANT_NOT_FOUND without a tenant', async () => {
  let parts = 0;
  const take = async () => {
    parts++;
  };
  await readLedger(db, await aTenant(db), take);
  await expect(readLedger(db, TenantId.parse(randomUUID()), take)).rejects.toMatchObject({
    code: 'TENANT_NOT_FOUND',
  });
  expect(parts).toBe(0);
});

it('returns its connection to the pool when the reader fails', async () => {
  const tenantId = await aTenant(db);
  await aWallet(db, { tenantId, balance: 1 });
  const failing = readLedger(db, tenantId, () => Promise.reject(new Error('disk full')));
  await expect(failing).rejects.toThrow('disk full');
  expect(db.client.pool.numUsed()).toBe(0);
});
