import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStatementActivities } from '../../../activities/statements/index.ts';
import { signStatement } from '../../../activities/statements/sign-statements.ts';
import { verifyAllStatements } from '../../../activities/statements/verify-statements.ts';
import type { Db } from '../../../db/connection.ts';
import type { TenantId, WalletId } from '../../../domain/ids.ts';
import { NO_HASH, parseStatement, statementName } from '../../../domain/statement.ts';
import { hashOfStatement } from '../../../gateways/crypto/proof-check.ts';
import { ObjectStoreUnavailable } from '../../../gateways/objects/store.ts';
import { readStatement } from '../../../gateways/objects/stored-statements.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { aCredit, aTenant, aWallet, postByHand, required } from '../../support/factories.ts';
import {
  createMemoryStore,
  type MemoryStore,
  signAll,
  signDue,
  statementDeps,
  statementsOf,
  testStatementKeys,
} from '../../support/points/statements.ts';

let database: TestDatabase;
let db: Db;
let objects: MemoryStore;
let tenantId: TenantId;
let areWhole: boolean;
beforeEach(async () => {
  areWhole = true;
  database = await createTestDatabase();
  db = database.db;
  objects = createMemoryStore();
  tenantId = await aTenant(db);
});
afterEach(async () => {
  if (areWhole) {
    const statements = { db, objects, statementKeys: testStatementKeys };
    expect((await verifyAllStatements(statements)).violations).toEqual([]);
  }
  await database.close();
});

const credit = (walletId: WalletId, points = 1) =>
  db.transaction((tx) => postByHand(tx, [aCredit(walletId, points)]));
const activities = () => createStatementActivities(statementDeps(db, objects));
const sign = (day: string) => signAll(db, objects, day);
const numbers = async (of = tenantId) => (await statementsOf(db, of)).map(({ number }) => number);
const namedIn = async (number: number) => {
  const stored = required(await readStatement(objects, { tenantId, number }));
  return stored.wallets.map(({ walletId, seq }) => [walletId, seq]);
};

describe('statements', () => {
  it('name the wallets that moved, and follow the statement before them', async () => {
    const [one, other] = [await aWallet(db, { tenantId }), await aWallet(db, { tenantId })];
    await credit(one);
    await credit(one);
    await credit(other);
    await sign('2026-01-15');
    await credit(other);
    await sign('2026-01-16');
    await sign('2026-01-17');
    const [first, second, ...others] = await statementsOf(db, tenantId);
    expect(others).toEqual([]);
    expect(await namedIn(1)).toEqual(
      [
        [one, 2],
        [other, 1],
      ].sort(),
    );
    expect(await namedIn(2)).toEqual([[other, 2]]);
    const [text, later] = [required(first).text, required(second).text];
    expect(parseStatement(text)).toMatchObject({
      tenantId,
      number: 1,
      day: '2026-01-15',
      size: 2,
      previous: NO_HASH,
      keyId: testStatementKeys.current.keyId,
    });
    expect(parseStatement(later)).toMatchObject({
      number: 2,
      day: '2026-01-16',
      size: 1,
      previous: hashOfStatement(text),
    });
  });

  it('are made once for a day, however often its run starts', async () => {
    const walletId = await aWallet(db, { tenantId, balance: 5 });
    await activities().collectMovedWallets();
    await signDue(db, objects);
    await credit(walletId);
    await activities().collectMovedWallets();
    await signDue(db, objects);
    expect(await numbers()).toEqual([1]);
    expect(await namedIn(1)).toEqual([[walletId, 1]]);
    await sign('2026-01-16');
    await sign('2026-01-17');
    expect(await namedIn(2)).toEqual([[walletId, 2]]);
    expect(await numbers()).toEqual([1, 2]);
  });

  it('are the same when several runs take each step at the same moment', async () => {
    const wallets: WalletId[] = [];
    for (let nth = 0; nth < 5; nth++) wallets.push(await aWallet(db, { tenantId, balance: 1 }));
    const runs = [activities(), activities(), activities()];
    await Promise.all(runs.map((run) => run.collectMovedWallets()));
    await Promise.all(runs.map((run) => run.signStatements(null)));
    await Promise.all(runs.map((run) => run.storeStatements()));
    expect(await namedIn(1)).toEqual(wallets.sort().map((walletId) => [walletId, 1]));
    expect(await numbers()).toEqual([1]);
    expect(await db('unstored_statements')).toEqual([]);
    expect(await db('moved_wallets')).toEqual([]);
  });

  it('are of all that moved in a week in which nothing ran', async () => {
    const walletId = await aWallet(db, { tenantId, balance: 1 });
    await sign('2026-01-15');
    for (let day = 0; day < 7; day++) await credit(walletId);
    await sign('2026-01-22');
    expect(await namedIn(2)).toEqual([[walletId, 8]]);
    expect((await statementsOf(db, tenantId))[1]).toMatchObject({ day: '2026-01-22' });
  });

  it('are not made for a tenant without movement', async () => {
    const quiet = await aTenant(db);
    await aWallet(db, { tenantId: quiet });
    await aWallet(db, { tenantId, balance: 1 });
    await sign('2026-01-15');
    expect(await numbers(quiet)).toEqual([]);
  });

  it('name in the next one what was committed late, and name nothing twice', async () => {
    const [late, early] = [await aWallet(db, { tenantId }), await aWallet(db, { tenantId })];
    const open = await db.transaction();
    await postByHand(open, [aCredit(late, 3)]);
    await credit(early);
    await sign('2026-01-15');
    await open.commit();
    await sign('2026-01-16');
    await sign('2026-01-17');
    expect(await namedIn(1)).toEqual([[early, 1]]);
    expect(await namedIn(2)).toEqual([[late, 1]]);
    expect(await numbers()).toEqual([1, 2]);
  });

  it('go on when the clock of the database was set back', async () => {
    const walletId = await aWallet(db, { tenantId, balance: 1 });
    await sign('2026-03-01');
    await credit(walletId);
    await sign('2026-01-15');
    expect(await namedIn(2)).toEqual([[walletId, 2]]);
  });

  it('are several of a day when one would name too many wallets', async () => {
    for (let nth = 0; nth < 5; nth++) await aWallet(db, { tenantId, balance: 1 });
    await activities().collectMovedWallets();
    const deps = statementDeps(db, objects);
    for (const size of [2, 2, 1, 0]) expect(await signStatement(deps, tenantId, 2)).toBe(size);
    await activities().storeStatements();
    expect((await statementsOf(db, tenantId)).map(({ size }) => size)).toEqual([2, 2, 1]);
  });

  it('are made of many tenants, step by step', async () => {
    const tenants: TenantId[] = [];
    for (let nth = 0; nth < 5; nth++) {
      const other = await aTenant(db);
      await aWallet(db, { tenantId: other, balance: 1 });
      tenants.push(other);
    }
    await sign('2026-01-15');
    for (const other of tenants) expect(await numbers(other)).toEqual([1]);
  });

  it('of the others are made when one tenant fails', async () => {
    areWhole = false;
    const other = await aTenant(db);
    await aWallet(db, { tenantId, balance: 1 });
    await aWallet(db, { tenantId: other, balance: 1 });
    await database.owner.raw(
      `alter table ledger_statements add constraint broken check (tenant_id <> '${tenantId}')`,
    );
    await activities().collectMovedWallets();
    const slice = { statements: 1, failed: 1, next: null };
    expect(await activities().signStatements(null)).toEqual(slice);
    expect(await numbers(other)).toEqual([1]);
    await database.owner.raw('alter table ledger_statements drop constraint broken');
    expect(await activities().signStatements(null)).toMatchObject({ statements: 1, failed: 0 });
  });
});

