import type { Tx } from '../connection.ts';

/**
 * The service updates rows of these tables but never deletes one: most of what refers to them does
 * so without a foreign key.
 */
const KEPT = [
  'users',
  'tenants',
  'wallets',
  'payments',
  'account_tenures',
  'campaigns',
  'rewards',
  'imports',
  'goodwill_requests',
];

/**
 * Grants the service's role what the service does with each table, and nothing else: rows that
 * never change can only be read and added, no table can be truncated, and the schema cannot be
 * changed. Tables of later migrations are covered when this runs after them; running it again
 * changes nothing. Throws with instructions when the role is missing, or has more privileges from
 * elsewhere.
 */
export async function grantToService(tx: Tx, role: string): Promise<void> {
  const { rows } = await tx.raw<{ rows: unknown[] }>('select from pg_roles where rolname = :role', {
    role,
  });
  if (rows.length === 0) {
    throw new Error(
      `DATABASE_URL names the role ${role}, which does not exist. Create it first: ` +
        `create role "${role}" login password '…';`,
    );
  }
  for (const statement of await statementsFor(tx, role)) await tx.raw(statement);
  const excesses = await excessesOf(tx, role);
  if (excesses.length > 0) {
    throw new Error(
      `The role ${role} of DATABASE_URL can do more than the service may: ` +
        `${excesses.join('; ')}. Give DATABASE_URL a role of its own, which is neither a ` +
        'superuser nor the owner of anything nor a member of such a role, or leave ' +
        'DATABASE_OWNER_URL empty to use one role for everything.',
    );
  }
}

async function statementsFor(tx: Tx, role: string): Promise<string[]> {
  const { rows } = await tx.raw<{ rows: { statement: string }[] }>(
    `select unnest(array[
       format('revoke all on schema public from %I', :role::text),
       format('revoke all on all tables in schema public from %I', :role::text),
       format('grant usage on schema public to %I', :role::text)
     ]) as statement
     union all
     select format('revoke temporary on database %I from public', datname)
     from pg_database
     where datname = current_database() and pg_has_role(current_user, datdba, 'member')
       and has_database_privilege(:role::name, oid, 'temporary')`,
    { role },
  );
  const granted = await tx.raw<{ rows: { statement: string }[] }>(
    `select format('grant %s on %s to %I', privileges, "table", :role::text) as statement
     from (${TABLE_GRANTS}) g`,
    { role, kept: KEPT },
  );
  // What the service needs of the schema's changes is in functions that run as its owner.
  const callable = await tx.raw<{ rows: { statement: string }[] }>(
    `select format('grant execute on function %s to %I', oid::regprocedure, :role::text)
       as statement
     from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
    { role },
  );
  return [...rows, ...granted.rows, ...callable.rows].map(({ statement }) => statement);
}

// What a table's own triggers refuse is not granted. The bits are those of pg_trigger: 16 is
// update, 8 is delete. Partitions are reached through their table only.
const TABLE_GRANTS = `
  select c.oid::regclass::text as "table",
    case when c.relname like 'knex\\_migrations%' or c.relname = 'installation' then 'select'
      else concat_ws(', ', 'select', 'insert',
        case when not guard.of_update then 'update' end,
        case when not guard.of_delete and c.relname <> all(:kept::text[]) then 'delete' end)
    end as privileges
  from pg_class c
  cross join lateral (
    select coalesce(bool_or(t.tgtype & 16 > 0), false) as of_update,
      coalesce(bool_or(t.tgtype & 8 > 0), false) as of_delete
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = c.oid and p.proname = 'refuse_change'
  ) guard
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition
  order by c.relname`;

/**
 * Lists privileges of the role that were not granted here: from PUBLIC, from a role it is a member
 * of, or as a superuser.
 */
async function excessesOf(tx: Tx, role: string): Promise<string[]> {
  const { rows } = await tx.raw<{ rows: { excess: string }[] }>(
    `select 'it is a superuser' as excess from pg_roles where rolname = :role and rolsuper
     union all
     select 'it can create objects in the schema public'
     where has_schema_privilege(:role::name, 'public', 'create')
     union all
     select 'it can become ' || current_user
     where pg_has_role(:role::name, current_user, 'member')
     union all
     select format('it can %s %s', privilege, "table")
     from (${TABLE_GRANTS}) g
     cross join unnest(array['update', 'delete', 'truncate']) as privilege
     where has_table_privilege(:role::name, "table", privilege)
       and not privilege = any(string_to_array(privileges, ', '))`,
    { role, kept: KEPT },
  );
  return rows.map(({ excess }) => excess);
}

/** Returns the role that a Postgres URL logs in as; undefined when the URL does not name it. */
export function roleOf(url: string): string | undefined {
  const { searchParams, username } = new URL(url);
  const role = searchParams.get('user') ?? decodeURIComponent(username);
  return role === '' ? undefined : role;
}
