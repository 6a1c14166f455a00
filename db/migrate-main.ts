import { loadDatabaseUrl, loadOrExit, loadOwnerUrl } from '../config.ts';
import { connect } from './connection.ts';
import { isDatabaseUnreachable, lineOf } from './errors.ts';
import { roleOf } from './schema/grants.ts';
import { migrate } from './schema/migrate.ts';

const STATUS = { done: 0, failed: 1, cannotAsk: 2 } as const;

/** Migrates the database of the configuration, prints what ran, and returns the exit status. */
async function main(): Promise<number> {
  const ownerUrl = loadOrExit(loadOwnerUrl, STATUS.cannotAsk);
  const role = roleOf(loadOrExit(loadDatabaseUrl, STATUS.cannotAsk));
  const db = connect(ownerUrl, 1, 'loyalty-migrate');
  try {
    const names = await migrate(db, {
      serviceRole: role === roleOf(ownerUrl) ? undefined : role,
      tell: (line) => process.stderr.write(`${line}\n`),
    });
    process.stdout.write(
      names.length > 0 ? `Migrated: ${names.join(', ')}\n` : 'Nothing to migrate.\n',
    );
    return STATUS.done;
  } catch (error) {
    process.stderr.write(`The schema was not migrated: ${lineOf(error)}\n`);
    return isDatabaseUnreachable(error) ? STATUS.cannotAsk : STATUS.failed;
  } finally {
    await db.destroy();
  }
}

process.exitCode = await main();
