import type { Provider } from '../domain/payment.ts';
import type { Db } from './connection.ts';
import * as connectionCounts from './connections/counts.ts';
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

type EventMetrics = Omit<ServiceMetrics, 'activeConnections' | 'reconnects'>;

/** Reads the metrics in two statements, which touch only open events and kept counts. */
export async function readServiceMetrics(db: Db): Promise<ServiceMetrics> {
  const [events, { alpha, beta }] = await Promise.all([
    readEvents(db),
    connectionCounts.countByProvider(db),
  ]);
  return {
    ...events,
    activeConnections: { alpha: alpha.active, beta: beta.active },
    reconnects: { alpha: alpha.reconnect, beta: beta.reconnect },
  };
}

async function readEvents(db: Db): Promise<EventMetrics> {
  const { rows } = await db.raw<{ rows: EventMetrics[] }>(
    `select e.pending_events, e.poisoned_events, e.oldest_pending_seconds,
       e.old_events + g.given_up_events as given_up_events
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
     ) g`,
    { poisoned: POISONED_ATTEMPTS, days: SWEEP_AGE_DAYS },
  );
  return one(rows, 'row of figures');
}
