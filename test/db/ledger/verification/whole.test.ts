import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/connection.ts';
import { verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import {
  createUnverifiedDatabase,
  type TestDatabase,
} from '../../../support/database/test-database.ts';
import { aCredit, aDebit, aTenant, aWallet, postByHand } from '../../../support/factories.ts';

let database: TestDatabase;
let db: Db;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  database = await createUnverifiedDatabase();
  db = database.db;
  tenantId = await aTenant(db);
  walletId = await aWallet(db, { tenantId });
  for (const entry of [aCredit(walletId, 100), aDebit(walletId, 30), aCredit(walletId, 5)]) {
    await db.transaction((tx) => postByHand(tx, [entry]));
  }
  await aWallet(db, { balance: 7 });
  await aWallet(db);
});
afterEach(() => database.close());

/** Does what the owner of the table could do with the trigger switched off. */
async function forge(...statements: string[]): Promise<void> {
  await database.owner.transaction(async (tx) => {
    await tx.raw('alter table ledger_entries disable trigger ledger_entries_append_only');
    for (const statement of statements) await tx.raw(statement, { walletId });
    await tx.raw('alter table ledger_entries enable trigger ledger_entries_append_only');
  });
}

const entry = 'ledger_entries where wallet_id = :walletId and seq';
const change = (seq: number, what: string) =>
  `update ledger_entries set ${what} where wallet_id = :walletId and seq = ${seq}`;

const MISSING = 'an entry is missing before this one';
const SUM = 'balance_after is not the sum of the entries';
const HASH = 'the hash does not follow from the entry and the one before it';
const BALANCE = 'the balance is not the sum of the entries';
const END = 'the wallet is not at the end of its chain';

describe('verifyLedger', () => {
  it('finds nothing in a ledger to which entries were only added', async () => {
    expect(await verifyLedger(db)).toEqual({
      wallets: 3,
      entries: 4,
      payments: 0,
      redemptions: 0,
      violations: [],
      next: null,
    });
  });

  it('stops after a slice when it is told to, and goes on from there', async () => {
    const stop = new AbortController();
    const stopped = await verifyLedger(db, { signal: stop.signal, onSlice: () => stop.abort() });
    expect(stopped).toMatchObject({ wallets: 3, payments: 0, next: { part: 'payments' } });
    const from = stopped.next ?? undefined;
    expect(await verifyLedger(db, { from })).toMatchObject({ wallets: 0, next: null });
  });

  it.each([
    {
      forged: 'a changed balance',
      statements: ['update wallets set balance = 76 where id = :walletId'],
      found: [[null, BALANCE]],
    },
    {
      forged: 'a changed head',
      statements: [
        `update wallets set head = decode(repeat('01', 32), 'hex') where id = :walletId`,
      ],
      found: [[null, END]],
    },
    {
      forged: 'a changed sequence number of the wallet',
      statements: ['update wallets set seq = 4 where id = :walletId'],
      found: [[null, END]],
    },
    {
      forged: 'changed points',
      statements: [change(1, 'points = 101')],
      found: [
        [1, SUM],
        [null, BALANCE],
      ],
    },
    {
      forged: 'points changed along with every balance',
      statements: [
        change(1, 'points = 101, balance_after = 101'),
        change(2, 'balance_after = 71'),
        change(3, 'balance_after = 76'),
        'update wallets set balance = 76 where id = :walletId',
      ],
      found: [[1, HASH]],
    },
    {
      forged: 'a changed reason',
      statements: [change(2, `reason = 'redemption'`)],
      found: [[2, HASH]],
    },
    {
      forged: 'a changed source',
      statements: [change(2, 'source_id = gen_random_uuid()')],
      found: [[2, HASH]],
    },
    {
      forged: 'a changed date',
      statements: [change(2, `created_at = created_at - interval '1 microsecond'`)],
      found: [[2, HASH]],
    },
    {
      forged: 'a changed hash',
      statements: [change(2, `hash = decode(repeat('00', 32), 'hex')`)],
      found: [[2, HASH]],
    },
    {
      forged: 'the last entry removed',
      statements: [`delete from ${entry} = 3`],
      found: [[null, BALANCE]],
    },
    {
      forged: 'the last entry removed, and the balance with it',
      statements: [
        `delete from ${entry} = 3`,
        'update wallets set balance = 70 where id = :walletId',
      ],
      found: [[null, END]],
    },
    {
      forged: 'a middle entry removed',
      statements: [`delete from ${entry} = 2`],
      found: [
        [3, MISSING],
        [null, BALANCE],
      ],
    },
    {
      forged: 'a middle entry removed and the gap closed',
      statements: [
        `delete from ${entry} = 2`,
        change(3, 'seq = 2, balance_after = 105'),
        'update wallets set seq = 2, balance = 105 where id = :walletId',
      ],
      found: [[2, HASH]],
    },
    {
      forged: 'the first entry removed',
      statements: [`delete from ${entry} = 1`],
      found: [
        [2, MISSING],
        [null, BALANCE],
      ],
    },
    {
      forged: 'two entries swapped',
      statements: [
        change(1, 'seq = 9'),
        change(3, 'seq = 1, balance_after = 5'),
        'alter table ledger_entries drop constraint ledger_entries_balance_not_negative',
        change(2, 'balance_after = -25'),
        change(9, 'seq = 3, balance_after = 75'),
      ],
      found: [
        [1, HASH],
        [null, END],
      ],
    },
    {
      forged: 'all entries removed',
      statements: ['delete from ledger_entries where wallet_id = :walletId'],
      found: [[null, BALANCE]],
    },
  ])('finds $forged, and names the wallet', async ({ statements, found }) => {
    await forge(...statements);
    const { violations } = await verifyLedger(db);
    // What the audit log says of these entries is the subject of sources.test.ts.
    const chained = violations.filter(({ problem }) => !problem.startsWith('adjustment'));
    expect(chained).toEqual(found.map(([seq, problem]) => ({ walletId, tenantId, seq, problem })));
  });

  it('finds an entry moved to another wallet, and names both', async () => {
    const other = await aWallet(db);
    await forge(
      `update ledger_entries set wallet_id = '${other}' where wallet_id = :walletId and seq = 1`,
    );
    const { violations } = await verifyLedger(db);
    expect(new Set(violations.map((violation) => violation.walletId))).toEqual(
      new Set([walletId, other]),
    );
  });
});
