import {
  addVerified,
  type LedgerViolation,
  NOTHING_VERIFIED,
  type VerificationCounts,
} from '../../domain/ledger-report.ts';
import type { Db, Tx } from '../connection.ts';
import { CANONICAL_ENTRY } from './postings.ts';
import { DEBTS, ORIGINS, UNADJUSTED, UNCREDITED, UNDEBITED } from './verification-sources.ts';

/** How far a verification has come: the last row that it has seen. */
export type VerificationPosition = { part: VerifiedPart; after: string };
type VerifiedPart = 'wallets' | SourcePart;
type SourcePart = 'payments' | 'redemptions' | 'adjustments';

/** What one step of a verification has found; `next` is where to continue, null at the end. */
export type VerificationSlice = VerificationCounts & {
  violations: LedgerViolation[];
  next: VerificationPosition | null;
};

export type LedgerVerification = VerificationCounts & { violations: LedgerViolation[] };

/** More would not help: one violation is reason enough to stop and look. */
const MAX_VIOLATIONS = 100;
/** Sorts before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const START: VerificationPosition = { part: 'wallets', after: NO_ID };

const SLICE_ROWS: Readonly<Record<VerifiedPart, number>> = {
  wallets: 500,
  payments: 2_000,
  redemptions: 2_000,
  adjustments: 2_000,
};
/** A slice ends early after wallets with long histories; a wallet is never split. */
const SLICE_ENTRIES = 50_000;
/** Enough for a wallet with millions of entries. */
const SLICE_TIMEOUT = '5min';

/**
 * Recomputes every wallet from its entries, and compares the entries with the payments, redemptions
 * and audit entries they come from, in both directions. Reports the wallets that do not add up, at
 * most a hundred problems; changes nothing. Runs while the service does, slice by slice, in bounded
 * memory.
 */
export async function verifyLedger(db: Db): Promise<LedgerVerification> {
  let counts = NOTHING_VERIFIED;
  const violations: LedgerViolation[] = [];
  let place: VerificationPosition | null = null;
  do {
    const slice: VerificationSlice = await verifySlice(db, place);
    counts = addVerified(counts, slice);
    violations.push(...slice.violations.slice(0, MAX_VIOLATIONS - violations.length));
    place = slice.next;
  } while (place !== null);
  return { ...counts, violations };
}

/**
 * Takes the next step of a verification, from the start when `place` is null. Sees one state of the
 * database, in which a wallet, its entries and their sources belong together.
 */
