import { addVerified, NOTHING_VERIFIED } from '../../../domain/ledger-report.ts';
import type { Db } from '../../connection.ts';
import { one } from '../../one.ts';
import { OLDEST_TRANSACTION } from '../../open-transactions.ts';
import { SLICE } from './statements.ts';
import { verifyWallets } from './wallets.ts';
import { NO_ID, type RangeSlice } from './whole.ts';

/*
 * What moved is found by the primary keys of entries and sources: ids ascend with the time at which
 * they were made (db/new-id.ts), so new rows are at the end of the index, and finding them costs
 * the writers nothing.
 *
 * A row may be committed long after its id was made, so a run does not continue at the newest id
 * that the last one saw. It continues at the beginning of the oldest transaction that was open
 * then, and ten minutes before: an id is made at most a minute before the transaction that writes
 * it begins, and the rest is for processes whose clocks are late. Rows whose transaction had ended
 * were visible. What is even later is found when the wallet moves again, or when its part is
 * verified.
 */

/** How far a search goes back before the oldest transaction. */
export const MARGIN = `interval '10 minutes'`;
/** What moved before the first search is left to the parts of a verification. */
export const FIRST_WINDOW = `interval '1 day'`;

/** The ids to look at, and what is verified after that. */
export type Movement = { after: string; until: string; verified: { until: string; at: string } };

/** Returns the ids of what may have moved since the last verification. */
export async function movementNow(db: Db): Promise<Movement & { begunAt: string }> {
  const { rows } = await db.raw<{
    rows: { after: string; until: string; nextAfter: string; at: string; begunAt: string }[];
  }>(
    `select coalesce(
         (select until_id from ledger_parts where walk = 'moved'),
         ${idAt(`now() - ${FIRST_WINDOW}`)}
       ) as after,
       ${idAt('now()')} as until, ${idAt(`began - ${MARGIN}`)} as next_after,
       began::text as at, now()::text as begun_at
     from (${OLDEST_TRANSACTION}) oldest`,
  );
  const { begunAt, after, until, nextAfter, at } = one(rows, 'row of times');
  return { begunAt, after, until, verified: { until: nextAfter, at } };
}

/** The first id that can be made at a time; no row has it. */
export const idAt = (time: string) =>
  `rpad(lpad(to_hex(trunc(extract(epoch from ${time}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`;

/** Records that everything that moved is verified up to a point. */
export async function recordMovement(
  db: Db,
  { until, at }: Movement['verified'],
  movedWallets: number,
): Promise<void> {
  await db.raw(
    `insert into ledger_parts (walk, from_id, until_id, row_count, verified_at)
     values ('moved', :from, :until, :movedWallets, :at)
     on conflict (walk, from_id) do update
     set until_id = excluded.until_id, row_count = excluded.row_count,
       verified_at = excluded.verified_at`,
    { from: NO_ID, until, at, movedWallets },
  );
}

/**
 * Verifies the wallets of the next entries, each from its checkpoint to its present end, and keeps
 * new checkpoints. Those that are at their checkpoint are passed over.
 */
export async function verifyMovement(
  db: Db,
  { after, until }: { after: string; until: string },
): Promise<RangeSlice> {
  const { rows } = await db.raw<{ rows: Moved[] }>(MOVED, { after, until, limit: SLICE.entries });
  const moved = one(rows, 'row of wallets');
  let slice: RangeSlice = {
    violations: [],
    rowIds: [],
    counts: NOTHING_VERIFIED,
    rows: moved.walletIds.length,
    last: moved.entries < SLICE.entries || moved.last === null ? until : moved.last,
  };
  for (const ids of chunksOf(moved)) {
    const step = { sinceCheckpoint: true, keepCheckpoints: true };
    const { wallets, entries, ...found } = await verifyWallets(db, { ids }, step);
    slice = {
      ...slice,
      violations: [...slice.violations, ...found.violations],
      rowIds: [...slice.rowIds, ...found.rowIds],
      counts: addVerified(slice.counts, { ...NOTHING_VERIFIED, wallets, entries }),
    };
  }
  return slice;
}

type Moved = { entries: number; last: string | null; walletIds: string[]; lengths: number[] };

const MOVED = `
  with fresh as materialized (
    select id, wallet_id from ledger_entries
    where id > :after and id <= :until order by id limit :limit
  ),
  moved as (
    select f.wallet_id, coalesce(w.seq - coalesce(c.seq, 0), 0) as length
    from (select distinct wallet_id from fresh) f
    left join lateral (select * from wallets where id = f.wallet_id limit 1) w on true
    left join lateral (
      select * from ledger_checkpoints where wallet_id = f.wallet_id limit 1
    ) c on true
    where w.id is null
      or (c.seq, c.balance, c.head) is distinct from (w.seq, w.balance, w.head)
  )
  select (select count(*) from fresh) as entries,
    (select id from fresh order by id desc limit 1) as last,
    array(select wallet_id from moved order by wallet_id)::text[] as wallet_ids,
    array(select length from moved order by wallet_id)::float8[] as lengths`;

/** Splits wallets so that a statement has few of them, and few entries. */
function* chunksOf({ walletIds, lengths }: Moved): Generator<string[]> {
  let chunk: string[] = [];
  let entries = 0;
  for (const [nth, walletId] of walletIds.entries()) {
    const length = lengths[nth] ?? 0;
    const isFull = chunk.length >= SLICE.wallets || entries + length > SLICE.entries;
    if (chunk.length > 0 && isFull) {
      yield chunk;
      chunk = [];
      entries = 0;
    }
    chunk.push(walletId);
    entries += length;
  }
  if (chunk.length > 0) yield chunk;
}
