import type { ImportId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { RowContact } from '../../domain/import-file.ts';
import type { Brought } from '../../domain/imports.ts';
import type { Db, Tx } from '../connection.ts';
import { newIds } from '../new-id.ts';

export type RowState = 'waiting' | 'credited' | 'repeated' | 'dropped' | 'reverted';

/** A row as it is stored; `fingerprint` is in hex, and empty once it is known what became of it. */
export type StoredRow = {
  id: string;
  importId: ImportId;
  tenantId: TenantId;
  line: number;
  points: number;
  contact: RowContact['kind'];
  fingerprint: string;
  userId: UserId | null;
  walletId: WalletId | null;
  state: RowState | null;
};

const COLUMNS = `r.id, r.import_id, r.tenant_id, r.line, r.points, r.contact,
  coalesce(encode(r.fingerprint, 'hex'), '') as fingerprint, r.user_id, r.wallet_id, r.state`;

export type NewRow = {
  line: number;
  points: number;
  contact: RowContact['kind'];
  fingerprint: Buffer;
  userId: UserId | null;
};

/** Stores the rows of a draft. */
export async function insert(
  tx: Tx,
  { id, tenantId }: { id: ImportId; tenantId: TenantId },
  rows: readonly NewRow[],
): Promise<void> {
  await tx.raw(
    `insert into import_rows (id, tenant_id, import_id, line, points, contact, fingerprint, user_id)
     select r.id, :tenantId, :id, r.line, r.points, r.contact, r.fingerprint, r.user_id
     from unnest(:ids::uuid[], :lines::integer[], :points::bigint[], :contacts::text[],
         :fingerprints::bytea[], :userIds::uuid[])
       as r(id, line, points, contact, fingerprint, user_id)`,
    {
      id,
      tenantId,
      ids: newIds(rows.length),
      lines: rows.map(({ line }) => line),
      points: rows.map(({ points }) => points),
      contacts: rows.map(({ contact }) => contact),
      fingerprints: rows.map(({ fingerprint }) => fingerprint),
      userIds: rows.map(({ userId }) => userId),
    },
  );
}

/** Deletes the rows of a draft that is withdrawn. */
export async function deleteOf(
  tx: Tx,
  { id, tenantId }: { id: ImportId; tenantId: TenantId },
): Promise<void> {
  await tx('import_rows').where({ importId: id, tenantId }).delete();
}

/**
 * Finds what of a shop's other imports counts before rows of one, null for a draft: which of these
 * people have been credited by a row, and which of these contacts, by fingerprints in hex, are in
 * rows that wait for their owners, or in undecided ones of running imports approved earlier.
 */
export async function findBrought(
  tx: Tx,
  tenantId: TenantId,
  {
    importId,
    ...sought
  }: { importId: ImportId | null; users: readonly UserId[]; fingerprints: readonly string[] },
): Promise<Brought> {
  const { rows } = await tx.raw<{ rows: BroughtRow[] }>(
    `select w.user_id, null as waiting, null as open
     from wallets w
     where w.tenant_id = :tenantId and w.user_id = any(:users::uuid[]) and exists (
       select from import_rows r
       where r.tenant_id = :tenantId and r.wallet_id = w.id and r.state = 'credited'
     )
     union all
     select null, f.hex, null
     from unnest(:fingerprints::text[]) as f (hex)
     where exists (
       select from import_rows r
       where r.tenant_id = :tenantId and r.fingerprint = decode(f.hex, 'hex')
         and r.state = 'waiting'
     )
     union all
     select null, null, f.hex
     from unnest(:fingerprints::text[]) as f (hex)
     where exists (
       select from import_rows r join imports i on i.id = r.import_id
       where r.tenant_id = :tenantId and r.fingerprint = decode(f.hex, 'hex')
         and r.state is null and i.status = 'running'
         and (:importId::uuid is null
           or (i.approved_at, i.id) < (select approved_at, id from imports where id = :importId))
     )`,
    { tenantId, importId, users: [...sought.users], fingerprints: [...sought.fingerprints] },
  );
  return {
    users: new Set(rows.flatMap(({ userId }) => userId ?? [])),
    waiting: new Set(rows.flatMap(({ waiting }) => waiting ?? [])),
    open: new Set(rows.flatMap(({ open }) => open ?? [])),
  };
}

type BroughtRow = { userId: UserId | null; waiting: string | null; open: string | null };

/** The states of rows with which something is to be done. */
const OPEN = {
  running: `state is null`,
  reverting: `state in ('waiting', 'credited')`,
} as const;

type UnderWay = { id: ImportId; tenantId: TenantId; status: keyof typeof OPEN };

/** Lists the rows after the line `after` that are still to be credited, or taken back. */
export async function listOpen(
  db: Db,
  { id, tenantId, status }: UnderWay,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: string; line: number }[]> {
  return db('import_rows')
    .where({ importId: id, tenantId })
    .where('line', '>', after)
    .whereRaw(OPEN[status])
    .orderBy('line')
    .limit(limit)
    .select('id', 'line');
}

/** Locks those of these rows that are still to be credited, or taken back, in their order. */
export async function lockOpen(
  tx: Tx,
  { id, tenantId, status }: UnderWay,
  ids: readonly string[],
): Promise<StoredRow[]> {
  const { rows } = await tx.raw<{ rows: StoredRow[] }>(
    `select ${COLUMNS} from import_rows r
     where r.id = any(:ids::uuid[]) and r.import_id = :id and r.tenant_id = :tenantId
       and ${OPEN[status]}
     order by r.line for no key update`,
    { id, tenantId, ids: [...ids] },
  );
  return rows;
}

/** What became of a row; `credited` and `reverted` ones have a wallet. */
export type SettledRow = { id: string; state: RowState; walletId: WalletId | null };

/**
 * Stores what became of rows, which are locked. Those that wait keep their contact, for twelve
 * months after the approval if it is an e-mail, and for 90 days if it is a phone.
 */
export async function settle(
  tx: Tx,
  tenantId: TenantId,
  rows: readonly SettledRow[],
): Promise<void> {
  await tx.raw(
    `update import_rows r
     set state = s.state, wallet_id = s.wallet_id, user_id = null,
       fingerprint = case when s.state = 'waiting' then r.fingerprint end,
       waits_until = case when s.state = 'waiting' then i.approved_at
         + case r.contact when 'email' then interval '12 months' else interval '90 days' end end
     from unnest(:ids::uuid[], :states::text[], :walletIds::uuid[]) as s(id, state, wallet_id),
       imports i
     where r.id = any(:ids::uuid[]) and r.id = s.id and r.tenant_id = :tenantId
       and i.id = r.import_id`,
    {
      tenantId,
      ids: rows.map(({ id }) => id),
      states: rows.map(({ state }) => state),
      walletIds: rows.map(({ walletId }) => walletId),
    },
  );
}
