import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { expect, it } from 'vitest';
import { countLeft, type ExportedEntry, readLedger } from '../../../db/ledger/export.ts';
import type * as ledger from '../../../db/ledger/postings.ts';
import { TenantId, type WalletId } from '../../../domain/ids.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const post = (...entries: ledger.Entry[]) => db.transaction((tx) => postByHand(tx, entries));

const textOf = (entries: readonly ExportedEntry[]) =>
  entries.map(({ walletId, seq }) => `${walletId} ${seq}`);
const chainOf = (walletId: WalletId, length: number) =>
  Array.from({ length }, (_, nth) => `${walletId} ${nth + 1}`);

it('passes the chain of every wallet, in parts, as of when the wallet was read', async () => {
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
  expect(textOf(entries)).toEqual(wallets.flatMap((id) => chainOf(id, 1_500)));
  expect(entries[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  // Each wallet has one more by now.
  expect(await countLeft(db, tenantId)).toBe(3_002);
  expect(await countLeft(db, tenantId, entries[1_599])).toBe(1_401);
});

it('passes complete chains while others write, and continues after any of its lines', async () => {
  const tenantId = await aTenant(db);
  const wallets: WalletId[] = [];
  for (let nth = 0; nth < 12; nth++) wallets.push(await aWallet(db, { tenantId, balance: 1 }));
  const writer = (async () => {
    for (let nth = 0; nth < 10; nth++) {
      await post(...wallets.map((walletId) => aCredit(walletId, 1)));
      await aWallet(db, { tenantId, balance: 1 });
    }
  })();
  const read: ExportedEntry[] = [];
  for (let isKilled = true; isKilled; ) {
    isKilled = false;
    const take = async (entries: ExportedEntry[]) => {
      read.push(...entries.slice(0, 25));
      if (entries.length <= 25) return;
      isKilled = true;
      throw new Error('killed');
    };
    await readLedger(db, tenantId, take, read.at(-1)).catch((error: Error) => {
      if (error.message !== 'killed') throw error;
    });
  }
  await writer;
  const lengths = new Map<WalletId, number>();
  for (const { walletId, seq } of read) lengths.set(walletId, seq);
  expect(textOf(read)).toEqual([...lengths].flatMap(([id, length]) => chainOf(id, length)));
  for (const walletId of wallets) expect(lengths.get(walletId)).toBeGreaterThan(0);
});

it('holds no transaction while the reader takes its time', async () => {
  const tenantId = await aTenant(db);
  await aWallet(db, { tenantId, balance: 1 });
  await readLedger(db, tenantId, async () => {
    const { rows } = await database.owner.raw<{ rows: unknown[] }>(
      `select from pg_stat_activity
       where datname = current_database() and backend_xmin is not null
         and pid <> pg_backend_pid() and application_name = 'loyalty-test'`,
    );
    expect(rows).toEqual([]);
  });
});

it('reads the wallets of a tenant by their index', async () => {
  const statements: { sql: string; bindings: readonly Knex.RawBinding[] }[] = [];
  const listen = (query: { sql: string; bindings: readonly Knex.RawBinding[] }) => {
    if (query.sql.includes('order by "created_at"')) statements.push(query);
  };
  const tenantId = await aTenant(db);
  await aWallet(db, { tenantId, balance: 1 });
  db.on('query', listen);
  await readLedger(db, tenantId, async () => {});
  db.off('query', listen);
  expect(statements).toHaveLength(2);
  for (const { sql, bindings } of statements) {
    const text = sql.replaceAll(/\$\d+/g, '?');
    const { rows } = await db.raw(`explain ${text}`, bindings);
    expect(JSON.stringify(rows)).toContain('Index Scan Backward using wallets_newest_first');
    expect(JSON.stringify(rows)).not.toContain('Sort');
  }
});

it('throws NOT_FOUND when it is to continue after a wallet of another tenant', async () => {
  const after = { walletId: await aWallet(db, { balance: 1 }), seq: 1 };
  const reading = readLedger(db, await aTenant(db), async () => {}, after);
  await expect(reading).rejects.toMatchObject({ code: 'NOT_FOUND' });
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
  await expect.poll(() => db.client.pool.numUsed()).toBe(0);
});
