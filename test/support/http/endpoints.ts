import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../db/connection.ts';
import { newId } from '../../../db/new-id.ts';
import * as endpoints from '../../../db/outgoing/endpoints.ts';
import { EndpointId, type TenantId } from '../../../domain/ids.ts';
import type { EventType } from '../../../domain/webhook-event.ts';
import type { Sealer } from '../../../gateways/crypto/sealer.ts';
import { bindingOfSecret } from '../../../gateways/webhooks/secret-binding.ts';
import { newSecret } from '../../../gateways/webhooks/signature.ts';
import { required, testSealer } from '../factories.ts';

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
    sealer = testSealer,
  }: {
    url?: string;
    types?: EventType[] | null;
    /** That of who is to deliver. */
    sealer?: Sealer;
  } = {},
): Promise<TestEndpoint> {
  const id = EndpointId.parse(newId());
  const secret = newSecret();
  const sealed = sealer.seal(secret, bindingOfSecret(id));
  await db.transaction((tx) => endpoints.create(tx, { id, tenantId, url, types }, sealed));
  return { id, secret };
}

/**
 * Waits until every event written so far can be read: until each transaction has ended that was
 * open meanwhile, also one of another test, in another database of the server.
 */
export async function untilSettled(db: Db): Promise<void> {
  const { rows } = await db.raw<{ rows: { next: string }[] }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  );
  const bindings = { next: required(rows[0]).next };
  const isSettled =
    'select pg_snapshot_xmin(pg_current_snapshot()) >= :next::text::xid8 as settled';
  for (;;) {
    const { rows: found } = await db.raw<{ rows: { settled: boolean }[] }>(isSettled, bindings);
    if (required(found[0]).settled) return;
    await sleep(20);
  }
}
