import { randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import type { Db } from '../../../db/connection.ts';
import type { Lease } from '../../../db/connections/poll-leases.ts';
import { ConnectionId, type TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required } from '../factories.ts';
import { setPolled } from './polled-shop.ts';

/**
 * For each test, the only active connection, and a lease of it that nobody has taken yet. Both are
 * made anew for each test, so that they are read where they are used.
 */
export function useConnectionToLease(db: Db) {
  let tenantId: TenantId;
  let lease: Lease;
  beforeEach(async () => {
    await db('pos_connections').update({ status: 'disconnected' });
    tenantId = await aTenant(db, { country: 'DE' });
    lease = aLease(await connectTo(db, tenantId));
  });
  return {
    get tenantId() {
      return tenantId;
    },
    get lease() {
      return lease;
    },
    row: () => db('pos_connections').where({ tenantId }).first(),
    polls: async () => {
      const { connectionId } = lease;
      return required(await db('connection_polls').where({ connectionId }).first());
    },
    change: (values: object) => db('pos_connections').where({ tenantId }).update(values),
    changePolls: (values: object) => setPolled(db, lease.connectionId, values),
  };
}

/** Connects a tenant to an account of its own at alpha. */
export async function connectTo(db: Db, tenantId: TenantId): Promise<ConnectionId> {
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  const row = await db('pos_connections').where({ tenantId }).first('id');
  return ConnectionId.parse(row?.id);
}

/** A lease for another holder. */
export const aLease = (connectionId: ConnectionId) => ({ connectionId, holder: randomUUID() });

/** A time as long ago. */
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** The position of a location's poll that has come to a time so long ago. */
export const positionAt = (minutes: number, watermark: Date, locationId = 'L') => ({
  locationId,
  watermark,
  position: { at: minutesAgo(minutes), paymentId: 'P', isAtEnd: false },
});
