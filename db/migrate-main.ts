import { loadDatabaseUrl, loadOrExit, loadOwnerUrl } from '../config.ts';
import { connect } from './connection.ts';
import { roleOf } from './schema/grants.ts';
import { migrate } from './schema/migrate.ts';

const ownerUrl = loadOrExit(loadOwnerUrl);
const role = roleOf(loadOrExit(loadDatabaseUrl));
const db = connect(ownerUrl, 1, 'loyalty-migrate');
try {
  const names = await migrate(db, {
    serviceRole: role === roleOf(ownerUrl) ? undefined : role,
    tell: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(
    names.length > 0 ? `Migrated: ${names.join(', ')}\n` : 'Nothing to migrate.\n',
  );
} finally {
  await db.destroy();
}
