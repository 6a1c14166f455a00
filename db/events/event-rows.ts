import type { EventId, PaymentId, TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import { EVENT } from './stalled-events.ts';

// Selections of events as operators see them, one for each table in which an event can stand. A
// condition may follow each.

/** A stored event without its body. */
export type EventRow = {
  id: EventId;
  provider: Provider;
  tenantId: TenantId | null;
  merchantId: string;
  eventType: string;
  correlationId: string;
  receivedAt: Date;
  processed: boolean;
  processedAt: Date | null;
  outcome: string | null;
  outcomeReason: string | null;
  paymentId: PaymentId | null;
  attempts: number;
  lastError: string | null;
  /** Null when no sweep takes it. */
  nextAttemptAt: Date | null;
  /** Whether it waits for its connection to work again. */
  awaitsConnection: boolean;
  leasedUntil: Date | null;
};

/** Columns of an event that is not closed. */
const OPEN = `false as processed, null::timestamptz as processed_at, null as outcome`;
const NO_LEASE = 'false as awaits_connection, null::timestamptz as leased_until';

/** An event that is still swept. */
export const PENDING = `select ${EVENT}, ${OPEN}, null as outcome_reason, null::uuid as payment_id,
  next_attempt_at, awaits_connection, leased_until from pending_events`;
/** An event that no sweep takes. */
export const STALLED = `select ${EVENT}, ${OPEN},
  case when tenant_id is null then 'unknown_merchant' end as outcome_reason,
  null::uuid as payment_id, null::timestamptz as next_attempt_at, ${NO_LEASE} from stalled_events`;
/** An event that was processed. */
export const CLOSED = `select ${EVENT}, true as processed, processed_at, outcome, outcome_reason,
  payment_id, null::timestamptz as next_attempt_at, ${NO_LEASE} from event_outcomes`;
