import { id, into, tenantOf } from './rows.ts';

/** What is known of an event, in whichever table it stands. */
const event = (nth: string, receivedAt: string) => ({
  provider: `'alpha'`,
  merchant_id: `'M' || 1 + n / 10`,
  event_type: `'payment.updated'`,
  correlation_id: `'many'`,
  tenant_id: tenantOf(nth),
  received_at: receivedAt,
});

// Of each 10 pending events 2 are due, one of them after a failure, 2 back off, and 6 wait for
// their connections, longer than all others and half of them after failures. One of ten due events
// is leased.
const PENDING = into('pending_events', {
  ...event(
    '(1 + n / 10)',
    `now() - (ROWS - n) * interval '1 second' - case when n % 10 > 3
    then interval '5 days' else interval '0' end`,
  ),
  id: id('event'),
  attempts: 'case when n % 10 in (1, 2, 3, 7, 8, 9) then 1 + n % 9 else 0 end',
  last_error: `case when n % 10 > 0 then 'away' end`,
  next_attempt_at: `case when n % 10 < 2 then now() - (ROWS - n) * interval '1 second'
    when n % 10 < 4 then now() + interval '1 hour' else now() + interval '2 days' end`,
  awaits_connection: 'n % 10 > 3',
  leased_until: `case when n % 100 = 0 then now() + interval '1 minute' end`,
});

// Half of the events that stand still are given up, the newer half of these without an error. The
// others are of a hundred merchants, half of whom have been connected since.
const STALLED = into('stalled_events', {
  ...event(
    '(1 + n / 10)',
    `now() - interval '8 days' - (ROWS - n) * interval '1 minute'
      + case when n % 4 = 0 then interval '5 days' else interval '0' end`,
  ),
  id: id('stalled'),
  tenant_id: `case when n % 2 = 1 then ${tenantOf('(1 + n / 2)')} end`,
  merchant_id: `case when n % 4 = 0 then 'M' else 'X' end || (n % 100)`,
  attempts: '9',
  last_error: `case when n % 2 = 1 and n <= ROWS / 2 then 'away' end`,
});

const CLOSED = {
  provider: `'alpha'`,
  merchant_id: `'M1'`,
  event_type: `'payment.updated'`,
  correlation_id: `'many'`,
  tenant_id: tenantOf('(1 + n / 10)'),
  attempts: '0',
  outcome: `'credited'`,
  received_at: `now() - (ROWS - n) * interval '1 second'`,
  payment_id: `case when n % 10 = 1 then ${id('payment')} end`,
};

/** The events of each kind, in the partitions of this month and of ids that no clock made. */
export const EVENTS: readonly string[] = [
  PENDING,
  STALLED,
  into('webhook_bodies', { id: id('event'), body: `'{}'` }),
  into('webhook_bodies', { id: id('failed payment'), body: `'{}'` }),
  into('event_outcomes', { ...CLOSED, id: id('closed') }),
  into('event_outcomes', { ...CLOSED, id: id('failed payment') }),
  into('last_events', { tenant_id: id('tenant'), provider: `'alpha'` }),
];
