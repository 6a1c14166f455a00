import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Db } from '../db/connection.ts';
import { migrate } from '../db/schema/migrate.ts';
import { dangersIn } from './architecture/migration-rules.ts';
import { schemaPage } from './support/database/schema-page.ts';
import {
  createEmptyDatabase,
  createUnverifiedDatabase,
  type TestDatabase,
} from './support/database/test-database.ts';

const FOLDER = new URL('../migrations/', import.meta.url);
/** Migrations of a release to come, in which what no first schema does is rehearsed. */
const NEXT = new URL('support/database/next-migrations/', import.meta.url);
const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .sort();
const names = files.map((file) => file.replace('.ts', ''));

const ESM = ts.ModuleKind.ESNext;

let database: TestDatabase;
let db: Db;

/** Gives each test a database that is made so, as its owner. */
function useEach(make: () => Promise<TestDatabase>): void {
  beforeEach(async () => {
    database = await make();
    db = database.owner;
  });
  afterEach(() => database.close());
}

type Migration = { up(db: Db): Promise<void>; down(db: Db): Promise<void> };
const openIn = async (folder: URL, file: string): Promise<Migration> =>
  await import(new URL(file, folder).href);

const ranNames = async () =>
  (await db('knex_migrations').orderBy('id')).map((row: { name: string }) => row.name);

const schema = () => schemaPage(db);
const SAYS_WHAT_IT_IS = '-- The schema, as the migrations leave it. Written by: npm run schema';

describe('migrate', () => {
  useEach(createEmptyDatabase);

  it('creates the schema in an empty database and returns the migrations that ran', async () => {
    expect(await migrate(db)).toEqual(names);
    expect(await schema()).toContain('create table ledger_entries (');
  });

  it('records names without extension, so that sources and a compiled build agree', async () => {
    await migrate(db);
    expect(await ranNames()).toEqual(names);
    expect(names.join()).not.toContain('.');
  });

  it('runs nothing again when a compiled build follows its sources, or the reverse', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'loyalty-compiled-'));
    try {
      for (const name of names) {
        const source = readFileSync(new URL(`${name}.ts`, FOLDER), 'utf8');
        const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ESM } });
        await writeFile(join(dir, `${name}.js`), outputText);
      }
      const compiled = { folders: [pathToFileURL(`${dir}/`)] };
      expect(await migrate(db, compiled)).toEqual(names);
      expect(await migrate(db)).toEqual([]);
      expect(await migrate(db, compiled)).toEqual([]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('runs each migration once for four concurrent callers, and releases the lock', async () => {
    const others = [1, 2, 3].map(() => connect(database.ownerUrl, 1, 'loyalty-test'));
    const ran = await Promise.allSettled([db, ...others].map((each) => migrate(each)));
    await Promise.all(others.map((other) => other.destroy()));

    expect(ran.map((run) => (run.status === 'rejected' ? String(run.reason) : ''))).toEqual(
      ran.map(() => ''),
    );
    const whatRan = ran.flatMap((run) => (run.status === 'fulfilled' ? run.value : []));
    expect(whatRan.sort()).toEqual(names);
    expect(await ranNames()).toEqual(names);
    expect(await migrate(db)).toEqual([]);
  });

  it('rolls back a migration that fails halfway, and continues there on the next run', async () => {
    await db.raw('create table oauth_attempts ()');
    await expect(migrate(db)).rejects.toThrow('already exists');
    expect(await ranNames()).toEqual(names.slice(0, 5));
    expect(await schema()).not.toContain('create table oauth_states');

    await db.raw('drop table oauth_attempts');
    expect(await migrate(db)).toEqual(names.slice(5));
  });

  it('refuses a database from before the first release in one sentence', async () => {
    await migrate(db);
    const name = '0003_append_only';
    await db('knex_migrations').where('name', '0003_reward_rules').update({ name });
    const before = await schema();
    await expect(migrate(db)).rejects.toThrow(
      'The database was made before the first release, by migrations that are no more ' +
        '(0003_append_only): start again with npm start -- --fresh, or with an empty database.',
    );
    expect(await schema()).toBe(before);
  });

  it('leaves a schema of a newer release as it is, and says so', async () => {
    await migrate(db, { folders: [FOLDER, NEXT] });
    const before = await schema();
    const told: string[] = [];
    expect(await migrate(db, { tell: (line) => told.push(line) })).toEqual([]);
    expect(told).toEqual([
      expect.stringMatching(/^The schema is of a newer release \(\d{4}_\w+\); nothing to do\.$/),
    ]);
    expect(await schema()).toBe(before);
    // The newer one is deployed again.
    expect(await migrate(db, { folders: [FOLDER, NEXT] })).toEqual([]);
  });

  it('refuses a schema of a newer release that lacks one of these', async () => {
    await migrate(db, { folders: [FOLDER, NEXT] });
    const name = names.at(-1) ?? '';
    await db('knex_migrations').where({ name }).delete();
    await expect(migrate(db)).rejects.toThrow(`and lacks ${name}, which that release should have`);
  });

  it('analyzes the tables that have rows for the planner, and no others', async () => {
    await migrate(db);
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      `select relname as name from pg_stat_user_tables
       where schemaname = 'public' and last_analyze is not null order by relname`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'installation',
      'knex_migrations',
      'knex_migrations_lock',
    ]);
  });
});

