import type { Db } from '../../../db/connection.ts';
import { readBody } from '../../../db/events/stored-bodies.ts';
import type { EventId, PaymentId } from '../../../domain/ids.ts';

const EVENT = `id, provider, tenant_id, merchant_id, event_type, correlation_id, received_at,
  attempts, last_error`;
const EVENTS = `
  select ${EVENT}, false as processed, null::timestamptz as processed_at, null as outcome,
    null as outcome_reason, null::uuid as payment_id, next_attempt_at, awaits_connection,
    is_doubtful, leased_until, lease_run, lease_holder
  from pending_events
  union all
  select ${EVENT}, false, null, null, case when tenant_id is null then 'unknown_merchant' end, null,
    'infinity', false, false, null, null, null
  from stalled_events
  union all
  select ${EVENT}, true, processed_at, outcome, outcome_reason, payment_id, null, false, false,
    null, null, null
  from event_outcomes`;

/** Every stored event, with its body as it is stored: a query to be narrowed. */
export function eventRows(db: Db) {
  return db.select('events.*').from(
    db.raw(
      `(select e.*, b.body, b.encoding
          from (${EVENTS}) e join webhook_bodies b on b.id = e.id) as events`,
    ),
  );
}

/** Every stored event, with its body as it was received. */
export async function receivedEvents(db: Db) {
  const rows = await eventRows(db).select();
  return rows.map(({ encoding, body, ...row }) => ({ ...row, body: readBody({ body, encoding }) }));
}

/** Closes events as ingestion does. */
export async function closeEvents(
  db: Db,
  ids: readonly EventId[],
  { outcome = 'ignored', paymentId }: { outcome?: string; paymentId?: PaymentId } = {},
): Promise<void> {
  await db.raw(
    `with gone as (delete from pending_events where id = any(:ids) returning *)
     insert into event_outcomes (${EVENT}, outcome, payment_id)
     select ${EVENT}, :outcome, :paymentId::uuid from gone`,
    { ids: [...ids], outcome, paymentId: paymentId ?? null },
  );
}

/** Makes a pending event as old as if it had arrived that long ago. */
export async function ageEvent(db: Db, id: EventId, age: string): Promise<void> {
  await db.raw(
    `update pending_events set received_at = now() - :age::interval,
       next_attempt_at = now() - :age::interval
     where id = :id`,
    { id, age },
  );
}

/** Deletes every event; only the owner of the schema can. */
export async function forgetEvents(owner: Db): Promise<void> {
  const { rows } = await owner.raw<{ rows: { partitions: string }[] }>(
    `select string_agg(inhrelid::regclass::text, ', ') as partitions from pg_inherits
     where inhparent in ('webhook_bodies'::regclass, 'event_outcomes'::regclass)`,
  );
  await owner.raw(`truncate pending_events, stalled_events, last_events, ${rows[0]?.partitions}`);
}
