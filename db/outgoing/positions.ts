import type { EndpointId, TenantId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';
import { isActive } from '../tenants/is-active.ts';
import { OLDEST_OPEN } from './events.ts';

// How far all events are, over all tenants and workers: whose delivery was woken, and what all
// endpoints have read. So each look reads what is new, and not each endpoint.

/** How long a worker may take to wake those that one look has found. */
const LEASE_SECONDS = 10;

const ACTIVE = `p.tenant_id = e.tenant_id and p.status = 'active' and p.deleted_at is null
  and ${isActive('p.tenant_id')}`;

const positionOf = (column: 'told' | 'read') =>
  `coalesce((select ${column} from event_positions), '0'::xid8)`;

/** Events, as `e`, that an endpoint which `which` selects has still to read. */
export const unread = (which = ACTIVE) => `
  e.xid >= ${positionOf('read')} and exists (
    select from webhook_endpoints p
    where ${which} and (p.read_xid, p.read_id) < (e.xid, e.id)
  )`;

/** Says whether an event was settled of which no tenant was told. */
export async function hasNews(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from tenant_events
     where xid >= ${positionOf('told')} and xid < ${OLDEST_OPEN}
     order by xid, id limit 1`,
  );
  return rows.length > 0;
}

/** Tenants to be told, and the position when they were. */
export type News = { position: string; tenantIds: TenantId[] };

/**
 * Takes the news for ten seconds: the tenants with endpoints that have events settled since the
 * last of which tenants were told. Undefined while another worker has them.
 */
export async function take(db: Db, holder: string): Promise<News | undefined> {
  await db.raw('insert into event_positions default values on conflict do nothing');
  const { rows } = await db.raw<{ rows: News[] }>(
    `with free as (
       select is_only from event_positions
       where taken_until is null or taken_until <= clock_timestamp()
       for update skip locked
     ),
     taken as (
       update event_positions n
       set taken_by = :holder, taken_until = clock_timestamp() + make_interval(secs => :seconds)
       from free where n.is_only = free.is_only
       returning n.told
     )
     select ${OLDEST_OPEN}::text as position, array(
       select distinct e.tenant_id from tenant_events e
       where e.xid >= taken.told and e.xid < ${OLDEST_OPEN}
         and exists (select from webhook_endpoints p where ${ACTIVE})
     )::text[] as tenant_ids
     from taken`,
    { holder, seconds: LEASE_SECONDS },
  );
  return rows[0];
}

/**
 * Moves the positions once the tenants of the news were told, and gives the news back. Also where
 * another worker has taken them meanwhile: they were told all the same, and if none moved on that
 * is slower than its lease, ever more tenants would be woken.
 */
export async function moveOn(db: Db, holder: string, { position }: News): Promise<void> {
  await db.transaction(async (tx) => {
    // Whoever has an endpoint read from further back is waited for, and seen by what follows.
    await tx.raw('select from event_positions for no key update');
    await tx.raw(
      `update event_positions
       set told = greatest(told, :position::text::xid8),
         taken_by = nullif(taken_by, :holder),
         taken_until = case when taken_by <> :holder then taken_until end,
         read = coalesce((
           select e.xid from tenant_events e where e.xid < :position::text::xid8 and ${unread()}
           order by e.xid, e.id limit 1
         ), :position::text::xid8)`,
      { holder, position },
    );
  });
}

/** Has events looked at again from where an endpoint is that nobody has looked at. */
export async function lookFrom(tx: Tx, endpointId: EndpointId): Promise<void> {
  await tx.raw(
    `update event_positions set read = least(read, read_xid)
     from webhook_endpoints where id = :endpointId`,
    { endpointId },
  );
}

/** Gives news back of which not all tenants could be told. */
export async function giveBack(db: Db, holder: string): Promise<void> {
  await db.raw(
    'update event_positions set taken_by = null, taken_until = null where taken_by = :holder',
    { holder },
  );
}
