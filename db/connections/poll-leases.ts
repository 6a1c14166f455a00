import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import { POLLED_PROVIDERS, type Provider } from '../../domain/payment.ts';
import { COVERED_POLLS_NEEDED, INTERVAL_STEPS } from '../../domain/poll-cadence.ts';
import type { Db } from '../connection.ts';
import { noteAll } from '../due-work.ts';
import { isActive } from '../tenants/is-active.ts';
import type { PosConnection } from './pos-connections.ts';
import { earnsFrom } from './tenures.ts';

/** The holder of a connection's lease polls it. All of its times are by the database's clock. */
export type Lease = { connectionId: ConnectionId; holder: string };

/** What a poll needs to know of the connection that it has leased. */
export type LeasedConnection = {
  connection: PosConnection;
  /** Since when sales of the account earn at the tenant. */
  earnsFrom: Date | null;
  watermark: Date;
  /** No payment before this is ever requested. */
  polledFrom: Date;
  /** When a poll last came to its end. */
  lastPolledAt: Date | null;
  coveredPolls: number;
  /** When the lease was taken. */
  now: Date;
};

/** Longer than a page takes between the heartbeats that renew the lease, and than a short stall. */
const LEASE_SECONDS = 60;
/** A lease is renewed after so much of it has passed, and not at all by a shorter poll. */
const RENEWED_AFTER_SECONDS = 15;

/** The columns of a PosConnection, of a row named `c`. */
export const CONNECTION = `c.id, c.tenant_id, c.provider, c.merchant_id, c.status,
  c.sealed_access_token, c.sealed_refresh_token, c.token_expires_at, c.token_refreshed_at,
  c.needs_reconnect_since`;

/**
 * Takes the lease of a connection that is polled for a new holder. It is `busy` while another run
 * has it; the same run may take it again, as after a crash in which it lost its holder. It is
 * `gone` when the connection is not polled.
 */
export async function takeLease(
  db: Db,
  lease: Lease,
  run: string,
): Promise<LeasedConnection | 'busy' | 'gone'> {
  const taken = await tryLease(db, lease, run);
  if (taken !== undefined) return taken;
  const active = await db('pos_connections')
    .where({ id: lease.connectionId, status: 'active' })
    .whereIn('provider', POLLED_PROVIDERS)
    .whereRaw(isActive('pos_connections.tenant_id'))
    .first('id');
  return active === undefined ? 'gone' : 'busy';
}

type TakenRow = PosConnection & Omit<LeasedConnection, 'connection'>;