describe('the object store', () => {
  it('gets later what it could not take, unchanged', async () => {
    await aWallet(db, { tenantId, balance: 1 });
    await activities().collectMovedWallets();
    await activities().signStatements(null);
    const away = () => Promise.reject(new ObjectStoreUnavailable('It is away.'));
    const run = createStatementActivities(statementDeps(db, { ...objects, put: away }));
    await expect(run.storeStatements()).rejects.toThrow('It is away.');
    const [{ text }] = [required((await statementsOf(db, tenantId))[0])];
    expect(await activities().storeStatements()).toEqual({ stored: 1, failed: 0 });
    expect(await activities().storeStatements()).toEqual({ stored: 0, failed: 0 });
    expect(await readStatement(objects, { tenantId, number: 1 })).toMatchObject({ text });
  });

  it('gets a statement again whose run was killed before it could note that', async () => {
    await aWallet(db, { tenantId, balance: 1 });
    await activities().collectMovedWallets();
    await activities().signStatements(null);
    const { body } = await db('unstored_statements').first();
    const name = statementName({ tenantId, number: 1 });
    await objects.put(name, { bytes: Buffer.from(body), contentType: 'application/json' });
    expect(await activities().storeStatements()).toEqual({ stored: 1, failed: 0 });
    expect(objects.objects.get(name)?.toString()).toBe(body);
  });

  it('keeps another statement of that number, and the others are stored', async () => {
    areWhole = false;
    const other = await aTenant(db);
    await aWallet(db, { tenantId, balance: 1 });
    await aWallet(db, { tenantId: other, balance: 1 });
    const name = statementName({ tenantId, number: 1 });
    await objects.put(name, { bytes: Buffer.from('evidence'), contentType: 'application/json' });
    await activities().collectMovedWallets();
    await activities().signStatements(null);
    expect(await activities().storeStatements()).toEqual({ stored: 1, failed: 1 });
    expect(objects.objects.get(name)?.toString()).toBe('evidence');
    expect(await db('unstored_statements')).toHaveLength(1);
  });
});
