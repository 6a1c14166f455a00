import type { Provider } from '../domain/payment.ts';
import type { Db } from './connection.ts';
import { SWEEP_AGE_DAYS } from './events/webhook-events.ts';
import { one } from './one.ts';

/** The state of the service as its tables show it. */
export type ServiceMetrics = {
  /** Events of known tenants that are not processed and are still swept. */
  pendingEvents: number;
  /** Pending events that have failed five times or more. */
  poisonedEvents: number;
  /** Age of the oldest pending event; 0 without one. */
  oldestPendingSeconds: number;
  /** Events that were not processed within seven days and are no longer swept. */
  givenUpEvents: number;
  activeConnections: Record<Provider, number>;
  /** Active connections whose merchant must reconnect. */
  reconnects: Record<Provider, number>;
};

/** After this many failures of an event an operator should look at it. */
const POISONED_ATTEMPTS = 5;

type Row = Omit<ServiceMetrics, 'activeConnections' | 'reconnects'> & {
  connections: { provider: Provider; active: number; reconnect: number }[];
};

/** Reads the metrics in one statement that touches only open events and active connections. */
export async function readServiceMetrics(db: Db): Promise<ServiceMetrics> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select e.pending_events, e.poisoned_events, e.oldest_pending_seconds,
       e.old_events + g.given_up_events as given_up_events,
       coalesce(c.connections, '[]') as connections
     from (
       select count(*) filter (where is_swept) as pending_events,
         count(*) filter (where is_swept and attempts >= :poisoned) as poisoned_events,
         coalesce(extract(epoch from now() - min(received_at) filter (where is_swept)), 0)::float8
           as oldest_pending_seconds,
         count(*) filter (where not is_swept) as old_events
       from (
         select attempts, received_at,
           received_at > now() - make_interval(days => :days) as is_swept
         from webhook_events
         where not processed and tenant_id is not null and next_attempt_at < 'infinity'
       ) open
     ) e
     cross join (
       select count(*) as given_up_events from webhook_events
       where not processed and tenant_id is not null and next_attempt_at = 'infinity'
     ) g
     cross join (
       select jsonb_agg(jsonb_build_object('provider', pos_type, 'active', active,
           'reconnect', reconnect)) as connections
       from (
         select pos_type, count(*) as active, count(needs_reconnect_since) as reconnect
         from pos_connections where status = 'active' group by pos_type
       ) each
     ) c`,
    { poisoned: POISONED_ATTEMPTS, days: SWEEP_AGE_DAYS },
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
