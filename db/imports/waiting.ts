import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';
import { one } from '../one.ts';
import type { StoredRow } from './rows.ts';

// Rows whose owners are not known: of drafts, and of imports whose members have not signed up yet.

const NOT_DECIDED = `r.fingerprint is not null and coalesce(r.waits_until, 'infinity') > now()`;

/**
 * Lists the rows of all shops with one of these contacts about which is not decided yet, those of
 * drafts included, in the order in which they count.
 */
export async function listByContact(
  db: Db,
  fingerprints: readonly Buffer[],
): Promise<{ id: string; tenantId: TenantId }[]> {
  const { rows } = await db.raw<{ rows: { id: string; tenantId: TenantId }[] }>(
    `select r.id, r.tenant_id
     from import_rows r join imports i on i.id = r.import_id
     where r.fingerprint = any(:fingerprints::bytea[]) and ${NOT_DECIDED}
     order by i.approved_at, i.id, r.line`,
    { fingerprints: [...fingerprints] },
  );
  return rows;
}

/**
 * Locks a row that is not decided yet, of a locked shop. Undefined once it is decided, and while
 * its import is reverted: that drops the row.
 */
export async function lockUndecided(
  tx: Tx,
  { id, tenantId }: { id: string; tenantId: TenantId },
): Promise<StoredRow | undefined> {
  const { rows } = await tx.raw<{ rows: StoredRow[] }>(
    `select r.id, r.import_id, r.tenant_id, r.line, r.points, r.contact, r.user_id, r.wallet_id,
       r.state, encode(r.fingerprint, 'hex') as fingerprint
     from import_rows r join imports i on i.id = r.import_id
     where r.id = :id and r.tenant_id = :tenantId and ${NOT_DECIDED}
       and i.status in ('draft', 'running', 'done')
     for no key update of r`,
    { id, tenantId },
  );
  return rows[0];
}

/** Stores who has verified the contact of a locked row, which has no state yet. */
export async function nameOwner(tx: Tx, id: string, userId: UserId): Promise<void> {
  await tx('import_rows').where({ id, state: null }).update({ userId });
}

/** Drops rows with their contacts, and counts those that waited as waiting no more. */
const dropping = (which: string) => `
  with found as (
    select id, import_id, state from import_rows where ${which}
  ),
  dropped as (
    update import_rows
    set state = 'dropped', fingerprint = null, waits_until = null, user_id = null
    where id = any(array(select id from found))
  ),
  counted as (
    update imports i set waiting = i.waiting - d.number
    from (
      select import_id, count(*) as number from found where state = 'waiting' group by import_id
    ) d
    where i.id = d.import_id
  )
  select count(*) as dropped from found`;

const DROP_OVERDUE = dropping(`state = 'waiting' and waits_until <= now()
    order by waits_until limit :limit for no key update skip locked`);
const DROP_OF = dropping(`fingerprint = any(:fingerprints::bytea[])
    order by id for no key update`);

/**
 * Drops up to `limit` rows whose owners have not signed up in time, with their contacts, and
 * returns how many.
 */
export async function dropOverdue(db: Db, limit: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { dropped: number }[] }>(DROP_OVERDUE, { limit });
  return one(rows, 'count').dropped;
}

/**
 * Drops the rows with these contacts about which is not decided yet, those of drafts included, for
 * the erasure of whose they are.
 */
export async function dropOf(tx: Tx, fingerprints: readonly Buffer[]): Promise<void> {
  await tx.raw(DROP_OF, { fingerprints: [...fingerprints] });
}
