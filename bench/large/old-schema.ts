import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { connect } from '../../db/connection.ts';
import { migrate } from '../../db/schema/migrate.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
/** The schema of commit d586070, from which the migration is measured. */
const LAST_OLD_MIGRATION = '0021';

/** Runs only the migrations of the release that is upgraded from. */
export async function migrateToOldSchema(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-old-schema-'));
  const db = connect(url, 1, 'loyalty-bench');
  try {
    const files = (await readdir(MIGRATIONS)).filter(
      (file) => file.slice(0, 4) <= LAST_OLD_MIGRATION,
    );
    for (const file of files) {
      await symlink(fileURLToPath(new URL(file, MIGRATIONS)), join(folder, file));
    }
    await migrate(db, { folders: [pathToFileURL(`${folder}/`)] });
  } finally {
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}
