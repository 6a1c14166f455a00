import { createHmac } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import type { Postgres } from './server.ts';

/** Owns the schema, and changes it. */
export const OWNER = 'loyalty_owner';
/** What the service logs in as: `npm run migrate` gives it what it needs. */
export const SERVICE = 'loyalty_service';

type Server = Pick<Postgres, 'url'>;

/** Sees to it that the server has both roles, with their passwords. */
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
 * Gives the database to the owner, along with every table and function in it: those of a sandbox
 * from before there were roles belong to the superuser. Running it again changes nothing.
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
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relowner <> '${OWNER}'::regrole
      union all
      select format('alter function %s owner to ${OWNER}', oid::regprocedure)
      from pg_proc
      where pronamespace = 'public'::regnamespace and proowner <> '${OWNER}'::regrole
    loop
      execute statement;
    end loop;
  end
  $$`;

/** The address at which a role logs in to a database. */
export function addressFor(postgres: Server, role: string, database: string): string {
  const url = new URL(postgres.url(database));
  // From the superuser's, so that there is one secret to keep.
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
