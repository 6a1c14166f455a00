import type { Db } from '../connection.ts';
import { configOf, MIGRATIONS, sourceOf, stateOf } from './migration-files.ts';

/** Returns the SQL of the migrations that a database has not had yet. Runs nothing of it. */
export async function pendingSql(db: Db, folders: readonly URL[] = [MIGRATIONS]): Promise<string> {
  const source = sourceOf(folders);
  const parts: string[] = [];
  const { pending } = await stateOf(db, source);
  for (const file of pending) {
    const { transaction = true } = await configOf(source, file);
    const statements = await statementsOf(file);
    const lines = transaction ? ['begin;', ...statements, 'commit;'] : statements;
    parts.push(`-- ${source.getMigrationName(file)}`, ...lines, '');
  }
  return parts.join('\n');
}

/** What a migration runs is all in its texts: it reads nothing, and changes no rows. */
async function statementsOf(file: URL): Promise<string[]> {
  const statements: string[] = [];
  const { up } = await import(file.href);
  await up({
    raw: async (sql: string) => void statements.push(`${sql.trim().replace(/;$/, '')};`),
  });
  return statements;
}
