import { loadDatabaseUrl, loadOrExit, loadOwnerUrl } from '../config.ts';
import { connect } from './connection.ts';
import { isDatabaseUnreachable, lineOf } from './errors.ts';
import { roleOf } from './schema/grants.ts';
import { migrate } from './schema/migrate.ts';
import { storeSettings } from './session-settings.ts';

const STATUS = { done: 0, failed: 1, cannotAsk: 2 } as const;

/** Migrates the database of the configuration, prints what ran, and returns the exit status. */
async function main(): Promise<number> {
  const ownerUrl = loadOrExit(loadOwnerUrl, STATUS.cannotAsk);
  const serviceUrl = loadOrExit(loadDatabaseUrl, STATUS.cannotAsk);
  const role = roleOf(serviceUrl);
  const db = connect(ownerUrl, 1, 'loyalty-migrate');
  try {
    const names = await migrate(db, {
      serviceRole: role === roleOf(ownerUrl) ? undefined : role,
      tell: (line) => process.stderr.write(`${line}\n`),
    });
    await storeSettingsOf(serviceUrl);
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

/** As the service's role, since the schema's owner may not change another role. */
async function storeSettingsOf(serviceUrl: string): Promise<void> {
  const db = connect(serviceUrl, 1, 'loyalty-migrate');
  try {
    await storeSettings(db);
  } catch (error) {
    // Sessions without a pooler set them, and behind one the service says at its start what to do.
    process.stderr.write(`The settings of the role were not stored: ${lineOf(error)}\n`);
  } finally {
    await db.destroy();
  }
}

process.exitCode = await main();
