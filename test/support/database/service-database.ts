import { connect } from '../../../db/connection.ts';
import { migrate } from '../../../db/schema/migrate.ts';
import {
  addressFor,
  ensureRoles,
  giveToOwner,
  OWNER,
  SERVICE,
} from '../../../sandbox/postgres/roles.ts';
import { createDatabase, type Postgres } from '../../../sandbox/postgres/server.ts';

/** Creates a migrated database with the roles of the service. Returns the service's address. */
export async function createServiceDatabase(
  postgres: Pick<Postgres, 'url'>,
  name: string,
): Promise<string> {
  await createDatabase(postgres, name);
  await ensureRoles(postgres);
  await giveToOwner(postgres, name);
  const owner = connect(addressFor(postgres, OWNER, name), 1, 'loyalty-test-migrate');
  try {
    await migrate(owner, { serviceRole: SERVICE, installation: 'test' });
  } finally {
    await owner.destroy();
  }
  return addressFor(postgres, SERVICE, name);
}