describe('migrate in a database of this schema', () => {
  useEach(createUnverifiedDatabase);

  it('keeps the settings of the connections that it was given', async () => {
    const user = { iss: 'i', sub: 's', role: 'consumer', status: 'active', emailVerified: true };
    await db('users').insert(user);
    expect(await db('users').first('emailVerified')).toEqual({ emailVerified: true });
  });

  it('changes nothing on a second run', async () => {
    const first = await schema();
    expect(await migrate(db)).toEqual([]);
    expect(await schema()).toEqual(first);
  });

  it('continues after a run that was killed while it built an index concurrently', async () => {
    await migrate(db, { folders: [FOLDER, NEXT] });
    const first = await schema();
    const built = ['9004_events_by_note'];
    await db('knex_migrations').whereIn('name', built).delete();
    await db('knex_migrations_lock').update({ is_locked: 1 });
    await db.raw('drop index pending_events_by_note');

    expect(await migrate(db, { folders: [FOLDER, NEXT] })).toEqual(built);
    expect(await schema()).toEqual(first);
    const { rows } = await db.raw<{ rows: unknown[] }>('select from pg_index where not indisvalid');
    expect(rows).toEqual([]);
  });

  it('drops foreign keys one by one, and gives way to who holds one of their tables', async () => {
    const folders = [FOLDER, NEXT];
    const name = '9006_foreign_keys_of_authors';
    await migrate(db, { folders });
    const last = await schema();
    const { up, down } = await openIn(NEXT, `${name}.ts`);
    await down(db);
    await db('knex_migrations').where({ name }).delete();
    const reader = connect(database.ownerUrl, 1, 'loyalty-test');
    const reading = await reader.transaction();
    await reading.raw('select from users limit 1');

    const told: string[] = [];
    const running = migrate(db, { folders, tell: (line) => told.push(line) });
    await expect.poll(() => told.join(), { timeout: 10_000 }).toContain('retrying');
    // What was dropped before stays dropped, and no table that was passed is held.
    expect(await schema()).not.toContain('note_authors_tenant_id_fkey');
    expect(await schema()).toContain('note_authors_user_id_fkey');
    await reading.raw('select from tenants limit 1');
    await reading.rollback();
    await reader.destroy();

    expect(await running).toEqual([name]);
    expect(await schema()).toEqual(last);
    await up(db);
    expect(await schema()).toEqual(last);
  });
});

