import type { Db } from '../../connection.ts';
import { one } from '../../one.ts';
import { LAST_ID, NO_ID, WALKS, type Walk } from './whole.ts';

/**
 * In how many daily parts everything is verified. Fewer than thirty, so that everything is verified
 * within thirty days even if two days are missed or the tables have grown.
 */
const PARTS = 28;
/** A part has at least so many rows: a small ledger is verified as a whole each day. */
const MIN_PART_ROWS = 50_000;

/** Where the next part of a walk begins, and how many rows it has at most. */
export type Part = { walk: Walk; after: string; limit: number; isWhole: boolean };

/**
 * Returns the next part of each walk. It begins where the newest part ends, and after the last id
 * at the first one again.
 */
export async function nextParts(db: Db, minRows = MIN_PART_ROWS): Promise<Part[]> {
  const { rows } = await db.raw<{ rows: { walk: Walk; until: string | null; rows: number }[] }>(
    `select walk, (
       select until_id from ledger_parts p where p.walk = w.walk
       order by verified_at desc, until_id desc limit 1
     ) as until, (${ROWS_OF_WALK})::float8 as rows
     from (${TABLE_OF_WALK}) w`,
  );
  return WALKS.map((walk) => {
    const { until, rows: total } = one(
      rows.filter((row) => row.walk === walk),
      'size of a walk',
    );
    const after = until === null || until === LAST_ID ? NO_ID : until;
    const limit = Math.max(minRows, Math.ceil(total / PARTS));
    return { walk, after, limit, isWhole: after === NO_ID && total <= limit };
  });
}

const TABLE_OF_WALK = `
  select * from (values ('wallets', array['wallets'::regclass]), ('payments', array['payments']),
    ('redemptions', array['redemptions']), ('adjustments', array['audit_log']),
    ('expiries', array['point_expiries']),
    ('campaigns', array['campaigns']),
    ('rewards', array['rewards']),
    ('erasures', array['erasures']),
    ('liability', array['tenants']),
    ('imports', array['import_rows']),
    -- The rows that are counted, not the counts.
    ('counts', array['wallets', 'payments'])) as w(walk, tables)`;

// The planner's estimate may be missing or old; what was counted may be older.
const ROWS_OF_WALK = `
  select greatest(
    (select sum(reltuples) from pg_class where oid = any(w.tables)),
    (select sum(row_count) from ledger_parts p where p.walk = w.walk),
    0
  )`;

export type WalkedRange = { after: string; until: string; rows: number; begunAt: string };

/**
 * Records how far a part has come. It takes over from older parts what it has walked. Recording the
 * same again changes nothing.
 */
export async function recordPart(db: Db, walk: Walk, range: WalkedRange): Promise<void> {
  const bindings = { walk, ...range };
  await db.transaction(async (tx) => {
    await tx.raw(
      `delete from ledger_parts
       where walk = :walk and from_id >= :after and until_id <= :until`,
      bindings,
    );
    await tx.raw(
      `update ledger_parts set from_id = :until
       where walk = :walk and from_id >= :after and from_id < :until`,
      bindings,
    );
    await tx.raw(
      `insert into ledger_parts (walk, from_id, until_id, row_count, verified_at)
       values (:walk, :after, :until, :rows, :begunAt)
       on conflict (walk, from_id) do update
       set until_id = excluded.until_id, row_count = excluded.row_count,
         verified_at = excluded.verified_at`,
      bindings,
    );
  });
}

/** How much of the ledger is verified how recently. */
export type VerificationFigures = {
  /** The share of all rows whose part was verified in the last 31 days, from 0 to 1. */
  verifiedShare: number;
  /** Since when the oldest part was not verified; null before the first verification. */
  oldestPartSeconds: number | null;
  /** For how long movements have not been verified; null before the first verification. */
  movementSeconds: number | null;
};

/** Reads what verifications have recorded: a few dozen rows, however large the ledger is. */
export async function readVerificationFigures(db: Db): Promise<VerificationFigures> {
  const { rows } = await db.raw<{ rows: VerificationFigures[] }>(
    `select least(1, coalesce(recent.rows / nullif(total.rows, 0), 1))::float8 as verified_share,
       extract(epoch from now() - oldest.verified_at)::float8 as oldest_part_seconds,
       extract(epoch from now() - moved.verified_at)::float8 as movement_seconds
     from (select sum(rows) as rows from (
       select (${ROWS_OF_WALK}) as rows from (${TABLE_OF_WALK}) w where walk <> 'counts'
     ) each) total
     cross join (
       select coalesce(sum(row_count), 0) as rows from ledger_parts
       where walk not in ('moved', 'counts') and verified_at > now() - interval '31 days'
     ) recent
     cross join (
       select min(verified_at) as verified_at from ledger_parts where walk <> 'moved'
     ) oldest
     left join ledger_parts moved on moved.walk = 'moved'`,
  );
  return one(rows, 'row of figures');
}
