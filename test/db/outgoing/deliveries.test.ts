import { expect, it } from 'vitest';
import * as deliveries from '../../../db/outgoing/deliveries.ts';
import { aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aDelivery } from '../../support/http/endpoints.ts';

const { db } = await useDatabase();

it('are listed for their own tenant only, also where the endpoint is known', async () => {
  const tenantId = await aTenant(db);
  const { endpointId, deliveryId } = await aDelivery(db, tenantId);
  const list = async (of: typeof tenantId) =>
    deliveries.list(db, { tenantId: of, endpointId }, { before: null, limit: 10 });
  expect(await list(tenantId)).toMatchObject([{ id: deliveryId }]);
  expect(await list(await aTenant(db))).toEqual([]);
});
