import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { connect } from '../../../db/connection.ts';
import { migrate } from '../../../db/schema/migrate.ts';
import {
  addressFor,
  ensureRoles,
  giveToOwner,
  OWNER,
  SERVICE,
} from '../../../sandbox/postgres/roles.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const server = {
  url: (database: string) => inject('databaseUrls').superuser.replace('NAME', database),
};

let database: TestDatabase;
let name: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  name = new URL(database.url).pathname.slice(1);
});
afterAll(() => database.close());

it('a database older than the roles gets its owner, and can be migrated further', async () => {
  const superuser = connect(server.url(name), 1, 'loyalty-test');
  await superuser.raw(`alter database ${name} owner to current_user`);
  await migrate(superuser);
  await superuser('users').insert({ iss: 'i', sub: 's', role: 'consumer', status: 'active' });

  for (let time = 0; time < 2; time++) {
    await ensureRoles(server);
    await giveToOwner(server, name);
    expect(await migrate(database.owner, { serviceRole: SERVICE })).toEqual([]);
  }
  expect(await database.db('users').first('sub')).toEqual({ sub: 's' });
  await database.owner.raw('alter table users add column later text');
  await superuser.destroy();
});

it('each role has its own password', () => {
  const passwords = [OWNER, SERVICE].map(
    (role) => new URL(addressFor(server, role, name)).password,
  );
  expect(new Set([...passwords, new URL(server.url(name)).password]).size).toBe(3);
  expect(addressFor(server, OWNER, name)).toBe(database.ownerUrl);
});
