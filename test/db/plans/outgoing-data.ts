import { id, into, tenantOf } from './rows.ts';

/** Events, of which half are of the first tenant, and two endpoints of it among those of others. */
export const OUTGOING = [
  into('tenant_events', {
    id: id('entry'),
    tenant_id: tenantOf('n'),
    xid: `(n + 2)::text::xid8`,
    type: `'points.credited'`,
    occurred_at: `now() - (ROWS - n) * interval '1 second'`,
    data: `'{}'`,
  }),
  into('webhook_endpoints', {
    id: id('endpoint'),
    tenant_id: id('tenant', '((n + 1) / 2)'),
    url: `'https://shop.example/'`,
    created_in: `'3:3:'`,
    read_xid: `case when n = 1 then '0' else '9000000' end::xid8`,
  }),
  into('webhook_endpoint_secrets', {
    id: id('secret'),
    endpoint_id: id('endpoint'),
    sealed_secret: `'v1.k1.many'`,
  }),
  into('webhook_deliveries', {
    id: id('delivery'),
    tenant_id: id('tenant', '1'),
    endpoint_id: id('endpoint', '2'),
    event_id: id('entry'),
    type: `'points.credited'`,
    status: `case when n % 2 = 0 then 'delivered' else 'pending' end`,
    next_attempt_at: `case when n % 4 = 1 then now() + interval '1 hour'
      when n % 4 = 3 then now() - n * interval '1 second' end`,
  }),
];
