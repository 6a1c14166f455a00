import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import { POLLED_PROVIDERS, type PolledProvider } from '../../domain/payment.ts';
import type { Position } from '../../domain/polling.ts';
import type { Db } from '../connection.ts';
import { isActive } from '../tenants/is-active.ts';
import { countByProvider } from './counts.ts';
import type { Lease } from './poll-leases.ts';

export type StoredPosition = Position & {
  locationId: string;
  /** When a page of the location was last ingested and stored. */
  polledAt: Date;
};

/** Lists the positions of those of a connection's locations that were polled before. */
export async function list(db: Db, connectionId: ConnectionId): Promise<StoredPosition[]> {
  return db('poll_positions')
    .where({ connectionId })
    .select<StoredPosition[]>('locationId', 'at', 'paymentId', 'isAtEnd', 'polledAt');
}

/**
 * Stores a page's position and moves the connection's watermark forward, never past now. The page
 * itself must be committed already. Returns false, and stores nothing, when the lease has another
 * holder by now or the merchant has disconnected.
 */
export async function save(
  db: Db,
  { connectionId, holder }: Lease,
  kept: { locationId: string; position: Position; watermark: Date },
): Promise<boolean> {
  const { locationId, position, watermark } = kept;
  // Connecting again locks the same row before it deletes the positions.
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `with held as (
       select p.connection_id, least(:watermark, now()) as watermark from connection_polls p
       where p.connection_id = :connectionId and p.lease_holder = :holder and exists (
         select from pos_connections c where c.id = p.connection_id and c.status = 'active')
       for no key update of p
     ),
     moved as (
       update connection_polls p set watermark = h.watermark from held h
       where p.connection_id = h.connection_id and p.watermark < h.watermark
     )
     insert into poll_positions as p (connection_id, location_id, at, payment_id, is_at_end)
     select connection_id, :locationId, :at, :paymentId, :isAtEnd from held
     on conflict on constraint poll_positions_one_per_location do update
     set at = excluded.at, payment_id = excluded.payment_id, is_at_end = excluded.is_at_end,
       polled_at = now()
     returning p.location_id`,
    { connectionId, holder, locationId, watermark, ...position },
  );
  return rows.length > 0;
}

/** An active connection that is polled: of an active tenant. */
export type PolledConnection = {
  id: ConnectionId;
  tenantId: TenantId;
  provider: PolledProvider;
  /** Since when its merchant must reconnect; null if not. */
  needsReconnectSince: Date | null;
  /** In how many polls in a row webhooks had brought every sale before, as far as it counts. */
  coveredPolls: number;
};

const POLLED = `
  select c.id, c.tenant_id, c.provider, c.needs_reconnect_since,
    coalesce((select p.covered_polls from connection_polls p where p.connection_id = c.id), 0)
      as covered_polls
  from pos_connections c
  where c.provider = any(:polled) and c.status = 'active' and ${isActive('c.tenant_id')}`;

/** Lists the connections that are polled, by default of all providers, by id, after `after`. */
export async function listPolled(
  db: Db,
  { after, limit }: { after: ConnectionId | null; limit: number },
  polled: readonly PolledProvider[] = POLLED_PROVIDERS,
): Promise<PolledConnection[]> {
  const start = after === null ? '' : 'and c.id > :after';
  const { rows } = await db.raw<{ rows: PolledConnection[] }>(
    `${POLLED} ${start} order by c.id limit :limit`,
    { ...(after && { after }), limit, polled: [...polled] },
  );
  return rows;
}

/** Finds those of the connections that are polled. */
export async function findPolled(
  db: Db,
  ids: readonly ConnectionId[],
): Promise<PolledConnection[]> {
  const { rows } = await db.raw<{ rows: PolledConnection[] }>(
    `${POLLED} and c.id = any(:ids::uuid[])`,
    { ids: [...ids], polled: [...POLLED_PROVIDERS] },
  );
  return rows;
}

/** Returns how many connections are polled, or would be but for their tenants' suspension. */
export async function countPolled(db: Db): Promise<number> {
  const counts = await countByProvider(db);
  return POLLED_PROVIDERS.reduce((sum, name) => sum + counts[name].active, 0);
}
