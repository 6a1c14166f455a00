import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/connection.ts';
import { bodyOf, emailOf } from '../sales.ts';
import { type Size, tenantOf } from './sizes.ts';

/** The merchants whose connections stay active, so that few are polled while it is measured. */
const OPEN_MERCHANTS = 100;
/** Events that an outage has left, each a sale that must be credited once. */
const WAITING = 2_000;
/** Events that are swept no more, half of them of merchants that nobody has connected. */
const GIVEN_UP = 20_000;

/** Adds what the old release has open, and returns the ids of the payments that are still due. */
export async function prepareOld(db: Db, size: Size): Promise<string[]> {
  await db.raw(
    `update pos_connections set status = 'disconnected'
     where substr(merchant_id, 9)::int >= :open`,
    { open: OPEN_MERCHANTS },
  );
  const buyers = buyersOf(size);
  const sales = Array.from({ length: WAITING }, (_, nth) => ({
    consumer: buyers[nth % buyers.length] ?? 0,
    paymentId: `waiting-${nth}`,
  }));
  await db.raw(
    `insert into webhook_events (id, provider, tenant_id, merchant_id, event_type, body,
       correlation_id, received_at, next_attempt_at, attempts, last_error)
     select n.id, 'alpha', c.tenant_id, n.merchant_id, 'payment.updated', n.body, 'waiting',
       now() - interval '1 hour', now() + random() * interval '60 seconds', 1,
       'The database was away.'
     from unnest(:ids::uuid[], :merchantIds::text[], :bodies::bytea[]) as n(id, merchant_id, body)
     join pos_connections c on c.provider = 'alpha' and c.merchant_id = n.merchant_id`,
    {
      ids: sales.map(() => randomUUID()),
      merchantIds: sales.map(({ consumer }) => merchantOf(consumer, size)),
      bodies: sales.map(({ consumer, paymentId }) =>
        bodyOf({
          paymentId,
          merchantId: merchantOf(consumer, size),
          email: emailOf(consumer),
          amount: 500,
        }),
      ),
    },
  );
  await db.raw(
    `insert into webhook_events (id, provider, tenant_id, merchant_id, event_type, body,
       correlation_id, received_at, next_attempt_at, attempts, last_error)
     select gen_random_uuid(), 'alpha', case when n % 2 = 0 then c.tenant_id end,
       case when n % 2 = 0 then c.merchant_id else 'NOBODY' || n end, 'payment.updated', '{}',
       'given up', now() - interval '8 days', now() - interval '1 day', 20, 'The token was refused.'
     from generate_series(1, :givenUp) n
     join pos_connections c on c.merchant_id = 'MERCHANT' || n % :open`,
    { givenUp: GIVEN_UP, open: OPEN_MERCHANTS },
  );
  await db.raw('analyze');
  return sales.map(({ paymentId }) => paymentId);
}

/** The consumers who buy where the connection is active. */
export function buyersOf(size: Size): number[] {
  const all = Array.from({ length: size.wallets }, (_, consumer) => consumer);
  return all.filter((consumer) => tenantOf(consumer, size) < OPEN_MERCHANTS);
}

function merchantOf(consumer: number, size: Size): string {
  return `MERCHANT${tenantOf(consumer, size)}`;
}
