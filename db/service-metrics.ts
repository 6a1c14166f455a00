import type { Provider } from '../domain/payment.ts';
import type { Db } from './connection.ts';
import { SWEEP_AGE_DAYS } from './events/webhook-events.ts';
import { one } from './one.ts';

/** The state of the service as its tables show it. */
export type ServiceMetrics = {
  /**
   * Events of known tenants that are not processed and are still swept: exact up to 1,000, an
   * estimate beyond.
   */
  pendingEvents: number;
  /** Pending events that have failed five times or more, counted up to 1,000. */
  poisonedEvents: number;
  /** Age of the oldest pending event; 0 without one. */
  oldestPendingSeconds: number;
  /**
   * Events that were not processed within seven days and are no longer swept: exact up to 1,000, an
   * estimate beyond.
   */
  givenUpEvents: number;
  /** How many coming months have their partitions, 2 if all is well. */
  eventMonthsAhead: number;
  activeConnections: Record<Provider, number>;
  /** Active connections whose merchant must reconnect. */
  reconnects: Record<Provider, number>;
};

/** After this many failures of an event an operator should look at it. An index knows it, too. */
const POISONED_ATTEMPTS = 5;
/** Events of a kind are counted up to here; how many more there are is the planner's estimate. */
const COUNTED_EXACTLY = 1_000;

type Row = Omit<ServiceMetrics, 'activeConnections' | 'reconnects'> & {
  connections: { provider: Provider; active: number; reconnect: number }[];
};

/**
 * Reads the metrics in one statement that touches only active connections, and no more events than
 * it can count in a moment.
 */
export async function readServiceMetrics(db: Db): Promise<ServiceMetrics> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select greatest(e.pending_events, case when e.pending_events >= :exact then (
         select reltuples::bigint from pg_class where oid = 'public.pending_events'::regclass
       ) end) as pending_events, p.poisoned_events, e.oldest_pending_seconds,
       e.old_events + g.given_up_events as given_up_events, m.event_months_ahead,
       coalesce(c.connections, '[]') as connections
     from (
       select count(*) filter (where is_swept) as pending_events,
         coalesce(extract(epoch from now() - min(received_at) filter (where is_swept)), 0)::float8
           as oldest_pending_seconds,
         count(*) filter (where not is_swept) as old_events
       from (
         select received_at, received_at > now() - make_interval(days => :days) as is_swept
         from pending_events order by id limit :exact
       ) open
     ) e
     cross join (
       select count(*) as poisoned_events from (
         select from pending_events
         where attempts >= ${POISONED_ATTEMPTS}
           and received_at > now() - make_interval(days => :days)
         limit :exact
       ) poisoned
     ) p
     cross join (
       select case when count(*) < :exact then count(*)
         else greatest(count(*), (
           select reltuples::bigint from pg_class
           where oid = 'public.stalled_events_given_up'::regclass
         )) end as given_up_events
       from (
         select from stalled_events where tenant_id is not null limit :exact
       ) given_up
     ) g
     cross join (
       select count(*) as event_months_ahead
       from generate_series(1, 2) ahead
       cross join lateral to_char((now() at time zone 'UTC') + make_interval(months => ahead),
         '_YYYY_MM') as month
       where to_regclass('public.webhook_bodies' || month) is not null
         and to_regclass('public.event_outcomes' || month) is not null
     ) m
     cross join (
       select jsonb_agg(jsonb_build_object('provider', pos_type, 'active', active,
           'reconnect', reconnect)) as connections
       from (
         select pos_type, count(*) as active, count(needs_reconnect_since) as reconnect
         from pos_connections where status = 'active' group by pos_type
       ) each
     ) c`,
    { days: SWEEP_AGE_DAYS, exact: COUNTED_EXACTLY },
  );
  const { connections, ...events } = one(rows, 'row of figures');
  const perProvider = (of: 'active' | 'reconnect') => {
    const count = (name: Provider) => connections.find(({ provider }) => provider === name)?.[of];
    return { alpha: count('alpha') ?? 0, beta: count('beta') ?? 0 } satisfies Record<
      Provider,
      number
    >;
  };
  return {
    ...events,
    activeConnections: perProvider('active'),
    reconnects: perProvider('reconnect'),
  };
}
