import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Db } from '../db/connection.ts';
import { migrate } from '../db/migrate.ts';
import { createEmptyDatabase, type TestDatabase } from './support/database.ts';

const FOLDER = new URL('../migrations/', import.meta.url);
const files = readdirSync(FOLDER).sort();
const names = files.map((file) => file.replace('.ts', ''));

let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await createEmptyDatabase();
  db = database.owner;
});
afterEach(() => database.close());

type Migration = { up(db: Db): Promise<void>; down(db: Db): Promise<void> };
const open = async (file: string): Promise<Migration> => await import(new URL(file, FOLDER).href);

const ranNames = async () =>
  (await db('knex_migrations').orderBy('id')).map((row: { name: string }) => row.name);

/** Everything that the migrations made, in words: tables, columns, constraints, and the rest. */
async function schema(): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { line: string }[] }>(`
    select format('relation %s %s', relkind, relname) as line
    from pg_class where relnamespace = 'public'::regnamespace
    union all
    select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable,
      column_default)
    from information_schema.columns where table_schema = 'public'
    union all
    select format('constraint %s on %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select 'index ' || indexdef from pg_indexes where schemaname = 'public'
    union all
    select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t where not tgisinternal
    union all
    select 'function ' || proname from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select 'type ' || typname from pg_type where typnamespace = 'public'::regnamespace
    order by 1`);
  return rows.map(({ line }) => line).filter((line) => !line.includes('knex_migrations'));
}

describe('migrate', () => {
  it('makes the schema of an empty database and says what ran', async () => {
    expect(await migrate(db)).toEqual(names);
    expect(await schema()).toContain('relation r ledger_entries');
  });

  it('remembers names without extension, so that sources and a compiled build agree', async () => {
    await migrate(db);
    expect(await ranNames()).toEqual(names);
    expect(names.join()).not.toContain('.');
  });

  it('leaves the connections it was given as they were', async () => {
    await migrate(db);
    const user = { iss: 'i', sub: 's', role: 'consumer', status: 'active', emailVerified: true };
    await db('users').insert(user);
    expect(await db('users').first('emailVerified')).toEqual({ emailVerified: true });
  });

  it('changes nothing when it runs again', async () => {
    await migrate(db);
    const first = await schema();
    expect(await migrate(db)).toEqual([]);
    expect(await schema()).toEqual(first);
  });

  it('runs once when four run at once, and leaves the way free for the next', async () => {
    const others = [1, 2, 3].map(() => connect(database.ownerUrl, 1, 'loyalty-test'));
    const ran = await Promise.allSettled([db, ...others].map((each) => migrate(each)));
    await Promise.all(others.map((other) => other.destroy()));

    expect(ran.map((run) => (run.status === 'rejected' ? String(run.reason) : ''))).toEqual(
      ran.map(() => ''),
    );
    expect(ran.flatMap((run) => (run.status === 'fulfilled' ? run.value : []))).toEqual(names);
    expect(await ranNames()).toEqual(names);
    expect(await migrate(db)).toEqual([]);
  });

  it('leaves nothing of a run that failed halfway, so that the next one can succeed', async () => {
    await db.raw('create table webhook_events ()');
    await expect(migrate(db)).rejects.toThrow('already exists');
    expect(await schema()).toEqual([
      'relation r webhook_events',
      'type _webhook_events',
      'type webhook_events',
    ]);

    await db.raw('drop table webhook_events');
    expect(await migrate(db)).toEqual(names);
  });

  it('lets the planner know the tables', async () => {
    await migrate(db);
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `select from pg_stat_user_tables where schemaname = 'public' and last_analyze is null`,
    );
    expect(rows).toEqual([]);
  });
});

describe('the migrations', () => {
  it('are numbered, no number twice', () => {
    for (const file of files) expect(file).toMatch(/^\d{4}_[a-z_]+\.ts$/);
    expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
  });

  it('go down in reverse to nothing, and up again to the same', async () => {
    const migrations = await Promise.all(files.map(open));
    for (const migration of migrations) await migration.up(db);
    const first = await schema();
    for (const migration of migrations.toReversed()) await migration.down(db);
    expect(await schema()).toEqual([]);
    for (const migration of migrations) await migration.up(db);
    expect(await schema()).toEqual(first);
  });

  it('name every constraint for the truth it defends', async () => {
    await migrate(db);
    const { rows } = await db.raw<{ rows: { name: string }[] }>(`
      select conname as name from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'u')
        and (conname ~ '_(check|key)[0-9]*$')`);
    expect(rows).toEqual([]);
  });
});
