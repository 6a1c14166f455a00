import type { Db } from '../../../db/connection.ts';
import type { PosConnection } from '../../../db/connections/pos-connections.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as failedPayments from '../../../db/events/failed-payments.ts';
import type { EventId, TenantId } from '../../../domain/ids.ts';
import type { Provider } from '../../../domain/payment.ts';
import { providers } from '../../../gateways/providers/index.ts';

/** A payment that was listed and could not be ingested, or has to be fetched. */
export type FailedListing = Pick<
  failedPayments.FailedPayment,
  'providerPaymentId' | 'changedAt' | 'error' | 'isHeld' | 'askedBy'
>;

/**
 * Stores listed payments that failed as events, so that they are shown, counted and tried again as
 * other failures are, while the poll goes on behind them. Running it again stores nothing twice.
 */
export async function recordFailedPayments(
  db: Db,
  { tenantId, provider }: { tenantId: TenantId; provider: Provider },
  failed: readonly FailedListing[],
): Promise<void> {
  if (failed.length === 0) return;
  const [connection] = await posConnections.listActive(db, provider, [tenantId]);
  // Without a connection nothing of the tenant's can be fetched again.
  if (connection !== undefined) await recordListed(db, connection, failed);
}

/**
 * Stores an event for each listed payment of a connection, which has it fetched, and returns their
 * ids; none where the provider lists no payments.
 */
export async function recordListed(
  db: Db,
  { tenantId, provider, merchantId }: Pick<PosConnection, 'tenantId' | 'provider' | 'merchantId'>,
  listed: readonly FailedListing[],
): Promise<EventId[]> {
  const { paymentEvent } = providers[provider];
  if (paymentEvent === undefined) return [];
  const { type: eventType, body } = paymentEvent;
  return failedPayments.record(
    db,
    listed.map((payment) => ({
      ...payment,
      tenantId,
      provider,
      merchantId,
      eventType,
      body: body({ merchantId, paymentId: payment.providerPaymentId }),
    })),
  );
}
