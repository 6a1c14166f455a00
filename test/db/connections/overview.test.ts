import { expect, it } from 'vitest';
import { listConnections } from '../../../db/connections/overview.ts';
import { anAlphaConnection, aTenant, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

it('lists connections page by page, with their tenants and without their tokens', async () => {
  const tenants = [await aTenant(db, { name: 'One' }), await aTenant(db, { name: 'Two' })];
  for (const [nth, tenantId] of tenants.entries()) {
    await anAlphaConnection(db, { tenantId, merchantId: `M${nth}` });
  }
  const [first] = await listConnections(db, { after: null, limit: 1 });
  const rest = await listConnections(db, { after: required(first).id, limit: 10 });
  const all = [required(first), ...rest];
  expect(all.map(({ tenantName, merchantId }) => [tenantName, merchantId]).sort()).toEqual([
    ['One', 'M0'],
    ['Two', 'M1'],
  ]);
  expect(JSON.stringify(all)).not.toContain('v1.k1.');

  const [tenantId] = tenants;
  const own = await listConnections(db, { tenantId, after: null, limit: 10 });
  expect(own).toMatchObject([{ tenantId, provider: 'alpha', status: 'active', lastError: null }]);
});
