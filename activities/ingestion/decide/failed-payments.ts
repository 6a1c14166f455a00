import type { Db } from '../../../db/connection.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as failedPayments from '../../../db/events/failed-payments.ts';
import type { TenantId } from '../../../domain/ids.ts';
import type { Provider } from '../../../domain/payment.ts';
import { providers } from '../../../gateways/providers/index.ts';

/** A payment that a poll listed and that could not be ingested. */
export type FailedListing = Pick<
  failedPayments.FailedPayment,
  'providerPaymentId' | 'changedAt' | 'error' | 'isHeld'
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
  const { polling } = providers[provider];
  if (failed.length === 0 || polling === undefined) return;
  const { type: eventType, body } = polling.failedPayment;
  const [connection] = await posConnections.listActive(db, provider, [tenantId]);
  // Without a connection nothing of the tenant's can be fetched again.
  if (connection === undefined) return;
  const { merchantId } = connection;
  await failedPayments.record(
    db,
    failed.map((payment) => ({
      ...payment,
      tenantId,
      provider,
      merchantId,
      eventType,
      body: body({ merchantId, paymentId: payment.providerPaymentId }),
    })),
  );
}
