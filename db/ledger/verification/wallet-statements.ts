import { CHAINS, KEEPING } from './chains.ts';
import { DEBTS, ORIGINS } from './sources.ts';
import { type Composed, MAX_VIOLATIONS, VIOLATION } from './statements.ts';
import { UNTOLD } from './told.ts';

/** Which wallets a step verifies: a range of ids, its start exclusive, or those of these ids. */
export type Selection = { after: string; until: string } | { ids: readonly string[] };

/** An entry of a wallet that is known to be right, from which the next ones follow. */
export type Known = { seq: number; balance: number; head: Buffer };

/**
 * Puts together the statement that verifies wallets, from the beginning or each from its
 * checkpoint, but for those whose ids are in `but`.
 */
export function walletsStatement(
  selection: Selection,
  step: { sinceCheckpoint: boolean; keepCheckpoints: boolean; but: readonly string[] },
): Composed {
  const { sinceCheckpoint, keepCheckpoints, but } = step;
  const sql = verifying({
    slice: `${sliceOf(selection, sinceCheckpoint)} and w.id <> all(:but::uuid[])`,
    history: 'after' in selection ? ENTRIES_OF_RANGE : ENTRIES_OF_IDS,
    isTraced: sinceCheckpoint,
    isAtEnd: 'true',
    keepCheckpoints,
  });
  return { sql, values: { ...selection, but, violations: MAX_VIOLATIONS } };
}

/** Puts together the statement that verifies the next entries of a wallet after a known one. */
export function pieceStatement(
  known: Known & { id: string; piece: number },
  keepCheckpoints: boolean,
): Composed {
  const sql = verifying({
    slice: `${sliceFrom(GIVEN)} where w.id = :id`,
    history: PIECE,
    isTraced: true,
    isAtEnd: '(select count(*) from history) < :piece',
    keepCheckpoints,
  });
  return { sql, values: { ...known, violations: MAX_VIOLATIONS } };
}

/** A query for the wallets of a selection, and from where each is verified. */
export function sliceOf(selection: Selection, sinceCheckpoint: boolean): string {
  const chosen =
    'after' in selection ? 'w.id > :after and w.id <= :until' : 'w.id = any(:ids::uuid[])';
  return `${sliceFrom(sinceCheckpoint ? CHECKPOINT : BEGINNING)} where ${chosen}`;
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

const verifying = ({ slice, history, isTraced, isAtEnd, keepCheckpoints }: Parts) => `
  with slice as materialized (${slice}),
  history as materialized (${history}),
  traced as not materialized (${isTraced ? TRACED : 'select * from history'}),
  ${CHAINS}, ${ORIGINS}, ${DEBTS}, ${UNTOLD},
  at_end as (
    select * from snapshots union all select * from owing union all select * from unowned
  ),
  violations as (
    select v.wallet_id, s.tenant_id, v.seq, v.problem
    from (
      select * from faulty union all select * from strayed union all select * from misplaced
      union all select * from untold
      union all select * from at_end where ${isAtEnd}
    ) v
    left join slice s on s.id = v.wallet_id
  )
  ${keepCheckpoints ? `, ${KEEPING}` : ''}
  select (select count(*) from slice) as wallets, (select count(*) from history) as entries,
    coalesce((select jsonb_agg(${VIOLATION}) from (
      select * from violations order by wallet_id, seq limit :violations
    ) v), '[]') as violations,
    array(select distinct wallet_id from violations limit :violations)::text[] as row_ids,
    (select jsonb_build_object('seq', seq, 'balance', balance, 'head', encode(head, 'hex'))
     from ends order by id limit 1) as "end"`;

const sliceFrom = (base: string) => `
  select w.id, w.tenant_id, w.user_id, w.balance, w.owed, w.seq, w.head, base.seq as base_seq,
    base.balance as base_balance, base.head as base_head,
    c.seq as known_seq, c.balance as known_balance, c.head as known_head
  from wallets w
  left join lateral (select * from ledger_checkpoints where wallet_id = w.id limit 1) c on true
  cross join lateral (${base}) base`;

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
  where e.wallet_id > :after and e.wallet_id <= :until and e.wallet_id <> all(:but::uuid[])`;

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
  where wanted.wallet_id <> all(:but::uuid[])`;

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
