import { describe, expect, it } from 'vitest';
import * as programmes from '../../../db/tenants/programme.ts';
import { aProgramme, aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

describe('findActive', () => {
  it('is the highest version of the tenant, and none of another', async () => {
    const [tenantId, other] = [await aTenant(db), await aTenant(db)];
    expect(await programmes.findActive(db, tenantId)).toBeUndefined();
    for (const returnWindowDays of [7, 30]) await aProgramme(db, tenantId, { returnWindowDays });
    await aProgramme(db, other, { returnWindowDays: 90 });
    expect(await programmes.findActive(db, tenantId)).toMatchObject({
      version: 2,
      returnWindowDays: 30,
    });
  });
});

describe('a version', () => {
  it.each([
    'update programme_versions set version = 9',
    'delete from programme_versions',
    'truncate programme_versions',
  ])('cannot be changed: %s', async (statement) => {
    await aProgramme(db, await aTenant(db));
    await expect(database.owner.raw(statement)).rejects.toThrow(/rows are never changed/);
  });
});
