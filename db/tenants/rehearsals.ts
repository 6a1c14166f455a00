import type { RehearsalId, TenantId, UserId } from '../../domain/ids.ts';
import type { RehearsalInput, RehearsalResult, RehearsalStatus } from '../../domain/rehearsal.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';

/** A rehearsal of a rule; it has a result once it is done. */
export type StoredRehearsal = {
  id: RehearsalId;
  tenantId: TenantId;
  status: RehearsalStatus;
  draft: RehearsalInput;
  createdAt: Date;
};

const COLUMNS = ['id', 'tenantId', 'status', 'draft', 'createdAt'];

/** How many a tenant may begin in 24 hours. */
const MOST_PER_DAY = 4;
const KEPT = `interval '90 days'`;
/** By then the API has started its run, if it could. */
const OVERDUE_AFTER = `interval '1 minute'`;

/**
 * Begins a rehearsal. Undefined while another one of the tenant runs, and after four in 24 hours;
 * of two calls at the same moment one begins.
 */
export async function begin(
  tx: Tx,
  rehearsal: { tenantId: TenantId; draft: RehearsalInput; createdBy: UserId },
): Promise<StoredRehearsal | undefined> {
  const { rows } = await tx.raw<{ rows: StoredRehearsal[] }>(
    `insert into rehearsals (id, tenant_id, draft, created_by)
     select :id, :tenantId, :draft::jsonb, :createdBy
     where (
       select count(*) from (
         select created_at from rehearsals where tenant_id = :tenantId
         order by id desc limit ${MOST_PER_DAY}
       ) newest where created_at > now() - interval '24 hours'
     ) < ${MOST_PER_DAY}
     on conflict (tenant_id) where status = 'running' do nothing
     returning id, tenant_id, status, draft, created_at`,
    { ...rehearsal, id: newId(), draft: JSON.stringify(rehearsal.draft) },
  );
  return rows[0];
}

/** Finds a rehearsal of a tenant. */
export async function find(
  db: Db,
  tenantId: TenantId,
  id: RehearsalId,
): Promise<(StoredRehearsal & { result: RehearsalResult | null }) | undefined> {
  return db('rehearsals')
    .where({ tenantId, id })
    .first(...COLUMNS, 'result');
}

/** Lists a tenant's rehearsals before the rehearsal `before`, newest first, without results. */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; before: RehearsalId | null },
): Promise<StoredRehearsal[]> {
  const query = db('rehearsals').where({ tenantId });
  if (page.before !== null) query.where('id', '<', page.before);
  return query
    .orderBy('id', 'desc')
    .limit(page.limit)
    .select<StoredRehearsal[]>(...COLUMNS);
}

/** Finds a rehearsal that has still to be done. */
export async function findRunning(db: Db, id: RehearsalId): Promise<StoredRehearsal | undefined> {
  return db('rehearsals')
    .where({ id, status: 'running' })
    .first(...COLUMNS);
}

/** Stores the result of a rehearsal; one that has ended before stays as it is. */
export async function complete(db: Db, id: RehearsalId, result: RehearsalResult): Promise<void> {
  await db('rehearsals')
    .where({ id, status: 'running' })
    .update({ status: 'done', result: JSON.stringify(result) });
}

/** Ends a rehearsal without a result; one that has ended before stays as it is. */
export async function end(
  db: Db,
  id: RehearsalId,
  status: Extract<RehearsalStatus, 'failed' | 'cancelled'>,
): Promise<void> {
  await db('rehearsals').where({ id, status: 'running' }).update({ status });
}

/** A rehearsal that needs a run. */
export type UnbegunRehearsal = Pick<StoredRehearsal, 'id' | 'tenantId'>;

/** Lists rehearsals that should have a run by now, in the order of their ids, after `after`. */
export async function listOverdue(
  db: Db,
  { after, limit }: { after: RehearsalId | null; limit: number },
): Promise<UnbegunRehearsal[]> {
  const { rows } = await db.raw<{ rows: UnbegunRehearsal[] }>(
    `select id, tenant_id from rehearsals
     where status = 'running' and created_at < now() - ${OVERDUE_AFTER}
       and (:after::uuid is null or id > :after::uuid)
     order by id limit :limit`,
    { after, limit },
  );
  return rows;
}

/** Deletes up to `limit` rehearsals that are older than 90 days, and returns how many. */
export async function deleteOld(db: Db, limit: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { deleted: number }[] }>(
    `with deleted as (
       delete from rehearsals where id in (
         select id from rehearsals where created_at < now() - ${KEPT} and status <> 'running'
         order by created_at limit :limit
       ) returning id
     )
     select count(*) as deleted from deleted`,
    { limit },
  );
  return one(rows, 'count').deleted;
}
