import { createHmac } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import type { Postgres } from './server.ts';

/** The role that owns and changes the schema. */
export const OWNER = 'loyalty_owner';
/** The service's login role; `npm run migrate` grants it its privileges. */
export const SERVICE = 'loyalty_service';

type Server = Pick<Postgres, 'url'>;

/** Creates both roles if missing, and sets their passwords. */
export async function ensureRoles(postgres: Server): Promise<void> {
  await run(postgres, 'postgres', async (client) => {
    for (const role of [OWNER, SERVICE]) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
      const verb = rowCount === 0 ? 'create' : 'alter';
      const password = escapeLiteral(new URL(addressFor(postgres, role, 'postgres')).password);
      await client.query(`${verb} role ${role} login password ${password}`);
    }
  });
}

/**
 * Makes the owner role own the database with every table and function in it, which in sandboxes
 * older than the roles belong to the superuser. Idempotent.
 */
export async function giveToOwner(postgres: Server, database: string): Promise<void> {
  await run(postgres, database, async (client) => {
    await client.query(`alter database ${escapeIdentifier(database)} owner to ${OWNER}`);
    await client.query(ADOPT);
  });
}

const ADOPT = `
  do $$
  declare statement text;
  begin
    for statement in
      select format('alter table %s owner to ${OWNER}', oid::regclass)
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and relowner <> '${OWNER}'::regrole
      union all
      select format('alter function %s owner to ${OWNER}', oid::regprocedure)
      from pg_proc
      where pronamespace = 'public'::regnamespace and proowner <> '${OWNER}'::regrole
        and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')
    loop
      execute statement;
    end loop;
  end
  $$`;

/** Returns the connection URL of a role for a database. */
export function addressFor(postgres: Server, role: string, database: string): string {
  const url = new URL(postgres.url(database));
  // Derived from the superuser's password, so that only one secret is stored.
  url.password = createHmac('sha256', url.password).update(role).digest('base64url');
  url.username = role;
  return url.href;
}

async function run(
  postgres: Server,
  database: string,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({ connectionString: postgres.url(database) });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
