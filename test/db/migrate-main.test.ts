import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createEmptyDatabase } from '../support/database/test-database.ts';
import { runMain } from '../support/run-main.ts';

const Report = z.strictObject({
  migrated: z.array(z.strictObject({ name: z.string(), seconds: z.number() })),
});

const database = await createEmptyDatabase();
afterAll(() => database.close());

const migrate = (...options: string[]) =>
  runMain(
    'db/migrate-main.ts',
    { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl },
    options,
  ).ended;

it('migrates once, and says what ran, for people and for programs', async () => {
  const first = await migrate('--json');
  const { migrated } = Report.parse(JSON.parse(first.stdout));
  expect(first.status).toBe(0);
  expect(migrated.length).toBeGreaterThan(10);
  expect(migrated[0]?.name).toMatch(/^0000_\w+$/);
  expect(await migrate('--json')).toEqual({ status: 0, stdout: '{"migrated":[]}\n', stderr: '' });
  expect(await migrate()).toEqual({ status: 0, stdout: 'Nothing to migrate.\n', stderr: '' });
});

it('of the release before leaves a newer schema alone, with status 0', async () => {
  const newer = { name: '9999_of_the_next_release', batch: 99, migrationTime: new Date() };
  await database.owner('knex_migrations').insert(newer);
  expect(await migrate()).toEqual({
    status: 0,
    stdout: 'Nothing to migrate.\n',
    stderr: 'The schema is of a newer release (9999_of_the_next_release); nothing to do.\n',
  });
  expect((await migrate('--print')).status).toBe(0);
  await database.owner('knex_migrations').where({ name: newer.name }).delete();
});

it('says in one line that a database is from before the first release', async () => {
  const names = () => database.owner('knex_migrations').where('name', 'like', '0004_%');
  await names().update({ name: '0004_former' });
  const { status, stdout, stderr } = await migrate();
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^The schema was not migrated: .*\(0004_former\): start again .*\.\n$/);
});

it('refuses options that it does not know, with how it is used', async () => {
  const { status, stdout, stderr } = await migrate('--all');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('Usage: npm run migrate');
});
