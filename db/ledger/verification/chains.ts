import { CANONICAL_ENTRY } from '../postings.ts';
import { WALLET_REFERENCES } from './references.ts';

/**
 * Parts of a statement that recompute each wallet of an earlier part `slice` from its entries in
 * `history`, which follow an entry that is known. They provide `faulty`, the first entry of a
 * wallet that does not follow from those before it; `ends`, the last entry of each wallet that is
 * in `history`, or the known one; `snapshots`, the wallets that do not match the end of their
 * chain; `strayed`, the checkpoints and signed heads that are not in it; and `unowned`, wallets and
 * entries whose references lead nowhere.
 */
export const CHAINS = `
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
  ends as (
    select s.id, s.known_seq, coalesce(last.seq, s.base_seq) as seq,
      coalesce(last.balance_after, s.base_balance) as balance,
      coalesce(last.hash, s.base_head) as head
    from slice s
    left join walked last on last.wallet_id = s.id and last.is_last
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
    union all
    select s.id, signed.seq, format('statement %s names another entry', signed.number)
    from slice s
    cross join lateral (
      select number, seq, head from signed_heads where wallet_id = s.id limit 1
    ) signed
    left join lateral (
      select hash from ledger_entries where wallet_id = s.id and seq = signed.seq limit 1
    ) at on true
    where at.hash is distinct from signed.head
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
 * Parts of a statement that keep a checkpoint of each wallet without a violation, at the end of its
 * `history`. One that is further along stays. Wallets that no statement has found since they last
 * moved, days ago, are handed to the next one.
 */
export const KEEPING = `
  kept as (
    insert into ledger_checkpoints as c (wallet_id, seq, balance, head)
    select id, seq, balance, head from ends s
    where seq > 0 and seq is distinct from known_seq
      and not exists (select from violations v where v.wallet_id = s.id)
    order by id
    on conflict (wallet_id) do update
    set seq = excluded.seq, balance = excluded.balance, head = excluded.head, verified_at = now()
    where c.seq < excluded.seq
  ),
  passed_over as (
    insert into moved_wallets (tenant_id, wallet_id)
    select s.tenant_id, s.id
    from slice s
    cross join lateral (
      select true from wallets
      where id = s.id and updated_at < now() - interval '3 days' limit 1
    ) resting
    left join lateral (select seq from signed_heads where wallet_id = s.id limit 1) signed on true
    where s.seq > coalesce(signed.seq, 0)
    order by s.tenant_id, s.id
    on conflict do nothing
  )`;
