import type { TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import { one } from '../one.ts';
import { type EventFailure, SWEEP_AGE_DAYS } from './webhook-events.ts';

// An event waits for its connection while the provider is away, while the merchant must reconnect,
// and while no connection is active. That is no failed attempt. Its next attempt is then the moment
// at which it is given up, so that no sweep looks at it, until the connection works again.
//
// A row of `waiting_checks` says that events and connection have to be compared. It is added in the
// transaction that lets events wait, and in the one that makes the connection work again. A sweep
// locks the row first, compares in a second statement, and then deletes the row. The second
// statement sees what was committed before the lock; what is committed later adds the row again. So
// no event waits for a connection that works, and no tick looks at those that stay as they are.

/**
 * Lets events wait for their connection, with the reason, and keeps them leased to whoever holds
 * them only if `isLeased`. Events that were closed in the meantime stay as they are.
 */
export async function park(
  db: Db,
  waiting: readonly EventFailure[],
  isLeased: boolean,
): Promise<void> {
  if (waiting.length === 0) return;
  await db.raw(
    `with parked as (
       update pending_events e
       set awaits_connection = true, last_error = f.error,
         next_attempt_at = e.received_at + make_interval(days => :days),
         leased_until = case when :isLeased then e.leased_until end
       from unnest(:ids::uuid[], :errors::text[]) as f(id, error)
       where e.id = f.id
       returning e.tenant_id, e.provider
     )
     insert into waiting_checks (tenant_id, provider)
     -- In one order, so that callers at the same time cannot deadlock.
     select distinct tenant_id, provider from parked order by tenant_id, provider
     on conflict (tenant_id, provider) do update set changed_at = excluded.changed_at`,
    {
      days: SWEEP_AGE_DAYS,
      isLeased,
      ids: waiting.map((event) => event.id),
      errors: waiting.map((event) => event.error),
    },
  );
}

/**
 * Records errors of the provider about events although it answered a probe. That is no attempt yet:
 * they stay due, and another such error is their own fault. Leases are kept as `park` does.
 */
export async function recordDoubts(
  db: Db,
  doubtful: readonly EventFailure[],
  isLeased: boolean,
): Promise<void> {
  if (doubtful.length === 0) return;
  await db.raw(
    `update pending_events e
     set is_doubtful = true, last_error = f.error, awaits_connection = false,
       next_attempt_at = now(), leased_until = case when :isLeased then e.leased_until end
     from unnest(:ids::uuid[], :errors::text[]) as f(id, error)
     where e.id = f.id`,
    {
      isLeased,
      ids: doubtful.map((event) => event.id),
      errors: doubtful.map((event) => event.error),
    },
  );
}

/** How many connections one step checks. */
const CHECKS = 500;

/**
 * Takes the next checks and makes up to `limit` events due whose connection works. Returns how many
 * became due, and whether that was all: false also says that a step did something, so repeated
 * calls end. A connection with more events is checked again, after the others.
 */
export async function releaseParked(
  db: Db,
  limit: number,
): Promise<{ released: number; isDone: boolean }> {
  return db.transaction(async (tx) => {
    const { rows: checks } = await tx.raw<{ rows: Owner[] }>(
      `select tenant_id, provider from waiting_checks order by changed_at limit :most
       for update skip locked`,
      { most: CHECKS },
    );
    if (checks.length === 0) return { released: 0, isDone: true };
    const { rows } = await tx.raw<{ rows: { released: number; settled: number }[] }>(RELEASE, {
      tenantIds: checks.map(({ tenantId }) => tenantId),
      providers: checks.map(({ provider }) => provider),
      limit,
    });
    const { released, settled } = one(rows, 'row of counts');
    return { released, isDone: released === 0 && settled === 0 };
  });
}

type Owner = { tenantId: TenantId; provider: Provider };

const WORKS = `c.status = 'active' and c.ask_again_at is null and c.needs_reconnect_since is null`;

// Those of another account wait on. One that someone has locked is left, and with it the check.
const RELEASE = `
  with checked as (
    select * from unnest(:tenantIds::uuid[], :providers::text[]) as k(tenant_id, provider)
  ),
  working as materialized (
    select k.tenant_id, k.provider, c.merchant_id from checked k
    join pos_connections c on c.tenant_id = k.tenant_id and c.provider = k.provider and ${WORKS}
  ),
  free as (
    select e.id from working w
    cross join lateral (
      select id from pending_events
      where tenant_id = w.tenant_id and provider = w.provider and awaits_connection
        and merchant_id = w.merchant_id
      limit :limit
      for update skip locked
    ) e
    limit :limit
  ),
  released as (
    update pending_events e set awaits_connection = false, next_attempt_at = now()
    from free where e.id = free.id
    returning e.id
  ),
  kept as (
    select w.tenant_id, w.provider from working w
    cross join lateral (
      select from pending_events
      where tenant_id = w.tenant_id and provider = w.provider and awaits_connection
        and merchant_id = w.merchant_id
        and id not in (select id from free)
      limit 1
    ) other
  ),
  put_last as (
    update waiting_checks k set changed_at = clock_timestamp()
    from kept where k.tenant_id = kept.tenant_id and k.provider = kept.provider
  ),
  settled as (
    delete from waiting_checks k
    using (select * from checked except select * from kept) gone
    where k.tenant_id = gone.tenant_id and k.provider = gone.provider
    returning k.tenant_id
  )
  select (select count(*) from released) as released, (select count(*) from settled) as settled`;

/**
 * Compares the next `limit` connections for which events wait with the connections as they are, and
 * adds checks of those that work. That finds what no change has told, such as events of another
 * release. Returns the last connection, null at the end, and how many checks were added.
 */
export async function addMissingChecks(
  db: Db,
  { after, limit }: { after: Owner | null; limit: number },
): Promise<{ last: Owner | null; added: number }> {
  const { rows } = await db.raw<{ rows: (Owner & { added: number })[] }>(
    `with recursive owners as (
       (select tenant_id, provider, 1 as nth from pending_events
        where awaits_connection
          and (tenant_id, provider) > (:tenantId::uuid, :provider)
        order by tenant_id, provider limit 1)
       union all
       select n.tenant_id, n.provider, o.nth + 1 from owners o cross join lateral (
         select tenant_id, provider from pending_events
         where awaits_connection
           and (tenant_id, provider) > (o.tenant_id, o.provider)
         order by tenant_id, provider limit 1
       ) n
       where o.nth < :limit
     ),
     added as (
       insert into waiting_checks (tenant_id, provider)
       select o.tenant_id, o.provider from owners o
       join pos_connections c on c.tenant_id = o.tenant_id and c.provider = o.provider and ${WORKS}
       order by o.tenant_id, o.provider
       on conflict (tenant_id, provider) do nothing
       returning provider
     )
     select tenant_id, provider, (select count(*) from added) as added
     from owners order by nth desc limit 1`,
    { tenantId: after?.tenantId ?? NO_ID, provider: after?.provider ?? '', limit },
  );
  const [last] = rows;
  return { last: last ?? null, added: last?.added ?? 0 };
}

/** Sorts before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
