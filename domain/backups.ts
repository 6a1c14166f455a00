/** The log, up to when all is stored; the full copy; and the check that both can be restored. */
export const BACKUP_KINDS = ['log', 'copy', 'check'] as const;
type BackupKind = (typeof BACKUP_KINDS)[number];

/** How many seconds ago each was right. */
export type BackupAges = Readonly<Record<BackupKind, number>>;

const HOUR = 3600;

/**
 * How old each may be, in seconds: a log is shipped each minute, a copy made each night, and both
 * are restored each week. The alerts of deploy/prometheus/alerts.yml say the same.
 */
export const OLDEST_SECONDS: BackupAges = { log: HOUR / 4, copy: 30 * HOUR, check: 8 * 24 * HOUR };

/** Returns what of the backups is older than it may be. */
export function agedBackups(ages: BackupAges): BackupKind[] {
  return BACKUP_KINDS.filter((kind) => ages[kind] > OLDEST_SECONDS[kind]);
}
