import type { TenantId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';

/** A statement that the object store does not have yet. */
export type Unstored = {
  statementId: string;
  tenantId: TenantId;
  number: number;
  body: string;
};

/** Lists statements that are not in the object store, the oldest first, after one of them. */
export async function listUnstored(db: Db, after: string, limit: number): Promise<Unstored[]> {
  const { rows } = await db.raw<{ rows: Unstored[] }>(
    `select u.statement_id, s.tenant_id, s.number, u.body
     from (
       select statement_id, body from unstored_statements
       where statement_id > :after order by statement_id limit :limit
     ) u
     cross join lateral (
       select tenant_id, number from ledger_statements where id = u.statement_id limit 1
     ) s
     order by u.statement_id`,
    { after, limit },
  );
  return rows;
}

/** Notes that the object store has a statement. A second call changes nothing. */
export async function recordStored(db: Db, statementId: string): Promise<void> {
  await db('unstored_statements').where({ statementId }).delete();
}

/** Returns the body of a statement that is not in the object store yet. */
export async function findUnstored(
  db: Db,
  of: { tenantId: TenantId; number: number },
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { body: string }[] }>(
    `select u.body from ledger_statements s
     join unstored_statements u on u.statement_id = s.id
     where s.tenant_id = :tenantId and s.number = :number`,
    of,
  );
  return rows[0]?.body;
}
