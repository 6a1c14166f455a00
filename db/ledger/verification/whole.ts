import {
  addVerified,
  type LedgerViolation,
  NOTHING_VERIFIED,
  type VerificationCounts,
} from '../../../domain/ledger-report.ts';
import type { Db } from '../../connection.ts';
import { verifyConnectionCounts, verifyCounts } from './counts.ts';
import { verifyExpired } from './expired.ts';
import { type SourceWalk, verifySources } from './sources.ts';
import { bothOf, type Findings, inSlice, MAX_VIOLATIONS, SLICE } from './statements.ts';
import { nextWallets, verifyWallets } from './wallets.ts';

export type Walk = 'wallets' | SourceWalk | 'counts';
/** What is walked in the order of ids, one after the other. */
export const WALKS = [
  'wallets',
  'payments',
  'redemptions',
  'adjustments',
  'expiries',
  'campaigns',
  'rewards',
  'erasures',
  'liability',
  'imports',
  'counts',
] as const;

/** How far a verification of the whole has come: the last row that it has seen. */
export type WholePosition = { part: Walk; after: string };

export type LedgerVerification = VerificationCounts & { violations: LedgerViolation[] };
export type WholeSlice = LedgerVerification & { next: WholePosition | null };

/** Sorts before every id. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';
/** Sorts after every id. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export type WholeOptions = {
  /** Where an earlier one stopped; by default the beginning. */
  from?: WholePosition | undefined;
  /** Stops after the current slice. */
  signal?: AbortSignal;
  /** Gets all that was found so far, and where it goes on. */
  onSlice?(soFar: WholeSlice): void;
};

/**
 * Recomputes every wallet from its entries, and compares the entries with the payments,
 * redemptions, expiries and audit entries they come from, in both directions, what has expired with
 * what was due, what is owed after a month with what that took, entries and redemptions with the
 * events that tell tenants of them, and kept counts and sums with the rows that they count. Reports
 * what does not add up, at most a hundred problems; changes nothing. Runs while the service does,
 * slice by slice, in bounded memory. `next` is null when it came to the end.
 */
export async function verifyLedger(db: Db, options: WholeOptions = {}): Promise<WholeSlice> {
  const from = options.from ?? { part: 'wallets', after: NO_ID };
  let soFar: WholeSlice = { ...NOTHING_VERIFIED, violations: [], next: from };
  while (soFar.next !== null && options.signal?.aborted !== true) {
    const slice: WholeSlice = await verifySlice(db, soFar.next);
    const violations = [...soFar.violations, ...slice.violations].slice(0, MAX_VIOLATIONS);
    soFar = { ...addVerified(soFar, slice), violations, next: slice.next };
    options.onSlice?.(soFar);
  }
  return soFar;
}

/** About how many rows a verification of the whole reads, by Postgres's own estimates. */
export async function estimateRows(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { rows: number }[] }>(
    `select sum(greatest(reltuples, 0))::bigint as rows from pg_class
     where oid in ('wallets'::regclass, 'ledger_entries'::regclass, 'payments'::regclass,
       'redemptions'::regclass)`,
  );
  return rows[0]?.rows ?? 0;
}

/** Takes the next step of a verification of the whole. */
export async function verifySlice(db: Db, place: WholePosition): Promise<WholeSlice> {
  const { part, after } = place;
  const slice = await verifyRange(db, part, { after, until: LAST_ID, isWhole: true });
  const following = WALKS[WALKS.indexOf(part) + 1];
  const next =
    slice.last !== LAST_ID
      ? { part, after: slice.last }
      : following === undefined
        ? null
        : { part: following, after: NO_ID };
  const isFirst = part === 'counts' && after === NO_ID;
  const connections = isFirst ? await verifyConnectionCounts(db) : [];
  return { ...slice.counts, violations: [...slice.violations, ...connections], next };
}

export type Range = {
  after: string;
  until: string;
  /** The most rows to verify; a slice has its own limit. */
  limit?: number;
  /** Whether it changes nothing. */
  isWhole?: boolean;
};

/** A verified piece of a range; `last` is its end, which is `until` when nothing is left of it. */
export type RangeSlice = Findings & { counts: VerificationCounts; last: string; rows: number };

/** Verifies the next slice of a range of ids, its start exclusive. */
export async function verifyRange(db: Db, walk: Walk, range: Range): Promise<RangeSlice> {
  if (walk === 'wallets') return verifyWalletRange(db, range);
  const { after, until } = range;
  const limit = Math.min(SLICE.sources, range.limit ?? SLICE.sources);
  if (walk === 'counts') {
    const verified = await verifyCounts(db, { after, until, limit });
    return { ...verified, counts: NOTHING_VERIFIED, last: verified.last ?? until };
  }
  const slice = await inSlice(db, true, (tx) => verifySources(tx, walk, { after, until, limit }));
  const { sources, last, ...found } = slice;
  return {
    ...found,
    counts: countsOf(walk, sources),
    rows: sources,
    last: sources < limit || last === null ? until : last,
  };
}

async function verifyWalletRange(db: Db, { after, until, ...range }: Range): Promise<RangeSlice> {
  const limit = Math.min(SLICE.wallets, range.limit ?? SLICE.wallets);
  const bounds = await nextWallets(db, { after, limit, maxEntries: SLICE.entries });
  const last = bounds.until ?? until;
  const isWhole = range.isWhole ?? false;
  const selection = { after, until: last };
  const verified = await verifyWallets(db, selection, { keepCheckpoints: !isWhole });
  const expired = await verifyExpired(db, selection);
  const { wallets, entries } = verified;
  const found = bothOf(verified, expired);
  return { ...found, counts: { ...NOTHING_VERIFIED, wallets, entries }, rows: wallets, last };
}

/** The counts of a report for so many rows of a walk. */
function countsOf(walk: SourceWalk, rows: number): VerificationCounts {
  return walk === 'payments' || walk === 'redemptions'
    ? { ...NOTHING_VERIFIED, [walk]: rows }
    : NOTHING_VERIFIED;
}
