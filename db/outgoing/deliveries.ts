import { Refusal } from '../../domain/errors.ts';
import type { DeliveryId, EndpointId, TenantEventId, TenantId } from '../../domain/ids.ts';
import { type EventType, TEST_EVENT } from '../../domain/webhook-event.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import type { AttemptResult } from './attempts.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** An event on its way to an endpoint, with what came of the last attempt. */
export type Delivery = Omit<AttemptResult, 'milliseconds'> & {
  id: DeliveryId;
  eventId: TenantEventId;
  type: EventType;
  status: (typeof DELIVERY_STATUSES)[number];
  /** How many attempts there were. */
  attempt: number;
  milliseconds: number | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
};

const COLUMNS = `id, event_id, type, status, attempt, milliseconds, response_status, response,
  error, next_attempt_at, created_at`;

/** Lists the deliveries of a tenant's endpoint, newest event first, of events
 * before `before`. */
export async function list(
  db: Db,
  { tenantId, endpointId }: { tenantId: TenantId; endpointId: EndpointId },
  page: { before: TenantEventId | null; limit: number },
): Promise<Delivery[]> {
  const { rows } = await db.raw<{ rows: Delivery[] }>(
    `select ${COLUMNS} from webhook_deliveries
     where endpoint_id = :endpointId and tenant_id = :tenantId and type <> :testType
       and (:before::uuid is null or event_id < :before::uuid)
     order by event_id desc limit :limit`,
    { tenantId, endpointId, testType: TEST_EVENT, ...page },
  );
  return rows;
}

/**
 * Makes a delivery due now, whatever came of it and whether or not the endpoint is active; from
 * then on it is tried as often as a new one. Throws NOT_FOUND.
 */
export async function replay(
  tx: Tx,
  delivery: { tenantId: TenantId; endpointId: EndpointId; id: DeliveryId },
): Promise<Delivery> {
  const { rows } = await tx.raw<{ rows: Delivery[] }>(
    `update webhook_deliveries
     set status = 'pending', step = 0, planned_at = null,
       next_attempt_at = statement_timestamp()
     where id = :id and endpoint_id = :endpointId and tenant_id = :tenantId and type <> :testType
     returning ${COLUMNS}`,
    { ...delivery, testType: TEST_EVENT },
  );
  const [row] = rows;
  if (row === undefined) throw new Refusal('NOT_FOUND', 'There is no such delivery.');
  return row;
}

/** Makes a test due for an endpoint, and returns the id that its message will have. */
export async function addTest(
  tx: Tx,
  { tenantId, endpointId }: { tenantId: TenantId; endpointId: EndpointId },
): Promise<TenantEventId> {
  const rows = await tx('webhook_deliveries')
    .insert({ id: newId(), tenantId, endpointId, eventId: newId(), type: TEST_EVENT })
    .returning<{ eventId: TenantEventId }[]>('eventId');
  return one(rows, 'test').eventId;
}
