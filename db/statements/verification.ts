import type { TenantId } from '../../domain/ids.ts';
import type { SignedHead } from '../../domain/statement.ts';
import type { Db } from '../connection.ts';
import { NO_ID } from '../ledger/verification/whole.ts';
import { one } from '../one.ts';

/** A statement with what it is compared with. */
export type KeptStatement = {
  id: string;
  tenantId: TenantId;
  number: number;
  text: string;
  signature: string;
  /** The text of the one before it; null for the first, and when that is missing. */
  previousText: string | null;
  isNewest: boolean;
  isStored: boolean;
};

/** Lists statements by their ids, after one of them. */
export async function listAfter(db: Db, after: string, limit: number): Promise<KeptStatement[]> {
  const { rows } = await db.raw<{ rows: KeptStatement[] }>(
    `select s.id, s.tenant_id, s.number, s.text, encode(s.signature, 'hex') as signature,
       previous.text as previous_text, next.number is null as is_newest,
       unstored.statement_id is null as is_stored
     from (select * from ledger_statements where id > :after order by id limit :limit) s
     left join lateral (
       select text from ledger_statements
       where tenant_id = s.tenant_id and number = s.number - 1 limit 1
     ) previous on true
     left join lateral (
       select number from ledger_statements
       where tenant_id = s.tenant_id and number > s.number order by number limit 1
     ) next on true
     left join lateral (
       select statement_id from unstored_statements where statement_id = s.id limit 1
     ) unstored on true
     order by s.id`,
    { after, limit },
  );
  return rows;
}

/** More would not help: one is reason enough to stop and look. */
const MAX_DIFFERING = 100;

/** Lists the wallets of a statement whose entry is not what the statement names. */
export async function differing(
  db: Db,
  tenantId: TenantId,
  heads: readonly SignedHead[],
): Promise<Pick<SignedHead, 'walletId' | 'seq'>[]> {
  const { rows } = await db.raw<{ rows: Pick<SignedHead, 'walletId' | 'seq'>[] }>(
    `select h.wallet_id, h.seq
     from unnest(:walletIds::uuid[], :seqs::bigint[], :heads::text[]) as h(wallet_id, seq, head)
     left join lateral (
       select hash from ledger_entries where wallet_id = h.wallet_id and seq = h.seq limit 1
     ) e on true
     left join lateral (select tenant_id from wallets where id = h.wallet_id limit 1) w on true
     where e.hash is distinct from decode(h.head, 'hex') or w.tenant_id is distinct from :tenantId
     order by h.wallet_id limit :most`,
    {
      tenantId,
      walletIds: heads.map(({ walletId }) => walletId),
      seqs: heads.map(({ seq }) => seq),
      heads: heads.map(({ head }) => head),
      most: MAX_DIFFERING,
    },
  );
  return rows;
}

/** In how many daily parts all statements are verified, as the rest of the ledger is. */
const PARTS = 28;
/** A part has at least so many, each of which is read from the object store. */
const MIN_PART_ROWS = 1_000;

/** Where the next part of the statements begins, and how many statements it has. */
export async function nextPart(db: Db): Promise<{ after: string; rows: number }> {
  const { rows } = await db.raw<{ rows: { after: string; rows: number }[] }>(
    `select coalesce((select verified_id from statement_progress), :first::uuid) as after,
       greatest(:least, ceil((
         select reltuples from pg_class where oid = 'public.ledger_statements'::regclass
       ) / ${PARTS}))::float8 as rows`,
    { first: NO_ID, least: MIN_PART_ROWS },
  );
  return one(rows, 'part of the statements');
}

/** Records up to which statement all were verified; null when the next part is the first again. */
export async function recordVerified(db: Db, until: string | null): Promise<void> {
  await db('statement_progress').update({ verifiedId: until });
}
