// A stalled event is one that no sweep takes: it was given up, or nobody has connected its merchant
// (it has no tenant). They are out of the way of the pending ones, however many there are.

/** What an event is, in whichever table it stands. */
export const EVENT = `id, provider, tenant_id, merchant_id, event_type, correlation_id, received_at,
  attempts, last_error`;

/** The end of a statement that gives the events of its part `gone` up. */
export const STALL_GONE = `
  insert into stalled_events (${EVENT})
  select ${EVENT} from gone order by id`;
