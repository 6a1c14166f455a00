import { Refusal } from '../../domain/errors.ts';
import type { ImportId, TenantId, UserId } from '../../domain/ids.ts';
import type { InvalidRow } from '../../domain/import-file.ts';
import type { ImportStatus, MemberImport, RowCounts } from '../../domain/imports.ts';
import type { TenantStatus } from '../../domain/tenant-status.ts';
import * as auditLog from '../audit-log.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import { type Addressee, ownersOf } from '../tenants/owners.ts';

/** An import with the name of its shop, for administrators. */
export type NamedImport = MemberImport & { tenantName: string; tenantStatus: TenantStatus };

const COLUMNS = `i.id, i.tenant_id, i.status, i.row_count as rows, i.points, i.invalid, i.matched,
  i.waiting, i.repeated, i.not_taken, i.created_by, i.created_at, i.approved_at`;

/**
 * Until the transaction ends, nobody else decides about imports of the shop, of which each is one
 * that counts for the others. It is the first lock that is taken; rows of imports follow, then new
 * rows, then wallets (db/payments/debts.ts).
 */
export async function lockShop(tx: Tx, tenantId: TenantId): Promise<void> {
  await tx.raw(`select pg_advisory_xact_lock(hashtextextended('importing ' || :tenantId, 0))`, {
    tenantId,
  });
}

type Page = { limit: number; before: ImportId | null };

/** Lists the imports of a tenant before the import `before`, newest first. */
export async function list(db: Db, tenantId: TenantId, page: Page): Promise<MemberImport[]> {
  const { rows } = await db.raw<{ rows: MemberImport[] }>(
    `select ${COLUMNS} from imports i
     where i.tenant_id = :tenantId and (:before::uuid is null or i.id < :before)
     order by i.id desc limit :limit`,
    { tenantId, ...page },
  );
  return rows;
}

/** Lists the imports of all tenants before the import `before`, newest first. */
export async function listAll(db: Db, page: Page): Promise<NamedImport[]> {
  const { rows } = await db.raw<{ rows: NamedImport[] }>(
    `select ${COLUMNS}, t.name as tenant_name, t.status as tenant_status
     from (
       select * from imports where :before::uuid is null or id < :before
       order by id desc limit :limit
     ) i
     join tenants t on t.id = i.tenant_id
     order by i.id desc`,
    page,
  );
  return rows;
}

/** Returns an import of a tenant. Throws NOT_FOUND. */
export async function get(db: Db, tenantId: TenantId, id: ImportId): Promise<MemberImport> {
  const { rows } = await db.raw<{ rows: MemberImport[] }>(
    `select ${COLUMNS} from imports i where i.id = :id and i.tenant_id = :tenantId`,
    { id, tenantId },
  );
  return found(rows);
}

/** Returns an import of any tenant, for administrators. Throws NOT_FOUND. */
export async function getNamed(db: Db, id: ImportId): Promise<NamedImport> {
  const { rows } = await db.raw<{ rows: NamedImport[] }>(
    `select ${COLUMNS}, t.name as tenant_name, t.status as tenant_status
     from imports i join tenants t on t.id = i.tenant_id where i.id = :id`,
    { id },
  );
  return found(rows);
}

function found<Row>([row]: readonly Row[]): Row {
  if (row !== undefined) return row;
  throw new Refusal('NOT_FOUND', 'There is no such import. List them for their ids.');
}

/** Finds those of these imports that are being run or taken back. */
export async function findUnderWay(db: Db, ids: readonly ImportId[]): Promise<MemberImport[]> {
  const { rows } = await db.raw<{ rows: MemberImport[] }>(
    `select ${COLUMNS} from imports i
     where i.id = any(:ids::uuid[]) and i.status in ('running', 'reverting')`,
    { ids: [...ids] },
  );
  return rows;
}

/** What became of an import, and whom to tell. */
export type ImportNotice = RowCounts & {
  id: ImportId;
  tenantName: string;
  status: ImportStatus;
  notTaken: number;
  owners: Addressee[];
};

/** Finds what became of these imports, and the owners of their shops. */
export async function findNotices(db: Db, ids: readonly ImportId[]): Promise<ImportNotice[]> {
  const { rows } = await db.raw<{ rows: ImportNotice[] }>(
    `select i.id, t.name as tenant_name, i.status, i.matched, i.waiting, i.repeated, i.not_taken,
       ${ownersOf('t.id')} as owners
     from imports i join tenants t on t.id = i.tenant_id
     where i.id = any(:ids::uuid[]) and i.status in ('done', 'reverted')`,
    { ids: [...ids] },
  );
  return rows;
}

