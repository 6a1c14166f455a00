import { createHash } from 'node:crypto';
import { EventId, type TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import { storedBody } from './stored-bodies.ts';

/** A payment that a poll listed and could not ingest, as an event that the sweep tries again. */
export type FailedPayment = {
  tenantId: TenantId;
  provider: Provider;
  merchantId: string;
  providerPaymentId: string;
  /** When the provider last changed it: each of its versions fails for itself. */
  changedAt: Date | null;
  eventType: string;
  /** What an event would say to have the payment fetched. */
  body: Buffer;
  error: string;
  /** Whether it was only left out because somebody held its wallet: that is no attempt. */
  isHeld?: boolean | undefined;
  /** Names what asks for it, where it may be asked for once more; by default polls do, once. */
  askedBy?: string;
};

/** As long as after the first failure of any event. */
const FIRST_RETRY_SECONDS = 30;

/**
 * Stores an event for each of the payments, whose first attempt has failed or could not be made. A
 * payment that a later poll lists once more, unchanged, has its event already, for as long as its
 * body is kept. Returns the ids of the events.
 */
export async function record(db: Db, payments: readonly FailedPayment[]): Promise<EventId[]> {
  if (payments.length === 0) return [];
  const stored = payments.map((payment) => storedBody(payment.body));
  const ids = payments.map(eventIdOf);
  await db.raw(
    `with failed as (
       select * from unnest(:ids::uuid[], :providers::text[], :tenantIds::uuid[],
           :merchantIds::text[], :eventTypes::text[], :bodies::bytea[], :encodings::smallint[],
           :errors::text[], :attempts::integer[], :causes::text[])
         as n(id, provider, tenant_id, merchant_id, event_type, body, encoding, error, attempts,
           cause)
     ),
     stored as (
       insert into webhook_bodies (id, body, encoding)
       select id, body, encoding from failed order by id
       on conflict (id) do nothing
       returning id
     )
     insert into pending_events (id, provider, tenant_id, merchant_id, event_type, correlation_id,
       attempts, last_error, next_attempt_at)
     select f.id, f.provider, f.tenant_id, f.merchant_id, f.event_type, f.cause, f.attempts,
       f.error, now() + make_interval(secs => :seconds)
     from failed f join stored s on s.id = f.id
     order by f.id`,
    {
      seconds: FIRST_RETRY_SECONDS,
      ids,
      providers: payments.map(({ provider }) => provider),
      tenantIds: payments.map(({ tenantId }) => tenantId),
      merchantIds: payments.map(({ merchantId }) => merchantId),
      eventTypes: payments.map(({ eventType }) => eventType),
      bodies: stored.map(({ body }) => body),
      encodings: stored.map(({ encoding }) => encoding),
      errors: payments.map(({ error }) => error),
      attempts: payments.map(({ isHeld = false }) => (isHeld ? 0 : 1)),
      causes: payments.map(({ askedBy }) => (askedBy === undefined ? 'poll' : 'truth')),
    },
  );
  return ids;
}

/** The same id for the same version of a payment, in the form of a UUID of version 8. */
function eventIdOf(payment: FailedPayment): EventId {
  const { tenantId, provider, providerPaymentId, changedAt, askedBy } = payment;
  const version = JSON.stringify([tenantId, provider, providerPaymentId, changedAt, askedBy]);
  const hex = createHash('sha256').update(version).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return EventId.parse([...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-'));
}
