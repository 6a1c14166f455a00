import type { TenantId, WalletId } from '../../domain/ids.ts';
import type { SignedHead, Statement } from '../../domain/statement.ts';
import type { Db } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';

/** What a tenant's next statement is made of, all as of one moment. */
export type Movement = {
  day: string;
  /** When it was read. */
  at: Date;
  /** The newest statement, if there is one. */
  newest: { number: number; text: string } | null;
  /** The wallets that have moved since a statement named them, in the order of their ids. */
  heads: SignedHead[];
  /** Wallets that were taken for moved and are not. */
  idle: string[];
};

type Row = {
  day: string;
  at: Date;
  number: number | null;
  text: string | null;
  walletIds: WalletId[];
  seqs: number[];
  heads: string[];
  idle: string[];
};

/** Reads what has moved at a tenant, at most `limit` wallets of it. */
export async function readMovement(db: Db, tenantId: TenantId, limit: number): Promise<Movement> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `with moved as materialized (
       select wallet_id from moved_wallets where tenant_id = :tenantId
       order by wallet_id limit :limit
     ),
     heads as materialized (
       select m.wallet_id, w.seq, w.head, w.seq > coalesce(signed.seq, 0) as has_moved
       from moved m
       cross join lateral (
         select seq, head from wallets where id = m.wallet_id and tenant_id = :tenantId limit 1
       ) w
       left join lateral (
         select seq from signed_heads where wallet_id = m.wallet_id limit 1
       ) signed on true
     )
     select p.day::text as day, date_trunc('milliseconds', now()) as at, newest.number, newest.text,
       array(select wallet_id from heads where has_moved order by wallet_id)::text[] as wallet_ids,
       array(select seq from heads where has_moved order by wallet_id)::float8[] as seqs,
       array(select encode(head, 'hex') from heads where has_moved order by wallet_id)::text[]
         as heads,
       array(select wallet_id from heads where not has_moved)::text[] as idle
     from statement_progress p
     left join lateral (
       select number, text from ledger_statements
       where tenant_id = :tenantId order by number desc limit 1
     ) newest on true`,
    { tenantId, limit },
  );
  const { day, at, number, text, walletIds, idle, ...row } = one(rows, 'progress of statements');
  const heads = walletIds.map((walletId, index) => {
    return { walletId, seq: row.seqs[index] ?? 0, head: row.heads[index] ?? '' };
  });
  const newest = number === null || text === null ? null : { number, text };
  return { day, at, newest, heads, idle };
}

/** A signed statement with its text and what the object store is to have of it. */
export type NewStatement = Pick<Statement, 'tenantId' | 'number' | 'day'> & {
  text: string;
  signature: string;
  body: string;
  heads: readonly SignedHead[];
};

/**
 * Writes a statement, as the newest one of its tenant, with what follows from it: its wallets are
 * signed up to their entries and have moved no longer, and its body waits for the object store. All
 * of it is written or none: returns false when the tenant has a statement of that number.
 */
export async function insert(db: Db, statement: NewStatement): Promise<boolean> {
  const { heads, text: signedText, ...row } = statement;
  const { rows } = await db.raw<{ rows: { made: number }[] }>(
    `with made as (
       insert into ledger_statements (id, tenant_id, number, day, size, text, signature)
       values (:id, :tenantId, :number, :day, :size, :signedText, decode(:signature, 'hex'))
       on conflict (tenant_id, number) do nothing
       returning id
     ),
     unstored as (
       insert into unstored_statements (statement_id, body) select id, :body from made
     ),
     named as materialized (
       select h.* from made
       cross join unnest(:walletIds::uuid[], :seqs::bigint[], :heads::text[])
         as h(wallet_id, seq, head)
     ),
     signed as (
       insert into signed_heads as s (wallet_id, tenant_id, number, seq, head)
       select wallet_id, :tenantId::uuid, :number::bigint, seq, decode(head, 'hex')
       from named order by wallet_id
       on conflict (wallet_id) do update
       set tenant_id = excluded.tenant_id, number = excluded.number, seq = excluded.seq,
         head = excluded.head
       where s.seq < excluded.seq
     ),
     settled as (
       delete from moved_wallets
       where tenant_id = :tenantId and wallet_id = any(array(select wallet_id from named))
     )
     select count(*) as made from made`,
    {
      ...row,
      id: newId(),
      signedText,
      size: heads.length,
      walletIds: heads.map(({ walletId }) => walletId),
      seqs: heads.map(({ seq }) => seq),
      heads: heads.map(({ head }) => head),
    },
  );
  return one(rows, 'count of statements').made > 0;
}

/** Forgets that wallets have moved, those of them whose last entry a statement names. */
export async function forgetIdle(
  db: Db,
  tenantId: TenantId,
  walletIds: readonly string[],
): Promise<void> {
  await db.raw(
    `delete from moved_wallets m
     where tenant_id = :tenantId and wallet_id = any(:walletIds::uuid[])
       and (select seq from wallets where id = m.wallet_id limit 1)
         <= coalesce((select seq from signed_heads where wallet_id = m.wallet_id limit 1), 0)`,
    { tenantId, walletIds: [...walletIds] },
  );
}
