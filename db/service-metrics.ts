import type { BackupAges } from '../domain/backups.ts';
import { byProvider, type Provider } from '../domain/payment.ts';
import { BACKUP_AGES } from './backups.ts';
import type { Db } from './connection.ts';
import * as connectionCounts from './connections/counts.ts';
import type { DueKind } from './due-work.ts';
import * as dueWork from './due-work.ts';
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
  /** Points that consumers of all tenants owe for refunds. */
  pointsOwed: number;
  /** How many coming months have their partitions, 2 if all is well. */
  eventMonthsAhead: number;
  /** Since when maintenance has not run to its end; null before the first worker. */
  maintenanceSeconds: number | null;
  /** Since when not all due statements were signed and stored; null before the first worker. */
  statementsSeconds: number | null;
  /** How old the backups are, in seconds; null where nothing tells of any. */
  backupSeconds: BackupAges | null;
  activeConnections: Record<Provider, number>;
  /** Active connections whose merchant must reconnect. */
  reconnects: Record<Provider, number>;
  /** For how many seconds the longest due work of each kind has been due. */
  overdueWork: Record<DueKind, number>;
};

/** After this many failures of an event an operator should look at it. An index knows it, too. */
const POISONED_ATTEMPTS = 5;
/** Events of a kind are counted up to here; how many more there are is the planner's estimate. */
const COUNTED_EXACTLY = 1_000;

/** The metrics but those of connections and due work. */
type EventMetrics = Omit<ServiceMetrics, 'activeConnections' | 'reconnects' | 'overdueWork'>;

/**
 * Reads the metrics in three statements, which touch only kept counts, work that is due, wallets
 * that owe, and no more events than can be counted in a moment.
 */
export async function readServiceMetrics(db: Db): Promise<ServiceMetrics> {
  const [events, counts, overdueWork] = await Promise.all([
    readEvents(db),
    connectionCounts.countByProvider(db),
    dueWork.overdue(db),
  ]);
  return {
    ...events,
    activeConnections: byProvider((name) => counts[name].active),
    reconnects: byProvider((name) => counts[name].reconnect),
    overdueWork,
  };
}

/** Reads how events, debts and periodic jobs are. Writes nothing, not even a kept count. */
export async function readEvents(db: Db): Promise<EventMetrics> {
  const { rows } = await db.raw<{ rows: EventMetrics[] }>(
    `select greatest(e.pending_events, case when e.pending_events >= :exact then (
         select reltuples::bigint from pg_class where oid = 'public.pending_events'::regclass
       ) end) as pending_events, p.poisoned_events, e.oldest_pending_seconds,
       e.old_events + g.given_up_events as given_up_events, m.event_months_ahead, (
         select coalesce(sum(owed), 0)::bigint from wallets where owed > 0
       ) as points_owed, (
         select extract(epoch from now() - completed_at)::float8 from job_runs
         where job = 'maintain'
       ) as maintenance_seconds, (
         select extract(epoch from now() - completed_at)::float8 from job_runs
         where job = 'statements'
       ) as statements_seconds, ${BACKUP_AGES} as backup_seconds
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
     ) m`,
    { days: SWEEP_AGE_DAYS, exact: COUNTED_EXACTLY },
  );
  return one(rows, 'row of figures');
}
