import { loadOrExit, loadOwnerUrl } from '../config.ts';
import { connect } from './connection.ts';
import { migrate } from './migrate.ts';

const db = connect(loadOrExit(loadOwnerUrl), 1, 'loyalty-migrate');
try {
  const names = await migrate(db);
  process.stdout.write(
    names.length > 0 ? `Migrated: ${names.join(', ')}\n` : 'Nothing to migrate.\n',
  );
} finally {
  await db.destroy();
}
