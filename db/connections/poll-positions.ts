import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import type { Position } from '../../domain/polling.ts';
import type { Db } from '../connection.ts';
import { CONNECTION_COLUMNS, type PosConnection } from './pos-connections.ts';

export type StoredPosition = Position & {
  locationId: string;
  /** When a page of the location was last ingested. */
  polledAt: Date;
};

/** Lists the positions of those of a connection's locations that were polled before. */
export async function list(db: Db, connectionId: ConnectionId): Promise<StoredPosition[]> {
  return db('poll_positions')
    .where({ connectionId })
    .select<StoredPosition[]>('locationId', 'at', 'paymentId', 'isAtEnd', 'polledAt');
}

/** The holder of a connection's lease polls it. All of its times are by the database's clock. */
export type Lease = { connectionId: ConnectionId; holder: string };

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
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `with held as (
       update pos_connections set watermark = greatest(watermark, least(:watermark, now()))
       where id = :connectionId and poll_lease_holder = :holder and status = 'active'
       returning id
     )
     insert into poll_positions as p (connection_id, location_id, at, payment_id, is_at_end)
     select id, :locationId, :at, :paymentId, :isAtEnd from held
     on conflict on constraint poll_positions_one_per_location do update
     set at = excluded.at, payment_id = excluded.payment_id, is_at_end = excluded.is_at_end,
       polled_at = now()
     returning p.location_id`,
    { connectionId, holder, locationId, watermark, ...position },
  );
  return rows.length > 0;
}

/** What a poll needs to know of the connection that it has leased. */
export type LeasedConnection = {
  tenantId: TenantId;
  /** ISO 3166 alpha-2, or null when the tenant has not set it. */
  tenantCountry: string | null;
  watermark: Date;
  /** No payment before this is ever requested. */
  polledFrom: Date;
};

/** Longer than a page takes between the heartbeats that renew the lease, and than a short stall. */
const LEASE_SECONDS = 60;

/**
 * Takes the lease of an active alpha connection for a new holder. It is `busy` while another run
 * has it; the same run may take it again, as after a crash in which it lost its holder. It is
 * `gone` when the connection is not polled.
 */
export async function takeLease(
  db: Db,
  { connectionId, holder }: Lease,
  run: string,
): Promise<LeasedConnection | 'busy' | 'gone'> {
  const { rows } = await db.raw<{ rows: LeasedConnection[] }>(
    `update pos_connections c
     set poll_lease_run = :run, poll_lease_holder = :holder,
       poll_leased_until = now() + make_interval(secs => :seconds)
     from tenants t
     where c.id = :connectionId and t.id = c.tenant_id and c.pos_type = 'alpha'
       and c.status = 'active'
       and (c.poll_leased_until is null or c.poll_leased_until < now() or c.poll_lease_run = :run)
     returning c.tenant_id, t.country as tenant_country, coalesce(c.watermark, now()) as watermark,
       coalesce(c.polled_from, c.watermark, now()) as polled_from`,
    { connectionId, holder, run, seconds: LEASE_SECONDS },
  );
  const [taken] = rows;
  if (taken !== undefined) return taken;
  const active = await db('pos_connections')
    .where({ id: connectionId, posType: 'alpha', status: 'active' })
    .first('id');
  return active === undefined ? 'gone' : 'busy';
}

/** A connection with its current tokens, and the database's current time. */
export type RenewedLease = { connection: PosConnection; now: Date };

/** Renews a lease; undefined when it has another holder by now or the merchant has disconnected. */
export async function renewLease(
  db: Db,
  { connectionId, holder }: Lease,
): Promise<RenewedLease | undefined> {
  const [kept] = await db('pos_connections')
    .where({ id: connectionId, pollLeaseHolder: holder, status: 'active' })
    .update({ pollLeasedUntil: db.raw('now() + make_interval(secs => ?)', [LEASE_SECONDS]) })
    .returning<(PosConnection & { now: Date })[]>([...CONNECTION_COLUMNS, db.raw('now() as now')]);
  return kept && { connection: kept, now: kept.now };
}

/**
 * Releases a lease and records the poll's error on the connection: null clears it, undefined leaves
 * it. An error that says that the merchant must reconnect stays. `isComplete` records that the poll
 * came to its end.
 */
export async function releaseLease(
  db: Db,
  { connectionId, holder }: Lease,
  error: string | null | undefined,
  isComplete = false,
): Promise<void> {
  await db.raw(
    `update pos_connections
     set poll_lease_run = null, poll_lease_holder = null, poll_leased_until = null,
       last_error = case when :isNoted and needs_reconnect_since is null then :error
         else last_error end,
       last_polled_at = case when :isComplete then now() else last_polled_at end
     where id = :connectionId and poll_lease_holder = :holder`,
    { connectionId, holder, error: error ?? null, isNoted: error !== undefined, isComplete },
  );
}

/** An active connection to alpha, which is polled. */
export type PolledConnection = {
  id: ConnectionId;
  tenantId: TenantId;
  /** Since when its merchant must reconnect; null if not. */
  needsReconnectSince: Date | null;
};

/** Lists the active alpha connections ordered by id, starting after `after`. */
export async function listPolled(
  db: Db,
  page: { after: ConnectionId | null; limit: number },
): Promise<PolledConnection[]> {
  const query = db('pos_connections').where({ posType: 'alpha', status: 'active' });
  if (page.after !== null) query.where('id', '>', page.after);
  return query
    .orderBy('id')
    .limit(page.limit)
    .select<PolledConnection[]>('id', 'tenantId', 'needsReconnectSince');
}

/** Finds a connection if it is active and to alpha. */
export async function findPolled(db: Db, id: ConnectionId): Promise<PolledConnection | undefined> {
  return db('pos_connections')
    .where({ id, posType: 'alpha', status: 'active' })
    .first<PolledConnection>('id', 'tenantId', 'needsReconnectSince');
}
