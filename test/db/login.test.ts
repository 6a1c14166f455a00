import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listenForChanges } from '../../db/changes/listener.ts';
import { connect, type Db, takesRequests } from '../../db/connection.ts';
import { isUnavailable } from '../../db/errors.ts';
import { type ChangingRole, createChangingRole } from '../support/database/changing-role.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const REFUSED = { code: '28P01' };
let role: ChangingRole;
let db: Db;

beforeEach(async () => {
  role = await createChangingRole(database);
  db = connect({ url: role.url, urlFile: role.urlFile }, 5, 'loyalty-test');
});
afterEach(async () => {
  await db.destroy();
  await role.remove();
});

/** Runs as many statements at once, each on a connection of its own. */
const atOnce = (count: number) =>
  Promise.all(Array.from({ length: count }, () => db.raw('select pg_sleep(0.2)')));

it('a password that is in the file before it counts is used as soon as it does', async () => {
  await db.raw('select 1');
  role.writeFile('new');
  await role.setPassword('new');
  // One connection is there; the other four are opened at once, and none of them fails.
  await atOnce(5);
  await takesRequests(db);
});

it('a password that is in the file afterwards is used from then on', async () => {
  await role.setPassword('new');
  const error: unknown = await db.raw('select 1').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject(REFUSED);
  expect(isUnavailable(error)).toBe(true);
  await expect(takesRequests(db)).rejects.toMatchObject(REFUSED);
  role.writeFile('new');
  // The file is read once a second at most.
  await expect
    .poll(() =>
      db.raw('select 1').then(
        () => 'in',
        () => 'refused',
      ),
    )
    .toBe('in');
  await takesRequests(db);
});

it('without a file, or with one that is no address, the last address stays', async () => {
  const fixed = connect({ url: role.url }, 1, 'loyalty-test');
  await role.setPassword('new');
  await expect(fixed.raw('select 1')).rejects.toMatchObject(REFUSED);
  await fixed.destroy();
  await role.setPassword('old');
  await db.raw('select 1');
  await role.remove();
  await role.setPassword('new');
  await expect(atOnce(2)).rejects.toMatchObject(REFUSED);
});

it('the session that listens logs in with the new password as well', async () => {
  let connected = 0;
  const listener = listenForChanges({
    at: { url: role.url, urlFile: role.urlFile },
    onChanged() {},
    onConnected: () => connected++,
    onLost() {},
  });
  await expect.poll(() => connected).toBe(1);
  role.writeFile('new');
  await role.setPassword('new');
  await role.endSessions();
  await expect.poll(() => connected).toBe(2);
  expect(listener.isConnected()).toBe(true);
  await sleep(0);
  await listener.close();
});
