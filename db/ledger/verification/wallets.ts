import type { Db } from '../../connection.ts';
import { one } from '../../one.ts';
import { type Composed, type Findings, inSlice, MAX_VIOLATIONS, SLICE } from './statements.ts';
import {
  type Known,
  pieceStatement,
  type Selection,
  sliceOf,
  walletsStatement,
} from './wallet-statements.ts';

export type WalletStep = {
  /** Verifies only the entries after a wallet's checkpoint. */
  sinceCheckpoint?: boolean;
  /** Keeps checkpoints of the wallets that are whole. */
  keepCheckpoints?: boolean;
  /** A wallet with more entries to verify is verified in pieces of so many. */
  piece?: number;
};

export type VerifiedWallets = Findings & { wallets: number; entries: number };

/**
 * Recomputes wallets from their entries: the chain, the balance, the sources of the entries, and
 * the checkpoint if there is one. Finds entries without a wallet, too. A wallet is compared in one
 * state of the database; one with very many entries piece by piece, each from where the one before
 * it ended, so that no statement grows with a wallet.
 */
export async function verifyWallets(
  db: Db,
  selection: Selection,
  step: WalletStep = {},
): Promise<VerifiedWallets> {
  const { sinceCheckpoint = false, keepCheckpoints = false, piece = SLICE.entries } = step;
  const long = await findLong(db, selection, { sinceCheckpoint, piece });
  const but = long.map(({ id }) => id);
  const whole = walletsStatement(selection, { sinceCheckpoint, keepCheckpoints, but });
  const rest = await verify(db, whole, !keepCheckpoints);
  const results: VerifiedWallets[] = [rest];
  for (const each of long) {
    const from = sinceCheckpoint ? each : START;
    results.push(await verifyInPieces(db, each.id, { from, piece, keepCheckpoints }));
  }
  return {
    violations: results.flatMap((each) => each.violations).slice(0, MAX_VIOLATIONS),
    rowIds: results.flatMap((each) => each.rowIds),
    wallets: rest.wallets + long.length,
    entries: results.reduce((sum, { entries }) => sum + entries, 0),
  };
}

/**
 * Finds the end of the next range of wallets, which has at most so many wallets and, unless it is
 * a single one, about so many entries. Null when there is no other wallet.
 */
export async function nextWallets(
  db: Db,
  bindings: { after: string; limit: number; maxEntries: number },
): Promise<{ until: string | null; wallets: number }> {
  const { rows } = await db.raw<{ rows: { wallets: number; last: string | null }[] }>(
    `select count(*) as wallets, (array_agg(id order by id desc))[1] as last
     from (
       select id, sum(seq) over (order by id) - seq as entries_before
       from (select id, seq from wallets where id > :after order by id limit :limit) w
     ) bounded
     where entries_before < :maxEntries`,
    bindings,
  );
  const { wallets, last } = one(rows, 'range of wallets');
  const { rows: others } = await db.raw<{ rows: unknown[] }>(
    'select from wallets where id > :last order by id limit 1',
    { last: last ?? bindings.after },
  );
  return { wallets, until: others.length === 0 ? null : last };
}

const START: Known = { seq: 0, balance: 0, head: Buffer.alloc(32) };

/** Finds those of the wallets that have more entries to verify than one piece. */
async function findLong(
  db: Db,
  selection: Selection,
  { sinceCheckpoint, piece }: { sinceCheckpoint: boolean; piece: number },
): Promise<(Known & { id: string })[]> {
  const { rows } = await db.raw<{ rows: (Known & { id: string })[] }>(
    `select id, base_seq as seq, base_balance as balance, base_head as head
     from (${sliceOf(selection, sinceCheckpoint)}) w
     where seq - base_seq > :piece order by id`,
    { ...selection, piece },
  );
  return rows;
}

type Pieces = { from: Known; piece: number; keepCheckpoints: boolean };

/** Verifies the entries of one wallet after a known one, each piece in a transaction of its own. */
async function verifyInPieces(
  db: Db,
  id: string,
  { from, piece, keepCheckpoints }: Pieces,
): Promise<VerifiedWallets> {
  const found = new Map<string, Findings['violations'][number]>();
  let known = from;
  let entries = 0;
  for (;;) {
    const keeps = keepCheckpoints && found.size === 0;
    const statement = pieceStatement({ id, ...known, piece }, keeps);
    const verified = await verify(db, statement, !keeps);
    // What is wrong with the wallet or a source may be seen in several pieces.
    for (const each of verified.violations) found.set(JSON.stringify(each), each);
    entries += verified.entries;
    if (verified.entries < piece || verified.end === null) break;
    known = { ...verified.end, head: Buffer.from(verified.end.head, 'hex') };
  }
  const violations = [...found.values()];
  return { violations, rowIds: violations.length === 0 ? [] : [id], wallets: 1, entries };
}

type Verified = VerifiedWallets & { end: (Omit<Known, 'head'> & { head: string }) | null };

async function verify(db: Db, { sql, values }: Composed, isReadOnly: boolean): Promise<Verified> {
  return inSlice(db, isReadOnly, async (tx) => {
    // Entries are sorted and joined in memory. What is looked up by `lateral … limit 1` is never
    // scanned, however large its table is. A slice may lie between two values of the histogram of
    // ids: the planner expects one wallet, and would compare each of thousands with all entries.
    await tx.raw(`set local work_mem = '64MB'; set local enable_nestloop = off`);
    const { rows } = await tx.raw<{ rows: Verified[] }>(sql, values);
    return one(rows, 'result of a verification');
  });
}