export async function verifySlice(
  db: Db,
  place: VerificationPosition | null,
): Promise<VerificationSlice> {
  const { part, after } = place ?? START;
  return db.transaction(
    async (tx) => {
      await tx.raw(`set local statement_timeout = '${SLICE_TIMEOUT}'`);
      const bindings = { after, limit: SLICE_ROWS[part] };
      if (part === 'wallets') return verifyWallets(tx, bindings);
      return verifySources(tx, part, bindings);
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

type SliceBindings = { after: string; limit: number };

// Histories differ in length, so a slice is also bounded by the entries of its wallets.
const WALLET_SLICE = `
  slice as materialized (
    select id, tenant_id, balance, seq, head from (
      select w.*, sum(w.seq) over (order by w.id) - w.seq as entries_before
      from (
        select id, tenant_id, balance, seq, head from wallets where id > :after::uuid
        order by id limit :limit
      ) w
    ) bounded
    where entries_before < :maxEntries
  )`;

async function verifyWallets(tx: Tx, { after, limit }: SliceBindings): Promise<VerificationSlice> {
  const bindings = { after, limit, maxEntries: SLICE_ENTRIES };
  const counted = await tx.raw<{
    rows: { wallets: number; entries: number; last: string | null }[];
  }>(
    `with ${WALLET_SLICE}
     select count(*) as wallets, (array_agg(id order by id desc))[1] as last, (
       select count(*) from slice s join ledger_entries e on e.wallet_id = s.id
     ) as entries
     from slice`,
    bindings,
  );
  const { wallets = 0, entries = 0, last = null } = counted.rows[0] ?? {};
  const next: VerificationPosition = { part: 'payments', after: NO_ID };
  if (last === null) return { ...NOTHING_VERIFIED, violations: [], next };

  const { rows: violations } = await tx.raw<{ rows: LedgerViolation[] }>(
    `with ${WALLET_SLICE}, ${CHAINS}, ${ORIGINS}, ${DEBTS}
     select v.wallet_id, s.tenant_id, v.seq, v.problem
     from (
       select * from faulty union all select * from snapshots union all select * from misplaced
       union all select * from owing
     ) v
     join slice s on s.id = v.wallet_id
     order by v.wallet_id, v.seq
     limit :violations`,
    { ...bindings, violations: MAX_VIOLATIONS },
  );
  return {
    ...NOTHING_VERIFIED,
    wallets,
    entries,
    violations,
    next: { part: 'wallets', after: last },
  };
}

/**
 * Parts of a statement that recompute each wallet of an earlier part `slice` from its entries. They
 * provide `faulty`, the first entry of a wallet that does not follow from those before it, and
 * `snapshots`, the wallets that do not match the end of their chain.
 */
const CHAINS = `
  walked as (
    select e.*,
      row_number() over history as expected_seq,
      sum(case e.entry_type when 'credit' then e.points else -e.points end) over history
        as expected_balance,
      sha256(coalesce(lag(e.hash) over history, decode(repeat('00', 32), 'hex'))
        || ${CANONICAL_ENTRY}) as expected_hash,
      lead(e.seq) over history is null as is_last
    from slice s join ledger_entries e on e.wallet_id = s.id
    window history as (partition by e.wallet_id order by e.seq)
  ),
  faulty as (
    select distinct on (wallet_id) wallet_id, seq,
      case
        when seq <> expected_seq then 'an entry is missing before this one'
        when balance_after <> expected_balance then 'balance_after is not the sum of the entries'
        else 'the hash does not follow from the entry and the one before it'
      end as problem
    from walked
    where seq <> expected_seq or balance_after <> expected_balance or hash <> expected_hash
    order by wallet_id, seq
  ),
  snapshots as (
    select s.id as wallet_id, null::bigint as seq,
      case
        when s.balance <> coalesce(last.expected_balance, 0)
          then 'the balance is not the sum of the entries'
        else 'the wallet is not at the end of its chain'
      end as problem
    from slice s
    left join walked last on last.wallet_id = s.id and last.is_last
    where s.balance <> coalesce(last.expected_balance, 0)
      or s.seq <> coalesce(last.seq, 0)
      or s.head <> coalesce(last.hash, decode(repeat('00', 32), 'hex'))
  )`;

/** Where the sources of a part are, what is wrong with them, and which part follows. */
const SOURCES = {
  payments: { table: 'payments', problems: UNCREDITED, next: 'redemptions' },
  redemptions: { table: 'redemptions', problems: UNDEBITED, next: 'adjustments' },
  adjustments: { table: 'audit_log', problems: UNADJUSTED, next: null },
} as const satisfies Record<SourcePart, { table: string; problems: string; next: unknown }>;

async function verifySources(
  tx: Tx,
  part: SourcePart,
  bindings: SliceBindings,
): Promise<VerificationSlice> {
  const { table, problems, next } = SOURCES[part];
  const counted = await tx.raw<{ rows: { sources: number; last: string | null }[] }>(
    `select count(*) as sources, (array_agg(id order by id desc))[1] as last
     from (select id from :table: where id > :after::uuid order by id limit :limit) slice`,
    { table, ...bindings },
  );
  const { sources = 0, last = null } = counted.rows[0] ?? {};
  if (last === null) {
    const following = next === null ? null : { part: next, after: NO_ID };
    return { ...NOTHING_VERIFIED, violations: [], next: following };
  }
  const { rows: violations } = await tx.raw<{ rows: LedgerViolation[] }>(problems, {
    ...bindings,
    violations: MAX_VIOLATIONS,
  });
  const counts =
    part === 'adjustments' ? NOTHING_VERIFIED : { ...NOTHING_VERIFIED, [part]: sources };
  return { ...counts, violations, next: { part, after: last } };
}
