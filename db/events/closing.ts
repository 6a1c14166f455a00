/**
 * The part of a statement that closes events. It reads earlier parts named `result` (event_id,
 * tenant_id, outcome, reason, payment_id, provider_payment_id, and awaits, payments of the same
 * statement) and `lost` (id, of the payments that the statement did not store after all), and
 * provides `closed`, the ids of the events that it closed. An event that awaits a lost payment
 * stays open. The binding `result_event_id` holds the events of `result`.
 */
export const CLOSING = `
  done as (
    delete from pending_events e using result c
    where e.id = any(:result_event_id::uuid[]) and e.id = c.event_id
      and not c.awaits && array(select id from lost)
    returning e.id, e.provider, e.tenant_id, e.merchant_id, e.event_type, e.correlation_id,
      e.received_at, e.attempts, c.outcome, c.reason, c.payment_id,
      c.provider_payment_id
  ),
  closed as (
    insert into event_outcomes (id, provider, tenant_id, merchant_id, event_type, correlation_id,
      received_at, attempts, outcome, outcome_reason, payment_id, provider_payment_id)
    select * from done order by id
    returning id
  )`;