/** How many imports a shop may upload in 24 hours. */
export const MOST_PER_DAY = 10;

/** Whether the shop, which is locked, may upload another import. */
export async function mayUpload(tx: Tx, tenantId: TenantId): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { uploaded: number }[] }>(
    `select count(*) as uploaded from (
       select created_at from imports where tenant_id = :tenantId
       order by id desc limit ${MOST_PER_DAY}
     ) newest where created_at > now() - interval '24 hours'`,
    { tenantId },
  );
  return one(rows, 'count').uploaded < MOST_PER_DAY;
}

export type NewImport = RowCounts & {
  tenantId: TenantId;
  rows: number;
  points: number;
  invalid: InvalidRow[];
  createdBy: UserId;
};

/** Stores a draft, and returns its id. */
export async function insert(
  tx: Tx,
  { rows: rowCount, invalid, ...draft }: NewImport,
): Promise<ImportId> {
  const inserted = await tx('imports')
    .insert({ ...draft, id: newId(), rowCount, invalid: JSON.stringify(invalid) })
    .returning<{ id: ImportId }[]>('id');
  return one(inserted, 'import').id;
}

/** Moves an import of a locked shop on; its counts begin anew with its approval. */
export async function setStatus(tx: Tx, id: ImportId, status: ImportStatus): Promise<void> {
  const begun = { approvedAt: tx.fn.now(), matched: 0, waiting: 0, repeated: 0 };
  await tx('imports')
    .where({ id })
    .update({ status, ...(status === 'running' && begun) });
}

/** Adds to the counts of an import, and to what could not be taken of it. */
export async function count(
  tx: Tx,
  id: ImportId,
  added: RowCounts & { notTaken?: number },
): Promise<void> {
  const { matched, waiting, repeated, notTaken = 0 } = added;
  await tx('imports').where({ id }).increment({ matched, waiting, repeated, notTaken });
}

/** What an import is once it was acted on. */
const BECOMES = {
  upload: 'draft',
  withdraw: 'withdrawn',
  approve: 'running',
  revert: 'reverting',
} as const satisfies Record<string, ImportStatus>;

/** Records who uploaded an import, or decided about it; it is given as it was before that. */
export async function audit(
  tx: Tx,
  { id, tenantId, status, points, rows }: MemberImport,
  act: { acting: auditLog.Acting; done: keyof typeof BECOMES; reason: string | null },
): Promise<void> {
  await auditLog.insert(tx, {
    ...act.acting,
    action: `import.${act.done}`,
    targetType: 'import',
    targetId: id,
    tenantId,
    reason: act.reason,
    before: act.done === 'upload' ? {} : { status },
    after: { status: BECOMES[act.done], points, rows },
  });
}

/** Returns who approved an import, or took it back, as the audit log knows them. */
export async function findActing(
  db: Db,
  { id, tenantId }: Pick<MemberImport, 'id' | 'tenantId'>,
  done: 'approve' | 'revert',
): Promise<auditLog.Acting> {
  const entry = await db('audit_log')
    .where({ targetId: id, tenantId, action: `import.${done}` })
    .orderBy('seq')
    .first<auditLog.Acting | undefined>('actor', 'actorUserId', 'requestId', 'generatedRequestId');
  if (entry === undefined) throw new Error(`Nobody did ${done} import ${id}.`);
  return entry;
}

/**
 * Whether a person has to do with an import of a tenant: works or worked there, or a row names a
 * contact or a wallet of theirs.
 */
export async function concerns(
  db: Db,
  { id, tenantId }: Pick<MemberImport, 'id' | 'tenantId'>,
  { userId, fingerprints }: { userId: UserId; fingerprints: readonly Buffer[] },
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { isConcerned: boolean }[] }>(
    `select exists (
         select from memberships where tenant_id = :tenantId and user_id = :userId
       ) or exists (
         select from operator_removals where tenant_id = :tenantId and user_id = :userId
       ) or exists (
         select from import_rows r where r.import_id = :id and r.tenant_id = :tenantId
           and (r.user_id = :userId or r.fingerprint = any(:fingerprints::bytea[]))
       ) as is_concerned`,
    { id, tenantId, userId, fingerprints: [...fingerprints] },
  );
  return one(rows, 'answer').isConcerned;
}
