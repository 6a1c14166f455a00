import type { Db, Tx } from '../connection.ts';
import { one } from '../one.ts';
import { CANONICAL_ENTRY } from './postings.ts';
import { WALLET_REFERENCES } from './verification-references.ts';
import { DEBTS, ORIGINS } from './verification-sources.ts';
import { type Findings, MAX_VIOLATIONS, VIOLATION } from './verification-statements.ts';

/** Which rows a step verifies: a range of ids, its start exclusive, or the rows of these ids. */
export type Selection = { after: string; until: string } | { ids: readonly string[] };

export type WalletStep = {
  /** Verifies only the entries after a wallet's checkpoint. */
  sinceCheckpoint?: boolean;
  /** Keeps checkpoints of the wallets that are whole. */
  keepCheckpoints?: boolean;
};

/**
 * Recomputes wallets from their entries, in one state of the database: the chain, the balance, the
 * sources of the entries, and the checkpoint if there is one. Finds entries without a wallet, too.
 */
export async function verifyWallets(
  tx: Tx,
  selection: Selection,
  { sinceCheckpoint = false, keepCheckpoints = false }: WalletStep = {},
): Promise<Findings & { wallets: number; entries: number }> {
  // Entries are sorted and joined in memory. What is looked up by `lateral … limit 1` is never
  // scanned, however large its table is.
  await tx.raw(`set local work_mem = '64MB'`);
  const isRange = 'after' in selection;
  const base = sinceCheckpoint ? CHECKPOINT : BEGINNING;
  const { rows } = await tx.raw<{
    rows: (Findings & { wallets: number; entries: number })[];
  }>(
    `with slice as materialized (
       select w.id, w.tenant_id, w.user_id, w.balance, w.seq, w.head, base.seq as base_seq,
         base.balance as base_balance, base.head as base_head,
         c.seq as known_seq, c.balance as known_balance, c.head as known_head
       from wallets w
       left join lateral (
         select * from ledger_checkpoints where wallet_id = w.id limit 1
       ) c on true
       cross join lateral (${base}) base
       where ${isRange ? 'w.id > :after and w.id <= :until' : 'w.id = any(:ids::uuid[])'}
     ),
     history as materialized (${isRange ? ENTRIES_OF_RANGE : ENTRIES_OF_IDS}),
     ${CHAINS}, ${ORIGINS}, ${DEBTS},
     violations as (
       select v.wallet_id, s.tenant_id, v.seq, v.problem
       from (
         select * from faulty union all select * from snapshots union all select * from strayed
         union all select * from misplaced union all select * from owing
         union all select * from unowned
       ) v
       left join slice s on s.id = v.wallet_id
     )
     ${keepCheckpoints ? `, ${KEEPING}` : ''}
     select (select count(*) from slice) as wallets, (select count(*) from history) as entries,
       coalesce((select jsonb_agg(${VIOLATION}) from (
         select * from violations order by wallet_id, seq limit :violations
       ) v), '[]') as violations,
       array(select distinct wallet_id from violations limit :violations)::text[] as row_ids`,
    { ...selection, violations: MAX_VIOLATIONS },
  );
  return one(rows, 'result of a verification');
}

/**
 * Finds the end of the next range of wallets, which has at most so many wallets and, unless it is
 * a single one, about so many entries: a wallet is never split. Null when there is no other wallet.
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

const NO_HASH = `decode(repeat('00', 32), 'hex')`;

const BEGINNING = `select 0::bigint as seq, 0::bigint as balance, ${NO_HASH} as head`;

/**
 * Where the verification of a wallet begins. A later entry that continues an earlier one, a refund
 * or an expired code, is compared with all entries of its source, so the wallet is verified from
 * the beginning.
 */
