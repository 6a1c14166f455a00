/**
 * The part of a statement that closes events. It reads earlier parts named `result` (event_id,
 * tenant_id, outcome, reason, payment_id, awaits) and `stored` (id, of the payments that the
 * statement stores), and provides `closed`, the ids of the events that it closed. An event whose
 * payments are not all stored stays open.
 */
export const CLOSING = `
  closed as (
    update webhook_events e
    set processed = true, processed_at = now(), outcome = c.outcome, outcome_reason = c.reason,
      tenant_id = coalesce(e.tenant_id, c.tenant_id), payment_id = c.payment_id,
      last_error = null, leased_until = null
    from result c
    where e.id = c.event_id and not e.processed and c.awaits <@ array(select id from stored)
    returning e.id
  )`;