async function tryLease(
  db: Db,
  { connectionId, holder }: Lease,
  run: string,
): Promise<LeasedConnection | undefined> {
  const { rows } = await db.raw<{ rows: TakenRow[] }>(
    `update connection_polls p
     set lease_run = :run, lease_holder = :holder,
       leased_until = now() + make_interval(secs => :seconds)
     from pos_connections c, tenants t
     where p.connection_id = :connectionId and c.id = p.connection_id and t.id = c.tenant_id
       and c.provider = any(:polled) and c.status = 'active' and t.status = 'active'
       and (p.leased_until is null or p.leased_until < now() or p.lease_run = :run)
     returning ${CONNECTION}, ${earnsFrom('c')} as earns_from, p.watermark, p.polled_from,
       p.last_polled_at, p.covered_polls, now() as now`,
    { connectionId, holder, run, seconds: LEASE_SECONDS, polled: [...POLLED_PROVIDERS] },
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { watermark, polledFrom, lastPolledAt, coveredPolls, now, ...rest } = row;
  const { earnsFrom: since, ...connection } = rest;
  const state = { earnsFrom: since, watermark, polledFrom, lastPolledAt, coveredPolls, now };
  return { connection, ...state };
}

/** A connection with its current tokens, and the database's current time. */
export type RenewedLease = { connection: PosConnection; now: Date };

/**
 * Makes sure of a lease, which is renewed when a quarter of it has passed; undefined when it has
 * another holder by now or the merchant has disconnected.
 */
export async function renewLease(
  db: Db,
  { connectionId, holder }: Lease,
): Promise<RenewedLease | undefined> {
  const { rows } = await db.raw<{ rows: (PosConnection & { now: Date })[] }>(
    `with renewed as (
       update connection_polls set leased_until = now() + make_interval(secs => :seconds)
       where connection_id = :connectionId and lease_holder = :holder
         and leased_until < now() + make_interval(secs => :left)
     )
     select ${CONNECTION}, now() as now
     from connection_polls p join pos_connections c on c.id = p.connection_id
     where p.connection_id = :connectionId and p.lease_holder = :holder and c.status = 'active'`,
    { connectionId, holder, seconds: LEASE_SECONDS, left: LEASE_SECONDS - RENEWED_AFTER_SECONDS },
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { now, ...connection } = row;
  return { connection, now };
}

/** What a poll leaves behind. */
export type PollEnd = {
  /** Recorded on the connection: null clears it, undefined leaves the error that is there. */
  error: string | null | undefined;
  /** The poll came to its end. */
  isComplete: boolean;
  coveredPolls: number;
};

/**
 * Releases a lease and records how the poll ended. An error that says that the merchant must
 * reconnect stays. When the number of covered polls changes the interval between polls, the
 * Schedule is due to be changed.
 */
export async function releaseLease(
  db: Db,
  { connectionId, holder }: Lease,
  { error, isComplete, coveredPolls }: PollEnd,
): Promise<void> {
  await db.raw(
    `with held as (
       select connection_id, covered_polls from connection_polls
       where connection_id = :connectionId and lease_holder = :holder
     ),
     released as (
       update connection_polls p
       set lease_run = null, lease_holder = null, leased_until = null,
         last_polled_at = case when :isComplete then now() else p.last_polled_at end,
         covered_polls = :coveredPolls::smallint
       from held h where p.connection_id = h.connection_id and p.lease_holder = :holder
       returning p.connection_id,
         width_bucket(h.covered_polls::int, :steps::int[])
           <> width_bucket(:coveredPolls::int, :steps::int[]) as is_interval_changed
     ),
     noted as (
       update pos_connections c set last_error = :error from released r
       where :isNoted and c.id = r.connection_id and c.needs_reconnect_since is null
         and c.last_error is distinct from :error
     )
     ${noteSchedules('released where is_interval_changed')}`,
    {
      connectionId,
      holder,
      isComplete,
      coveredPolls,
      steps: [...INTERVAL_STEPS],
      error: error ?? null,
      isNoted: error !== undefined,
    },
  );
}

const noteSchedules = (connections: string) =>
  noteAll('update_poll_schedule', `select connection_id from ${connections}`);

/**
 * Starts the count of covered polls again, because the provider has lost webhooks, or was away and
 * may have. The Schedule is due to be changed if its interval was the longer one.
 */
export async function forgetCoverage(db: Db, connectionId: ConnectionId): Promise<void> {
  await db.raw(
    `with covered as (
       select connection_id, covered_polls from connection_polls
       where connection_id = :connectionId and covered_polls > 0 for no key update
     ),
     forgotten as (
       update connection_polls p set covered_polls = 0 from covered c
       where p.connection_id = c.connection_id
     )
     ${noteSchedules('covered where covered_polls >= :needed')}`,
    { connectionId, needed: COVERED_POLLS_NEEDED },
  );
}

/**
 * Whether a webhook of the tenant's account at a provider has arrived since that time, to within
 * ten seconds: of webhooks within ten seconds only the first is noted.
 */
export async function hasEventSince(
  db: Db,
  { tenantId, provider }: { tenantId: TenantId; provider: Provider },
  since: Date,
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from last_events
     where tenant_id = :tenantId and provider = :provider
       and received_at > :since::timestamptz - interval '10 seconds'`,
    { tenantId, provider, since },
  );
  return rows.length > 0;
}
