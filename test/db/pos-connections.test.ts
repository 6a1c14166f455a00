import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../db/connection.ts';
import * as posConnections from '../../db/pos-connections.ts';
import type { TenantId } from '../../domain/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { aTenant, testSecrets } from '../support/factories.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

const seal = (token: string) =>
  testSecrets.seal(token, { tenantId: 't', provider: 'alpha', field: 'access_token' });
const aMerchant = () => `M-${randomUUID()}`;

function connect(tenantId: TenantId, merchantId: string, some: object = {}) {
  return posConnections.connect(db, {
    ...{ tenantId, merchantId, posType: 'alpha', sealedAccessToken: seal('one') },
    ...{ sealedRefreshToken: null, tokenExpiresAt: null },
    ...some,
  });
}
const disconnect = (tenantId: TenantId) =>
  db('pos_connections').where({ tenantId }).update({ status: 'disconnected', lastError: 'gone' });
const rows = (tenantId: TenantId) => db('pos_connections').where({ tenantId });

describe('connect', () => {
  it('makes an active connection that polls from now on', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    const sealedAccessToken = seal('token');
    const tokenExpiresAt = new Date('2026-02-14T10:00:00.000Z');
    const id = await connect(tenantId, merchantId, { sealedAccessToken, tokenExpiresAt });

    const [row] = await rows(tenantId);
    expect(row).toMatchObject({ id, merchantId, status: 'active', lastError: null });
    expect(row.watermark).toEqual(row.createdAt);
    expect(await posConnections.listActive(db, 'alpha', [tenantId])).toMatchObject([
      { id, sealedAccessToken, sealedRefreshToken: null, tokenExpiresAt },
    ]);
  });

  it('again uses the same record, and keeps how far it was polled', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    const id = await connect(tenantId, merchantId);
    const watermark = new Date('2026-01-15T10:00:00.000Z');
    await db('pos_connections').where({ id }).update({ watermark });
    await disconnect(tenantId);

    const sealedAccessToken = seal('two');
    expect(await connect(tenantId, merchantId, { sealedAccessToken })).toBe(id);
    expect(await rows(tenantId)).toMatchObject([
      { id, status: 'active', sealedAccessToken, lastError: null, watermark },
    ]);
  });

  it('ten times at once makes one record', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    await Promise.all(Array.from({ length: 10 }, () => connect(tenantId, merchantId)));
    expect(await rows(tenantId)).toHaveLength(1);
  });

  it('is refused while another tenant is connected to that merchant, and not after', async () => {
    const [one, two, merchantId] = [await aTenant(db), await aTenant(db), aMerchant()];
    await connect(one, merchantId);
    await expect(connect(two, merchantId)).rejects.toMatchObject({
      constraint: 'pos_connections_one_active_per_merchant',
    });
    expect(await rows(two)).toEqual([]);

    await disconnect(one);
    await connect(two, merchantId);
    await expect(connect(one, merchantId)).rejects.toMatchObject({ code: '23505' });
  });

  it('of two tenants at once, one gets the merchant', async () => {
    const [one, two, merchantId] = [await aTenant(db), await aTenant(db), aMerchant()];
    const results = await Promise.allSettled([connect(one, merchantId), connect(two, merchantId)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('one merchant id may be at both providers', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    await connect(tenantId, merchantId);
    await connect(tenantId, merchantId, { posType: 'beta' });
    expect(await rows(tenantId)).toHaveLength(2);
  });
});

describe('listActive', () => {
  it('has the active ones of that provider and those tenants only', async () => {
    const [one, two, three] = [await aTenant(db), await aTenant(db), await aTenant(db)];
    for (const tenantId of [one, two, three]) await connect(tenantId, aMerchant());
    await connect(one, aMerchant(), { posType: 'beta' });
    await disconnect(two);
    const listed = await posConnections.listActive(db, 'alpha', [one, two]);
    expect(listed.map(({ tenantId, posType }) => [tenantId, posType])).toEqual([[one, 'alpha']]);
    expect(await posConnections.listActive(db, 'alpha', [])).toEqual([]);
  });
});
