import { expect, it } from 'vitest';
import { aTenant } from '../factories.ts';
import { useDatabase } from '../fixtures.ts';
import { digestTables, watchTables } from './table-digests.ts';

const { db, owner } = await useDatabase();

it('tables that are watched: a change is seen once it is committed', async () => {
  const digests = await watchTables(owner, db);
  const id = await aTenant(db);
  const before = await digests();
  await db.transaction(async (tx) => {
    await tx('tenants').where({ id }).update({ name: 'Another name' });
    expect(await digests()).toEqual(before);
  });
  const after = await digests();
  expect(after).toEqual({ ...before, tenants: expect.any(String) });
  expect(after).not.toEqual(before);
  expect(after).toEqual(await digestTables(db));
});
