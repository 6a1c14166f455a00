import { Refusal } from '../../domain/errors.ts';
import type { EntryId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { one } from '../one.ts';
import type { EntryReason, EntryType, SourceType } from './postings.ts';

/** An entry as it is exported, with the wallet's owner and the hash that chains it. */
export type ExportedEntry = {
  id: EntryId;
  walletId: WalletId;
  userId: UserId;
  seq: number;
  entryType: EntryType;
  points: number;
  balanceAfter: number;
  reason: EntryReason;
  sourceType: SourceType;
  sourceId: string;
  /** With microseconds, which its hash covers. */
  createdAt: string;
  hash: string;
};

/** An entry that was exported before: an export continues after it. */
export type ExportedUntil = { walletId: WalletId; seq: number };

const ROWS_AT_A_TIME = 2_000;
const WALLETS_AT_A_TIME = 500;

/**
 * Passes every entry of a tenant to `take`, wallet by wallet, the oldest first, each in the order
 * of its chain, in parts. Waits for `take`, however long it takes, with no transaction open.
 *
 * Of each wallet, the export holds the chain from its first entry to the last one of the moment at
 * which the wallet was read, without a gap: entries never change. Wallets are read while it runs,
 * so two of them may end at different moments, and one that is created meanwhile may be missing. An
 * export that continues after its last entry is like one that was never interrupted.
 *
 * Throws TENANT_NOT_FOUND, and NOT_FOUND when `after` names no wallet of the tenant.
 */
export async function readLedger(
  db: Db,
  tenantId: TenantId,
  take: (entries: ExportedEntry[]) => Promise<void>,
  after?: ExportedUntil,
): Promise<void> {
  const tenant = await db('tenants').where({ id: tenantId }).first('id');
  if (tenant === undefined) throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');
  let last: Wallet | undefined;
  if (after !== undefined) {
    const [wallet] = await readWallets(db, tenantId, { only: after.walletId });
    if (wallet === undefined) throw new Refusal('NOT_FOUND', 'The tenant has no such wallet.');
    await readChains(db, tenantId, [{ ...wallet, from: after.seq }], take);
    last = wallet;
  }
  for (;;) {
    const wallets = await readWallets(db, tenantId, { after: last });
    if (wallets.length === 0) break;
    await readChains(
      db,
      tenantId,
      wallets.map((wallet) => ({ ...wallet, from: 0 })),
      take,
    );
    last = wallets.at(-1);
  }
}

/** How many entries `readLedger` has left to pass. */
export async function countLeft(
  db: Db,
  tenantId: TenantId,
  after?: ExportedUntil,
): Promise<number> {
  const { rows } = await db.raw<{ rows: { left: number }[] }>(
    `select coalesce(sum(w.seq), 0) - :seq as left
     from wallets w
     left join wallets last on last.id = :walletId and last.tenant_id = :tenantId
     where w.tenant_id = :tenantId
       and (last.id is null or (w.created_at, w.id) >= (last.created_at, last.id))`,
    { tenantId, walletId: after?.walletId ?? null, seq: after?.seq ?? 0 },
  );
  return Number(one(rows, 'count of entries').left);
}

/** `created` is text, because a Date has no microseconds. */
type Wallet = { id: WalletId; seq: number; created: string };
type Chain = { id: WalletId; from: number; seq: number };

/** Reads the next wallets of a tenant, as `wallets_newest_first` has them, or a single one. */
async function readWallets(
  db: Db,
  tenantId: TenantId,
  { after, only }: { after?: Wallet | undefined; only?: WalletId },
): Promise<Wallet[]> {
  const wallets = db('wallets')
    .where({ tenantId })
    .orderBy('createdAt')
    .orderBy('id')
    .limit(WALLETS_AT_A_TIME)
    .select<Wallet[]>('id', 'seq', db.raw('created_at::text as created'));
  if (only !== undefined) wallets.where({ id: only });
  if (after !== undefined) {
    wallets.whereRaw('(created_at, id) > (:created::timestamptz, :id::uuid)', after);
  }
  return wallets;
}

/** Passes the entries of chains, each after `from` and up to `seq`. */
async function readChains(
  db: Db,
  tenantId: TenantId,
  chains: readonly Chain[],
  take: (entries: ExportedEntry[]) => Promise<void>,
): Promise<void> {
  for (const part of partsOf(chains)) {
    const { rows } = await db.raw<{ rows: ExportedEntry[] }>(
      `select e.id, e.wallet_id, w.user_id, e.seq, e.entry_type, e.points, e.balance_after,
         e.reason, e.source_type, e.source_id,
         to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at,
         encode(e.hash, 'hex') as hash
       from unnest(:ids::uuid[], :froms::bigint[], :seqs::bigint[])
         with ordinality as c(id, "from", seq, nth)
       join wallets w on w.id = c.id and w.tenant_id = :tenantId
       cross join lateral (
         select * from ledger_entries
         where wallet_id = c.id and seq > c."from" and seq <= c.seq
       ) e
       order by c.nth, e.seq`,
      {
        tenantId,
        ids: part.map(({ id }) => id),
        froms: part.map(({ from }) => from),
        seqs: part.map(({ seq }) => seq),
      },
    );
    if (rows.length > 0) await take(rows);
  }
}

/** Splits chains into parts of few entries: a chain has as many entries as its numbers say. */
function* partsOf(chains: readonly Chain[]): Generator<Chain[]> {
  let part: Chain[] = [];
  let space = ROWS_AT_A_TIME;
  for (const { id, from, seq } of chains) {
    for (let start = from; start < seq; ) {
      const end = Math.min(seq, start + space);
      part.push({ id, from: start, seq: end });
      space -= end - start;
      start = end;
      if (space > 0) continue;
      yield part;
      part = [];
      space = ROWS_AT_A_TIME;
    }
  }
  if (part.length > 0) yield part;
}