describe('the migrations', () => {
  const text = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');

  it('have distinct numbers', () => {
    for (const file of files) expect(file).toMatch(/^\d{4}_[a-z_]+\.ts$/);
    expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
  });

  it('do not interrupt a running service', () => {
    for (const file of files) expect(dangersIn(text(file)), file).toEqual([]);
  });

  // The list is as sha256sum writes it (docs/releasing.md).
  it('stay as they were released, and later ones follow them', () => {
    const released = text('released.txt').trimEnd().split('\n');
    const digestOf = (file: string) => createHash('sha256').update(text(file)).digest('hex');
    const now = files.map((file) => `${digestOf(file)}  ${file}`);
    expect(released.length).toBeGreaterThan(0);
    expect(now.slice(0, released.length)).toEqual(released);
  });

  it.each([
    ['drop column', 'alter table users drop column phone;'],
    ['drop table', 'drop table users;'],
    ['rename', 'alter table users rename column phone to telephone;'],
    ['change of type', 'alter table users alter column phone type bytea;'],
    ['set not null', 'alter table users alter column phone set not null;'],
    ['not null without default', 'alter table users add column a text, add b text not null;'],
    ['computed default', 'alter table users add column a uuid default gen_random_uuid();'],
    ['validated at once', 'alter table users\n add constraint a check (phone is not null);'],
    ['validated at once', 'alter table users add unique (phone);'],
    ['validated at once', 'alter table users add column a uuid references tenants;'],
    [
      'validated with changes',
      `alter table users add constraint a check (true) not valid;
       alter table users validate constraint a;`,
    ],
    ['index locks', 'create index a on users (phone);'],
    ['changes rows', 'update users set phone = null;'],
    ['changes rows', 'with gone as (delete from users returning 1) select 1;'],
    ['locks', 'lock table users; '],
  ])('are refused for: %s', (danger, sql) => {
    const file = (text: string, note = '') =>
      `/** ${note} */ export async function up(knex) { knex.raw(\`${text}\`); }
       export async function down(knex) { knex.raw('drop table a; drop column b'); }`;
    expect(dangersIn(file(sql))).toEqual([danger]);
    expect(dangersIn(`up(knex) { knex.raw(SQL); }\n\nconst SQL = \`\n  ${sql}\n\`;\n`)).toEqual([
      danger,
    ]);
    expect(dangersIn(file(sql.toUpperCase()))).toEqual([danger]);
    expect(dangersIn(file(`-- ${sql.replaceAll('\n', ' ')}\n`))).toEqual([]);
    expect(dangersIn(file(sql, 'Contracts: unused since release 7.'))).toEqual(
      /drop|rename|type|set not/.test(danger) ? [] : [danger],
    );
  });

  it.each([
    'alter table users add column a text, add column b numeric(10, 2) not null default 0;',
    'alter table users add column at timestamptz not null default now();',
    'alter table users drop constraint a, add constraint a check (phone in (1, 2)) not valid;',
    'create table a (id uuid primary key references users, n text not null); ' +
      'create index b on a (n);',
    'create function a() returns trigger language plpgsql as $$ begin delete from users; end $$;',
  ])('are accepted: %s', (sql) => {
    expect(dangersIn(`up(knex) { knex.raw(\`${sql}\`); }`)).toEqual([]);
  });

  it('are refused for building an index concurrently, unless that can work and be repeated', () => {
    const [drop, make] = [
      "await knex.raw('drop index concurrently if exists a');",
      "await knex.raw('create index concurrently a on users (phone)');",
    ];
    const config = 'export const config = { transaction: false };';
    expect(dangersIn(`${config} up(knex) { ${drop} ${make} }`)).toEqual([]);
    expect(dangersIn(`up(knex) { ${drop} ${make} }`)).toEqual(['concurrently in a transaction']);
    expect(dangersIn(`${config} up(knex) { ${make} }`)).toEqual(['cannot run again']);
    const together =
      "await knex.raw('drop index concurrently if exists a; " +
      "create index concurrently a on b (c)');";
    expect(dangersIn(`${config} up(knex) { ${together} }`)).toEqual(['several at once']);
    const other = "await knex.raw('create table a (b text)');";
    expect(dangersIn(`${config} up(knex) { ${other} }`)).toEqual(['without a transaction']);
  });

  it('are refused for dropping foreign keys in a way that cannot be repeated step by step', () => {
    const config = "export const config = { transaction: false, lockWaits: 'limited' };";
    const drop = 'alter table a drop constraint if exists b';
    const file = (sql: string) => `${config} up(knex) { await knex.raw('${sql}'); }`;
    expect(dangersIn(file(drop))).toEqual([]);
    expect(dangersIn(file(`lock table c in access exclusive mode; ${drop}`))).toEqual([]);
    expect(dangersIn(file(drop.replace('if exists ', '')))).toEqual(['cannot run again']);
    expect(dangersIn(file(`${drop}; ${drop}`))).toEqual(['cannot run again']);
    expect(dangersIn(file('alter table a add column b text'))).toEqual(['cannot run again']);
  });
});

describe('the migrations, one after the other,', () => {
  useEach(createEmptyDatabase);

  it('reverse to an empty schema, and then recreate the same schema', async () => {
    const migrations = await Promise.all(files.map((file) => openIn(FOLDER, file)));
    for (const migration of migrations) await migration.up(db);
    const first = await schema();
    for (const migration of migrations.toReversed()) await migration.down(db);
    expect(await schema()).toBe('');
    for (const migration of migrations) await migration.up(db);
    expect(await schema()).toEqual(first);
  });
});

describe('the schema', () => {
  useEach(createUnverifiedDatabase);

  it('is written down in migrations/schema.sql', async () => {
    const file = fileURLToPath(new URL('schema.sql', FOLDER));
    const page = `${SAYS_WHAT_IT_IS}\n\n${await schema()}`;
    await expect(page, 'To write it anew: npm run schema').toMatchFileSnapshot(file);
  });

  it('has no number with underscores, which PostgreSQL 15 does not read', async () => {
    expect((await schema()).match(/\b\d+_\d+\b/g)).toBeNull();
  });

  it('name every constraint explicitly', async () => {
    const { rows } = await db.raw<{ rows: { name: string }[] }>(`
      select conname as name from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'u')
        and (conname ~ '_(check|key)[0-9]*$')`);
    expect(rows).toEqual([]);
  });
});
