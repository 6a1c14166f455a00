import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as tenants from '../../../db/tenants/tenants.ts';
import { TenantId } from '../../../domain/ids.ts';
import { aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

describe('insert', () => {
  it('creates the tenant and its merchant’s membership', async () => {
    const ownerId = await aUser(db, { role: 'client' });
    const id = await db.transaction((tx) =>
      tenants.insert(tx, { name: 'Shop', country: 'CH', ownerId }),
    );
    expect(await tenants.find(db, id)).toEqual({
      id,
      name: 'Shop',
      hasProgramme: false,
      country: 'CH',
      timeZone: null,
      currency: null,
      logoPath: null,
      color: null,
      status: 'active',
    });
    expect(await db('memberships').where({ tenantId: id })).toMatchObject([
      { userId: ownerId, role: 'client' },
    ]);
  });

  it('creates no tenant when its merchant does not exist', async () => {
    const name = randomUUID();
    const ownerId = await aUser(db);
    await database.owner('users').where({ id: ownerId }).delete();
    const work = db.transaction((tx) => tenants.insert(tx, { name, country: null, ownerId }));
    await expect(work).rejects.toMatchObject({ code: '23503' });
    expect(await db('tenants').where({ name })).toEqual([]);
  });

  it.each(['ch', 'CHE', 'C', ''])('refuses the country %j', async (country) => {
    await expect(aTenant(db, { country })).rejects.toMatchObject({
      constraint: 'tenants_country_is_alpha_2',
    });
  });
});

describe('find', () => {
  it('returns undefined for an unknown tenant', async () => {
    expect(await tenants.find(db, TenantId.parse(randomUUID()))).toBeUndefined();
  });
});

describe('hasBusinessName', () => {
  it.each([
    { onboarding: {}, has: false },
    { onboarding: { businessName: null }, has: false },
    { onboarding: { businessName: '' }, has: false },
    { onboarding: { profile: { businessName: 'Bakery' } }, has: false },
    { onboarding: { businessName: 'Bakery' }, has: true },
  ])('returns $has for $onboarding', async ({ onboarding, has }) => {
    const [id, other] = [await aTenant(db), await aTenant(db)];
    await db('tenants').where({ id }).update({ onboarding });
    expect(await tenants.hasBusinessName(db, [id])).toBe(has);
    expect(await tenants.hasBusinessName(db, [other, id])).toBe(has);
    expect(await tenants.hasBusinessName(db, [other])).toBe(false);
  });

  it('returns false for no tenant', async () => {
    expect(await tenants.hasBusinessName(db, [])).toBe(false);
  });
});
