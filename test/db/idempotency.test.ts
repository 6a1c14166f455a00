import { beforeEach, describe, expect, it } from 'vitest';
import * as idempotency from '../../db/idempotency.ts';
import { aUser } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';

let scope: idempotency.Scope;
const database = await useDatabase();
beforeEach(async () => {
  await database.db('idempotency_keys').delete();
  scope = { userId: await aUser(database.db), method: 'POST', path: '/p', key: 'k' };
});

const answer: idempotency.StoredResponse = {
  requestHmac: Buffer.alloc(32, 1),
  status: 200,
  body: '{"b":1,"a":2}',
  bodySealed: false,
};

const store = (key: string, stored: idempotency.StoredResponse = answer) =>
  database.db.transaction((tx) => idempotency.store(tx, { ...scope, key }, stored));
const find = (key = 'k') =>
  database.db.transaction((tx) => idempotency.find(tx, { ...scope, key }));
const age = (key: string, text: string) =>
  database.db.raw(
    'update idempotency_keys set created_at = now() - :age::interval where key = :key',
    { age: text, key },
  );

describe('tryLock', () => {
  it('lets one transaction at a time lock a scope, and others lock other scopes', async () => {
    const { db } = database;
    const user = await aUser(db);
    await db.transaction(async (one) => {
      expect(await idempotency.tryLock(one, scope)).toBe(true);
      expect(await idempotency.tryLock(one, scope)).toBe(true);
      await db.transaction(async (two) => {
        expect(await idempotency.tryLock(two, { ...scope })).toBe(false);
        for (const change of [{ userId: user }, { method: 'PUT' }, { path: '/q' }, { key: 'K' }]) {
          expect(await idempotency.tryLock(two, { ...scope, ...change })).toBe(true);
        }
        expect(await idempotency.tryLock(two, { ...scope, path: '/', key: 'p","k' })).toBe(true);
      });
    });
    await db.transaction(async (tx) => expect(await idempotency.tryLock(tx, scope)).toBe(true));
  });
});

describe('a stored response', () => {
  it('is found as it was stored, by its scope only', async () => {
    await store('k');
    expect(await find('k')).toEqual(answer);
    expect(await find('K')).toBeUndefined();
    const userId = await aUser(database.db);
    for (const change of [{ userId }, { method: 'PUT' }, { path: '/q' }]) {
      const other = { ...scope, key: 'k', ...change };
      const found = database.db.transaction((tx) => idempotency.find(tx, other));
      expect(await found, Object.keys(change)[0]).toBeUndefined();
    }
  });

  it('is not found after 24 hours, and may then be replaced', async () => {
    await store('k');
    await age('k', '24 hours');
    expect(await find()).toBeUndefined();
    const next = { ...answer, status: 422, requestHmac: Buffer.alloc(32, 2), bodySealed: true };
    await store('k', next);
    expect(await find()).toEqual(next);
  });

  it.each([199, 300, 400, 401, 403, 409, 429, 500, 503])(
    'is refused with a status that a retry may change: %s',
    async (status) => {
      await expect(store('k', { ...answer, status })).rejects.toMatchObject({
        constraint: 'idempotency_keys_status_final',
      });
    },
  );
});

describe('deleteExpired', () => {
  it('deletes only expired responses, oldest first', async () => {
    for (const key of ['old', 'older', 'oldest', 'young']) await store(key);
    await age('old', '25 hours');
    await age('older', '26 hours');
    await age('oldest', '27 hours');
    await age('young', '23 hours');
    expect(await idempotency.deleteExpired(database.db, 2)).toBe(2);
    const left = await database.db('idempotency_keys').orderBy('key').pluck('key');
    expect(left).toEqual(['old', 'young']);
    expect(await idempotency.deleteExpired(database.db, 2)).toBe(1);
    expect(await idempotency.deleteExpired(database.db, 2)).toBe(0);
    expect(await find('young')).toEqual(answer);
  });

  it('skips a response that is being replaced', async () => {
    await store('k');
    await age('k', '25 hours');
    await database.db.transaction(async (tx) => {
      await idempotency.store(tx, scope, { ...answer, status: 201 });
      expect(await idempotency.deleteExpired(database.db, 10)).toBe(0);
    });
    expect(await find()).toMatchObject({ status: 201 });
  });

  it('deletes each response once when two calls run at once', async () => {
    for (let nth = 0; nth < 20; nth++) await store(`k${nth}`);
    await database.db('idempotency_keys').update({ createdAt: new Date(0) });
    const two = [1, 2].map(() => idempotency.deleteExpired(database.db, 20));
    const [one = 0, other = 0] = await Promise.all(two);
    expect(one + other).toBe(20);
  });
});
