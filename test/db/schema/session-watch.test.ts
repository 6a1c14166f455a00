import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { oneSession } from '../../../db/connection.ts';
import { watchSession } from '../../../db/schema/session-watch.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { owner: db } = await useDatabase();
const session = oneSession(db);
afterAll(() => session.destroy());

const pidOf = async () => {
  const { rows } = await session.raw<{ rows: unknown[] }>('select pg_backend_pid() as pid');
  return rows;
};

it('looks from outside at the process of the session, until it is ended', async () => {
  const seen: number[] = [];
  const end = await watchSession({ session, db }, 5, async (other, pid) => {
    expect(other).toBe(db);
    seen.push(pid);
  });
  await expect.poll(() => seen.length).toBeGreaterThan(1);
  await end();
  const looks = seen.length;
  await sleep(50);
  expect(seen).toHaveLength(looks);
  expect(await pidOf()).toEqual([{ pid: seen[0] }]);
});

it('ends when a look fails, without an error of its own', async () => {
  let looks = 0;
  const end = await watchSession({ session, db }, 5, async () => {
    looks += 1;
    throw new Error('The database is away.');
  });
  await expect.poll(() => looks).toBe(1);
  await sleep(50);
  await end();
  expect(looks).toBe(1);
});
