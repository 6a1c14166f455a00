import type { Db } from '../connection.ts';
import { EVENT } from './stalled-events.ts';
import { SWEEP_AGE_DAYS } from './webhook-events.ts';

/**
 * Makes up to `limit` events of unknown merchants pending, of the tenants that have connected these
 * merchants since, as long as the events are swept. Returns how many. It looks once at each unknown
 * merchant, not at each connection or event. Running it again changes nothing.
 */
export async function assignTenants(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `with recursive merchant as (
       (select provider, merchant_id from stalled_events
        where tenant_id is null order by provider, merchant_id limit 1)
       union all
       select n.provider, n.merchant_id from merchant m cross join lateral (
         select provider, merchant_id from stalled_events
         where tenant_id is null and (provider, merchant_id) > (m.provider, m.merchant_id)
         order by provider, merchant_id limit 1
       ) n
     ),
     claimed as (
       select e.id, c.tenant_id
       from merchant m
       cross join lateral (
         select tenant_id from pos_connections
         where provider = m.provider and merchant_id = m.merchant_id and status = 'active' limit 1
       ) c
       cross join lateral (
         select id from stalled_events
         where tenant_id is null and provider = m.provider and merchant_id = m.merchant_id
           and received_at > now() - make_interval(days => :days)
         limit :limit
         for update skip locked
       ) e
       limit :limit
     ),
     gone as (
       delete from stalled_events e using claimed c where e.id = c.id
       returning e.id, e.provider, c.tenant_id, e.merchant_id, e.event_type, e.correlation_id,
         e.received_at, e.attempts, e.last_error
     )
     insert into pending_events (${EVENT})
     select ${EVENT} from gone order by id`,
    { days: SWEEP_AGE_DAYS, limit },
  );
  return rowCount;
}
