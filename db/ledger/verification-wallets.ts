import type { Db, Tx } from '../connection.ts';
import { one } from '../one.ts';
import { CHAINS, KEEPING } from './verification-chains.ts';
import { DEBTS, ORIGINS } from './verification-sources.ts';
import {
  type Findings,
  inSlice,
  MAX_VIOLATIONS,
  SLICE,
  VIOLATION,
} from './verification-statements.ts';

/** Which rows a step verifies: a range of ids, its start exclusive, or the rows of these ids. */
export type Selection = { after: string; until: string } | { ids: readonly string[] };

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
  const { base, chosen, entriesOf } = wholeOf(selection, sinceCheckpoint);
  const bindings = { ...selection, long: long.map(({ id }) => id) };
  const sql = { slice: `${sliceFrom(base)} where ${chosen} and w.id <> all(:long::uuid[])` };
  const whole = { ...sql, history: entriesOf, isTraced: sinceCheckpoint, isAtEnd: 'true' };
  const rest = await verify(db, { ...whole, keepCheckpoints }, bindings);
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

/** An entry of a wallet that is known to be right, from which the next ones follow. */
type Known = { seq: number; balance: number; head: Buffer };

const START: Known = { seq: 0, balance: 0, head: Buffer.alloc(32) };

/** Finds those of the wallets that have more entries to verify than one piece. */
async function findLong(
  db: Db,
  selection: Selection,
  { sinceCheckpoint, piece }: { sinceCheckpoint: boolean; piece: number },
): Promise<(Known & { id: string })[]> {
  const { base, chosen } = wholeOf(selection, sinceCheckpoint);
  const { rows } = await db.raw<{ rows: (Known & { id: string })[] }>(
    `select id, base_seq as seq, base_balance as balance, base_head as head
     from (${sliceFrom(base)} where ${chosen}) w
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
    const sql = {
      slice: `${sliceFrom(GIVEN)} where w.id = :id`,
      history: PIECE,
      isTraced: true,
      isAtEnd: '(select count(*) from history) < :piece',
      keepCheckpoints: keepCheckpoints && found.size === 0,
    };
    const verified = await verify(db, sql, { id, ...known, piece });
    // What is wrong with the wallet or a source may be seen in several pieces.
    for (const each of verified.violations) found.set(JSON.stringify(each), each);
    entries += verified.entries;
    if (verified.entries < piece || verified.end === null) break;
    known = { ...verified.end, head: Buffer.from(verified.end.head, 'hex') };
  }
  const violations = [...found.values()];
  return { violations, rowIds: violations.length === 0 ? [] : [id], wallets: 1, entries };
}

type Parts = {
  /** The wallets, and from where they are verified. */
  slice: string;
  /** Their entries. */
  history: string;
  /** Whether sources may have entries that are not in the history. */
  isTraced: boolean;
  /** A condition: whether the history reaches the end of its wallets. */
  isAtEnd: string;
  keepCheckpoints: boolean;
};

type Verified = VerifiedWallets & { end: (Omit<Known, 'head'> & { head: string }) | null };

async function verify(db: Db, parts: Parts, bindings: object): Promise<Verified> {
  const isReadOnly = !parts.keepCheckpoints;
  return inSlice(db, isReadOnly, (tx) => verifyIn(tx, parts, bindings));
}

async function verifyIn(tx: Tx, parts: Parts, bindings: object): Promise<Verified> {
  // Entries are sorted and joined in memory. What is looked up by `lateral … limit 1` is never
  // scanned, however large its table is. A slice may lie between two values of the histogram of
  // ids: the planner expects one wallet, and would compare each of thousands with all entries.
  await tx.raw(`set local work_mem = '64MB'; set local enable_nestloop = off`);
  const { rows } = await tx.raw<{ rows: Verified[] }>(
    `with slice as materialized (${parts.slice}),
     history as materialized (${parts.history}),
     traced as not materialized (${parts.isTraced ? TRACED : 'select * from history'}),
     ${CHAINS}, ${ORIGINS}, ${DEBTS},
     at_end as (
       select * from snapshots union all select * from owing union all select * from unowned
     ),
     violations as (
       select v.wallet_id, s.tenant_id, v.seq, v.problem
       from (
         select * from faulty union all select * from strayed union all select * from misplaced
         union all select * from at_end where ${parts.isAtEnd}
       ) v
       left join slice s on s.id = v.wallet_id
     )
     ${parts.keepCheckpoints ? `, ${KEEPING}` : ''}
     select (select count(*) from slice) as wallets, (select count(*) from history) as entries,
       coalesce((select jsonb_agg(${VIOLATION}) from (
         select * from violations order by wallet_id, seq limit :violations
       ) v), '[]') as violations,
       array(select distinct wallet_id from violations limit :violations)::text[] as row_ids,
       (select jsonb_build_object('seq', seq, 'balance', balance, 'head', encode(head, 'hex'))
        from ends order by id limit 1) as "end"`,
    { ...bindings, violations: MAX_VIOLATIONS },
  );
  return one(rows, 'result of a verification');
}

const sliceFrom = (base: string) => `
  select w.id, w.tenant_id, w.user_id, w.balance, w.seq, w.head, base.seq as base_seq,
    base.balance as base_balance, base.head as base_head,
    c.seq as known_seq, c.balance as known_balance, c.head as known_head
  from wallets w
  left join lateral (select * from ledger_checkpoints where wallet_id = w.id limit 1) c on true
  cross join lateral (${base}) base`;

function wholeOf(selection: Selection, sinceCheckpoint: boolean) {
  const isRange = 'after' in selection;
  return {
    base: sinceCheckpoint ? CHECKPOINT : BEGINNING,
    chosen: isRange ? 'w.id > :after and w.id <= :until' : 'w.id = any(:ids::uuid[])',
    entriesOf: isRange ? ENTRIES_OF_RANGE : ENTRIES_OF_IDS,
  };
}

const NO_HASH = `decode(repeat('00', 32), 'hex')`;
const BEGINNING = `select 0::bigint as seq, 0::bigint as balance, ${NO_HASH} as head`;
const CHECKPOINT = `
  select coalesce(c.seq, 0) as seq, coalesce(c.balance, 0) as balance,
    coalesce(c.head, ${NO_HASH}) as head`;
const GIVEN = 'select :seq::bigint as seq, :balance::bigint as balance, :head::bytea as head';

const ENTRY = 'e.*, s.id is null as is_stray, s.base_seq, s.base_balance, s.base_head';

const ENTRIES_OF_RANGE = `
  select ${ENTRY}
  from ledger_entries e left join slice s on s.id = e.wallet_id
  where e.wallet_id > :after and e.wallet_id <= :until and e.wallet_id <> all(:long::uuid[])`;

const ENTRIES_OF_IDS = `
  select ${ENTRY}
  from unnest(:ids::uuid[]) as wanted(wallet_id)
  left join slice s on s.id = wanted.wallet_id
  cross join lateral (
    select * from ledger_entries
    where wallet_id = wanted.wallet_id and seq > coalesce(s.base_seq, 0)
    -- Looked up for each wallet, not joined with all of them.
    offset 0
  ) e
  where wanted.wallet_id <> all(:long::uuid[])`;

const PIECE = `
  select ${ENTRY}
  from slice s
  cross join lateral (
    select * from ledger_entries
    where wallet_id = s.id and seq > s.base_seq order by seq limit :piece
  ) e`;

/** All entries of the sources in the history: an earlier one may be refunded by a new one. */
const TRACED = `
  select e.*, source.is_stray
  from (select distinct wallet_id, source_id, is_stray from history) source
  cross join lateral (
    -- Looked up by the source: a wallet may have very many other entries.
    (select * from ledger_entries
     where source_id = source.source_id and reason <> 'payment_refunded' offset 0)
    union all
    (select * from ledger_entries
     where source_id = source.source_id and reason = 'payment_refunded' offset 0)
  ) e
  where e.wallet_id = source.wallet_id`;
