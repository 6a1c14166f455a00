import type { BackupAges } from '../domain/backups.ts';
import type { Db } from './connection.ts';
import { one } from './one.ts';

/** A subquery of the ages of the backups, as an object; null where nothing tells of any. */
export const BACKUP_AGES = `(
  select jsonb_object_agg(substr(job, 8), extract(epoch from now() - completed_at))
  from job_runs where job in ('backup_log', 'backup_copy', 'backup_check')
)`;

/** Reads how old the backups are; null where nothing tells of any. */
export async function readBackupAges(db: Db): Promise<BackupAges | null> {
  const { rows } = await db.raw<{ rows: { ages: BackupAges | null }[] }>(
    `select ${BACKUP_AGES} as ages`,
  );
  return one(rows, 'row of ages').ages;
}