const CHECKPOINT = `
  select k.seq, case when k.seq = 0 then 0 else c.balance end as balance,
    case when k.seq = 0 then ${NO_HASH} else c.head end as head
  from (
    select case when c.seq is null or exists (
      select from ledger_entries later
      where later.wallet_id = w.id and later.seq > c.seq
        and later.reason in ('payment_refunded', 'redemption_expired')
        and not exists (
          select from ledger_entries first
          where first.source_id = later.source_id and first.reason in ('purchase', 'redemption')
            and first.wallet_id = w.id and first.seq > c.seq
        )
    ) then 0 else c.seq end as seq
    offset 0
  ) k`;

const ENTRIES_OF_RANGE = `
  select e.*, s.id is null as is_stray, s.base_seq, s.base_balance, s.base_head
  from ledger_entries e left join slice s on s.id = e.wallet_id
  where e.wallet_id > :after and e.wallet_id <= :until`;

const ENTRIES_OF_IDS = `
  select e.*, s.id is null as is_stray, s.base_seq, s.base_balance, s.base_head
  from unnest(:ids::uuid[]) as wanted(wallet_id)
  left join slice s on s.id = wanted.wallet_id
  cross join lateral (
    select * from ledger_entries
    where wallet_id = wanted.wallet_id and seq > coalesce(s.base_seq, 0)
    -- Looked up for each wallet, not joined with all of them.
    offset 0
  ) e`;

/**
 * Parts of a statement that recompute each wallet of an earlier part `slice` from its entries in
 * `history`. They provide `faulty`, the first entry of a wallet that does not follow from those
 * before it; `snapshots`, the wallets that do not match the end of their chain; `strayed`, the
 * checkpoints that are not in it; and `unowned`, wallets and entries whose references lead nowhere.
 */
const CHAINS = `
  walked as (
    select e.*,
      e.base_seq + row_number() over history as expected_seq,
      e.base_balance
        + sum(case e.entry_type when 'credit' then e.points else -e.points end) over history
        as expected_balance,
      sha256(coalesce(lag(e.hash) over history, e.base_head) || ${CANONICAL_ENTRY})
        as expected_hash,
      lead(e.seq) over history is null as is_last
    from history e
    where not e.is_stray
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
        when s.balance <> coalesce(last.expected_balance, s.base_balance)
          then 'the balance is not the sum of the entries'
        else 'the wallet is not at the end of its chain'
      end as problem
    from slice s
    left join walked last on last.wallet_id = s.id and last.is_last
    where s.balance <> coalesce(last.expected_balance, s.base_balance)
      or s.seq <> coalesce(last.seq, s.base_seq)
      or s.head <> coalesce(last.hash, s.base_head)
  ),
  strayed as (
    select s.id as wallet_id, s.known_seq as seq,
      'the checkpoint is not in the chain of the wallet' as problem
    from slice s
    left join lateral (
      select balance_after, hash from ledger_entries
      where wallet_id = s.id and seq = s.known_seq limit 1
    ) at on true
    where s.known_seq is not null
      and (at.hash is distinct from s.known_head or at.balance_after <> s.known_balance)
  ),
  unowned as (
    select s.id as wallet_id, null::bigint as seq, fault.words as problem
    from slice s
    cross join lateral (select ${WALLET_REFERENCES} as words) fault
    where fault.words is not null
    union all
    select wallet_id, min(seq), 'entries name this wallet, which does not exist'
    from history where is_stray group by wallet_id
  )`;

/**
 * Part of a statement that keeps checkpoints of the whole wallets of `slice`. One that is further
 * along stays.
 */
const KEEPING = `
  kept as (
    insert into ledger_checkpoints as c (wallet_id, seq, balance, head)
    select id, seq, balance, head from slice s
    where seq > 0 and seq is distinct from known_seq
      and not exists (select from violations v where v.wallet_id = s.id)
    order by id
    on conflict (wallet_id) do update
    set seq = excluded.seq, balance = excluded.balance, head = excluded.head, verified_at = now()
    where c.seq < excluded.seq
  )`;
