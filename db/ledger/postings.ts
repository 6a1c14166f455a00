import type { EntryId, WalletId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';
import { newIds } from '../new-id.ts';
import { TELL_POINTS } from '../outgoing/events.ts';

export const ENTRY_REASONS = [
  'purchase',
  'redemption',
  'redemption_expired',
  'payment_refunded',
  'admin_adjustment',
  'points_expired',
] as const;
export type EntryReason = (typeof ENTRY_REASONS)[number];
export type EntryType = 'credit' | 'debit';
export const SOURCE_TYPES = ['payment', 'redemption', 'adjustment', 'expiry'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export type Entry = {
  walletId: WalletId;
  entryType: EntryType;
  points: number;
  reason: EntryReason;
  sourceType: SourceType;
  sourceId: string;
};

export type LedgerEntry = Entry & {
  id: EntryId;
  seq: number;
  balanceAfter: number;
  createdAt: Date;
};

/** An entry that was just written, and what its wallet owes for refunds. */
export type PostedEntry = LedgerEntry & { owed: number };

/** The wallets among these entries that owe points and have to pay from them. */
export function owingOf(posted: readonly PostedEntry[]): WalletId[] {
  return [...new Set(posted.flatMap(({ walletId, owed }) => (owed > 0 ? walletId : [])))];
}

/**
 * What the hash of an entry covers, after the hash of the entry before it. `e` is the entry's
 * alias. Never change it: every stored hash depends on it.
 */
export const CANONICAL_ENTRY = `convert_to(concat_ws('|', e.id, e.wallet_id, e.seq, e.entry_type,
  e.points, e.balance_after, e.reason, e.source_type, e.source_id,
  trunc(extract(epoch from e.created_at) * 1000000)), 'utf8')`;

/**
 * The part of a statement that moves points: the only place in the codebase that changes a balance.
 *
 * It reads an earlier part named `entry` (wallet_id, entry_type, points, reason, source_type,
 * source_id, and nth, their order) and provides `posted`, the entries as written, and `locked`,
 * their wallets. The binding
 * `entryIds` holds at least as many new ids as there are entries. One statement writes the balance
 * and the entries, so that neither can be written without the other. Wallets are locked in one
 * order, so that two batches never deadlock. The chain continues from the locked row, because a
 * statement's snapshot may be older than its locks. Needs `with recursive`.
 */
export const POSTING = `
  locked as (
    select id, tenant_id, user_id, balance, owed, seq, head from wallets
    where id = any(array(select wallet_id from entry))
    order by id for no key update
  ),
  numbered as (
    select entry.*, (:entryIds::uuid[])[row_number() over (order by entry.nth)] as id,
      row_number() over (partition by wallet_id order by entry.nth) as step
    from entry
  ),
  chained as (
    select l.id as wallet_id, 0::bigint as step, l.seq, l.balance as balance_after,
      l.head as hash, null::uuid as id
    from locked l
    union all
    select e.wallet_id, e.step, e.seq, e.balance_after,
      sha256(e.previous || ${CANONICAL_ENTRY}), e.id
    from (
      select n.*, c.seq + 1 as seq, c.hash as previous, now() as created_at,
        c.balance_after + case n.entry_type when 'credit' then n.points else -n.points end
          as balance_after
      from chained c join numbered n on n.wallet_id = c.wallet_id and n.step = c.step + 1
    ) e
  ),
  moved as (
    update wallets w
    set balance = last.balance_after, seq = last.seq, head = last.hash, updated_at = now()
    from (
      select distinct on (wallet_id) * from chained where step > 0 order by wallet_id, step desc
    ) last
    where w.id = last.wallet_id
  ),
  posted as (
    insert into ledger_entries (id, wallet_id, seq, entry_type, points, balance_after, reason,
      source_type, source_id, created_at, hash)
    select n.id, n.wallet_id, c.seq, n.entry_type, n.points, c.balance_after, n.reason,
      n.source_type, n.source_id, now(), c.hash
    from numbered n join chained c on c.id = n.id
    returning id, wallet_id, seq, entry_type, points, balance_after, reason, source_type, source_id,
      created_at
  )`;

/**
 * Writes ledger entries and moves their wallets' balances by the same points, in the order given,
 * and tells tenants of it.
 *
 * All of them are written or none. Throws a violation that stands for INSUFFICIENT_BALANCE when one
 * would take a balance below zero, and a violation of `ledger_entries_once_per_source` when one was
 * written before: running it again is refused, not repeated.
 *
 * Whoever credits has wallets that owe points pay from them (`owingOf`, `debts.pay`).
 */
export async function post(tx: Tx, entries: readonly Entry[]): Promise<PostedEntry[]> {
  const { rows } = await tx.raw<{ rows: PostedEntry[] }>(
    `with recursive entry as (
       select wallet_id, entry_type, points, reason, source_type, source_id, nth
       from unnest(:walletIds::uuid[], :entryTypes::text[], :points::bigint[], :reasons::text[],
           :sourceTypes::text[], :sourceIds::uuid[]) with ordinality
         as e(wallet_id, entry_type, points, reason, source_type, source_id, nth)
     ), ${POSTING}, ${TELL_POINTS}
     select p.*, l.owed from posted p join locked l on l.id = p.wallet_id
     order by p.wallet_id, p.seq`,
    {
      walletIds: entries.map((entry) => entry.walletId),
      entryTypes: entries.map((entry) => entry.entryType),
      points: entries.map((entry) => entry.points),
      reasons: entries.map((entry) => entry.reason),
      sourceTypes: entries.map((entry) => entry.sourceType),
      sourceIds: entries.map((entry) => entry.sourceId),
      entryIds: newIds(entries.length),
    },
  );
  return rows;
}

/** Finds an entry of the wallet by id. */
export async function find(
  db: Db,
  walletId: WalletId,
  entryId: EntryId,
): Promise<LedgerEntry | undefined> {
  return db<LedgerEntry>('ledger_entries').where({ walletId, id: entryId }).first();
}
