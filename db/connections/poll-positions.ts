import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import type { Position } from '../../domain/polling.ts';
import type { Db } from '../connection.ts';
import { CONNECTION_COLUMNS, type PosConnection } from './pos-connections.ts';

export type StoredPosition = Position & {
  locationId: string;
  /** When a page of it was last brought in. */
  polledAt: Date;
};

/** Where polling stands at each of a connection's locations that was polled so far. */
export async function list(db: Db, connectionId: ConnectionId): Promise<StoredPosition[]> {
  return db('poll_positions')
    .where({ connectionId })
    .select<StoredPosition[]>('locationId', 'at', 'paymentId', 'isAtEnd', 'polledAt');
}

/** Whoever has a connection's lease, polls it. All of its time is the database's. */
export type Lease = { connectionId: ConnectionId; holder: string };

/**
 * Keeps a page's position with the connection's watermark, which never goes back or past now; the
 * page itself must be committed already. Says whether it did: not when the lease is another's by
 * now, or the merchant has disconnected.
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

/** What a poll needs to know of the connection that it has got the lease of. */
export type Taken = {
  tenantId: TenantId;
  /** ISO 3166 alpha-2, or null when the tenant has not said. */
  tenantCountry: string | null;
  watermark: Date;
  /** Nothing before this is ever asked for. */
  polledFrom: Date;
};

/** Longer than a page takes with the heartbeats that keep it, and than a moment's standstill. */
const LEASE_SECONDS = 60;

/**
 * Takes the lease of an active alpha connection for a holder of its own. It is `busy` while another
 * run has it; a run that lost its holder, as in a crash, takes it over from itself. `gone` is a
 * connection that is not to be polled.
 */
export async function takeLease(
  db: Db,
  { connectionId, holder }: Lease,
  run: string,
): Promise<Taken | 'busy' | 'gone'> {
  const { rows } = await db.raw<{ rows: Taken[] }>(
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

/** A connection as it is now, with the tokens of now, and what time it is. */
export type Kept = { connection: PosConnection; now: Date };

/** Keeps a lease for longer, or says undefined when it is another's by now. */
export async function keepLease(
  db: Db,
  { connectionId, holder }: Lease,
): Promise<Kept | undefined> {
  const [kept] = await db('pos_connections')
    .where({ id: connectionId, pollLeaseHolder: holder, status: 'active' })
    .update({ pollLeasedUntil: db.raw('now() + make_interval(secs => ?)', [LEASE_SECONDS]) })
    .returning<(PosConnection & { now: Date })[]>([...CONNECTION_COLUMNS, db.raw('now() as now')]);
  return kept && { connection: kept, now: kept.now };
}

/**
 * Gives a lease back, noting on the connection what went wrong, or with null that nothing did;
 * undefined notes nothing. While its merchant has to connect again the connection goes on saying so.
 */
export async function releaseLease(
  db: Db,
  { connectionId, holder }: Lease,
  error: string | null | undefined,
): Promise<void> {
  await db.raw(
    `update pos_connections
     set poll_lease_run = null, poll_lease_holder = null, poll_leased_until = null,
       last_error = case when :isNoted and needs_reconnect_since is null then :error
         else last_error end
     where id = :connectionId and poll_lease_holder = :holder`,
    { connectionId, holder, error: error ?? null, isNoted: error !== undefined },
  );
}

/** An active connection to alpha, which is polled. */
export type PolledConnection = {
  id: ConnectionId;
  tenantId: TenantId;
  /** Since when its merchant has to connect again, if so. */
  needsReconnectSince: Date | null;
};

/** Lists the active alpha connections in the order of their ids, from the one after `after` on. */
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

/** The connection if it is an active one to alpha. */
export async function findPolled(db: Db, id: ConnectionId): Promise<PolledConnection | undefined> {
  return db('pos_connections')
    .where({ id, posType: 'alpha', status: 'active' })
    .first<PolledConnection>('id', 'tenantId', 'needsReconnectSince');
}
