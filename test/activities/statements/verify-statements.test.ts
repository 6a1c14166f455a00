import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyAllStatements } from '../../../activities/statements/verify-statements.ts';
import type { Db } from '../../../db/connection.ts';
import { verifyLedger } from '../../../db/ledger/verification/whole.ts';
import type { TenantId, WalletId } from '../../../domain/ids.ts';
import { statementName } from '../../../domain/statement.ts';
import { createStatementKeys } from '../../../gateways/crypto/statement-keys.ts';
import { rewriteLedger } from '../../support/database/rewritten-ledger.ts';
import {
  createUnverifiedDatabase,
  type TestDatabase,
} from '../../support/database/test-database.ts';
import { aCredit, aTenant, aWallet, postByHand, required } from '../../support/factories.ts';
import {
  createMemoryStore,
  type MemoryStore,
  signAll,
  testStatementKeys,
} from '../../support/points/statements.ts';

let database: TestDatabase;
let db: Db;
let owner: Db;
let objects: MemoryStore;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  database = await createUnverifiedDatabase();
  ({ db, owner } = database);
  objects = createMemoryStore();
  tenantId = await aTenant(db);
  walletId = await aWallet(db, { tenantId, balance: 100 });
  await signAll(db, objects, '2026-01-15');
  await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 7)]));
  await aWallet(db, { tenantId, balance: 5 });
  await signAll(db, objects, '2026-01-16');
});
afterEach(() => database.close());

const problems = async (statementKeys = testStatementKeys) => {
  const { violations } = await verifyAllStatements({ db, objects, statementKeys });
  return violations.map(({ walletId: wallet, seq, problem }) => ({ wallet, seq, problem }));
};
const ofStatement = (number: number, problem: string) => {
  return { wallet: null, seq: null, problem: `statement ${number} ${problem}` };
};

/** Changes statements as only the owner of the database can. */
async function forge(change: string): Promise<void> {
  await owner.raw('alter table ledger_statements disable trigger user');
  await owner.raw(change);
}

describe('verifyAllStatements', () => {
  it('finds nothing wrong with what the service has done', async () => {
    expect(await problems()).toEqual([]);
    const deps = { db, objects, statementKeys: testStatementKeys };
    expect(await verifyAllStatements(deps)).toMatchObject({ statements: 2 });
  });

  it('finds a ledger that was rewritten from the first entry, as npm run verify does', async () => {
    await rewriteLedger(owner, walletId, 1_000);
    const named = 'names another entry';
    expect((await verifyLedger(db)).violations).toEqual([
      { walletId, tenantId, seq: 2, problem: `statement 2 ${named}` },
    ]);
    // An owner who knows of the heads removes them, and then only the signatures tell.
    await owner('signed_heads').where({ walletId }).delete();
    expect((await verifyLedger(db)).violations).toEqual([]);
    expect(await problems()).toEqual([
      { wallet: walletId, seq: 1, problem: `statement 1 ${named}` },
      { wallet: walletId, seq: 2, problem: `statement 2 ${named}` },
    ]);
  });

  it('finds statements that were removed from the end', async () => {
    await forge('delete from ledger_statements where number = 2');
    const problem = 'is the last one here, and the object store has one after it';
    expect(await problems()).toEqual([ofStatement(1, problem)]);
  });

  it('finds statements that were removed from the beginning', async () => {
    await forge('delete from ledger_statements where number = 1');
    expect(await problems()).toEqual([ofStatement(2, 'does not follow the one before it')]);
  });

  it.each([
    { change: `text = replace(text, 'size 1', 'size 2')`, of: 1, problem: /has a signature/ },
    { change: `signature = sha512('another')`, of: 1, problem: /has a signature/ },
    { change: `text = 'nothing'`, of: 1, problem: /cannot be read/ },
    { change: 'number = 3', of: 2, problem: /is of another place/ },
  ])('finds a row whose $change', async ({ change, of, problem }) => {
    await owner.raw('alter table ledger_statements disable trigger user');
    await owner.raw(`update ledger_statements set ${change} where number = ${of}`);
    const found = await problems();
    expect(required(found[0]).problem).toMatch(problem);
  });

  it('finds a statement that somebody else has signed anew', async () => {
    const forger = createStatementKeys([{ id: 'k', key: Buffer.alloc(32, 7) }]);
    const { text } = await db('ledger_statements').where({ number: 2 }).first('text');
    const own = text.replace(testStatementKeys.current.keyId, forger.current.keyId);
    await forge(
      `update ledger_statements set text = '${own}', signature = '\\x${forger.sign(own)}'
       where number = 2`,
    );
    const problem = `is signed with key ${forger.current.keyId}, which is unknown`;
    expect(await problems()).toMatchObject([
      { problem: expect.stringContaining(`statement 2 ${problem}`) },
    ]);
  });

  it('knows what an earlier key has signed, while its public key is known', async () => {
    const later = [{ id: 'k2', key: Buffer.alloc(32, 9) }];
    const forgotten = await problems(createStatementKeys(later));
    expect(forgotten).toHaveLength(2);
    const { publicKey } = testStatementKeys.current;
    expect(await problems(createStatementKeys(later, [publicKey]))).toEqual([]);
  });

  it('finds an object that is missing, or another one', async () => {
    const name = statementName({ tenantId, number: 1 });
    const bytes = required(objects.objects.get(name));
    await objects.delete(name);
    expect(await problems()).toEqual([ofStatement(1, 'is not in the object store')]);
    const changed = Buffer.from(bytes.toString().replace('"seq":1', '"seq":2'));
    await objects.put(name, { bytes: changed, contentType: 'application/json' });
    expect(await problems()).toEqual([ofStatement(1, 'is another one in the object store')]);
  });
});
