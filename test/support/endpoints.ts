import type { Db } from '../../db/connection.ts';
import { newId } from '../../db/new-id.ts';
import * as endpoints from '../../db/outgoing/endpoints.ts';
import { EndpointId, type TenantId } from '../../domain/ids.ts';
import type { EventType } from '../../domain/webhook-event.ts';
import { bindingOfSecret } from '../../gateways/webhooks/secret-binding.ts';
import { newSecret } from '../../gateways/webhooks/signature.ts';
import { required, testSealer } from './factories.ts';

/** Gives the tenant an endpoint and a delivery, and returns their ids. */
export async function aDelivery(db: Db, tenantId: TenantId) {
  const { id: endpointId } = await anEndpoint(db, tenantId);
  const rows = await db('webhook_deliveries')
    .insert({ tenantId, endpointId, eventId: newId(), type: 'points.credited' })
    .returning<{ id: string }[]>('id');
  return { endpointId, deliveryId: required(rows[0]).id };
}

export type TestEndpoint = { id: EndpointId; secret: string };

/** Gives the tenant an endpoint, by default at an address where nothing is. */
export async function anEndpoint(
  db: Db,
  tenantId: TenantId,
  {
    url = 'https://shop.example/hooks',
    types = null,
  }: { url?: string; types?: EventType[] | null } = {},
): Promise<TestEndpoint> {
  const id = EndpointId.parse(newId());
  const secret = newSecret();
  const sealed = testSealer.seal(secret, bindingOfSecret(id));
  await db.transaction((tx) => endpoints.create(tx, { id, tenantId, url, types }, sealed));
  return { id, secret };
}
