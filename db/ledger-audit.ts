import type { TenantId, WalletId } from '../domain/ids.ts';
import type { Db } from './connection.ts';
import { CANONICAL_ENTRY } from './ledger.ts';

export type LedgerViolation = {
  walletId: WalletId;
  tenantId: TenantId;
  /** The first sequence number at fault; null when it is the snapshot. */
  seq: number | null;
  problem: string;
};

export type LedgerAudit = { wallets: number; entries: number; violations: LedgerViolation[] };

/** More are of no help: one is reason enough to stop and look. */
const MAX_VIOLATIONS = 100;

/**
 * Recomputes every wallet from its entries and reports each wallet whose history does not add up:
 * a gap in the sequence, a wrong running balance, a broken hash, or a snapshot that is not the end
 * of its chain. Reads one state of the database and changes nothing.
 */
export async function auditLedger(db: Db): Promise<LedgerAudit> {
  return db.transaction(
    async (tx) => {
      const counts = await tx.raw<{ rows: { wallets: number; entries: number }[] }>(
        `select (select count(*) from wallets) as wallets,
                (select count(*) from ledger_entries) as entries`,
      );
      const { rows: violations } = await tx.raw<{ rows: LedgerViolation[] }>(AUDIT, {
        limit: MAX_VIOLATIONS,
      });
      const { wallets, entries } = counts.rows[0] ?? { wallets: 0, entries: 0 };
      return { wallets, entries, violations };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

const AUDIT = `
  with walked as (
    select e.*,
      row_number() over history as expected_seq,
      sum(case e.entry_type when 'credit' then e.points else -e.points end) over history
        as expected_balance,
      sha256(coalesce(lag(e.hash) over history, decode(repeat('00', 32), 'hex'))
        || ${CANONICAL_ENTRY}) as expected_hash,
      lead(e.seq) over history is null as is_last
    from ledger_entries e
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
    select w.id as wallet_id, null::bigint as seq,
      case
        when w.balance <> coalesce(last.expected_balance, 0)
          then 'the balance is not the sum of the entries'
        else 'the snapshot is not the end of the chain'
      end as problem
    from wallets w
    left join walked last on last.wallet_id = w.id and last.is_last
    where w.balance <> coalesce(last.expected_balance, 0)
      or w.seq <> coalesce(last.seq, 0)
      or w.head <> coalesce(last.hash, decode(repeat('00', 32), 'hex'))
  )
  select v.wallet_id, w.tenant_id, v.seq, v.problem
  from (select * from faulty union all select * from snapshots) v
  join wallets w on w.id = v.wallet_id
  order by v.wallet_id, v.seq
  limit :limit`;
