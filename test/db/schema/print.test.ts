import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../../db/schema/migrate.ts';
import { MIGRATIONS } from '../../../db/schema/migration-files.ts';
import { pendingSql } from '../../../db/schema/print.ts';
import { schemaPage } from '../../support/database/schema-page.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const NEXT = new URL('../../support/database/next-migrations/', import.meta.url);

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.close());

it('prints SQL that makes the schema, and runs nothing of it', async () => {
  const { owner } = database;
  const sql = await pendingSql(owner);
  expect(await schemaPage(owner)).toBe('');
  expect(sql).toMatch(/^-- 0000_\w+\nbegin;\ncreate table /);
  const { rows } = await owner.raw(`select from pg_class where relname = 'knex_migrations'`);
  expect(rows).toEqual([]);

  await owner.raw(sql);
  const printed = await schemaPage(owner);
  const other = await createEmptyDatabase();
  await migrate(other.owner);
  expect(printed).toBe(await schemaPage(other.owner));
  await other.close();
});

it('prints only what the database has not had, as it would run', async () => {
  const { owner } = database;
  await migrate(owner);
  expect(await pendingSql(owner)).toBe('');
  const sql = await pendingSql(owner, [MIGRATIONS, NEXT]);
  expect(sql).toMatch(/^-- 9001_event_notes\nbegin;\nalter table .*;\ncommit;\n\n-- 9002/);
  expect(sql).toContain('\n\n-- 9004_events_by_note\ndrop index concurrently if exists');
});
