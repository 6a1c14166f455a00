import { randomUUID } from 'node:crypto';
import { creditBatch } from '../../activities/credit-batch.ts';
import type { Db } from '../../db/connection.ts';
import type { PaymentId, TenantId } from '../../domain/ids.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  required,
  type SomeAlphaPayment,
  storedEvents,
} from './factories.ts';

/** A till of the tenant: brings payments in as the worker does, one after another. */
export async function aTill(
  db: Db,
  tenantId: TenantId,
): Promise<(payment: SomeAlphaPayment) => Promise<PaymentId>> {
  const merchantId = `MERCHANT_${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  return async (payment) => {
    const id = payment.id ?? `PAY_${randomUUID()}`;
    const events = await storedEvents(db, merchantId, [
      anAlphaEvent(merchantId, { ...payment, id }),
    ]);
    await creditBatch(db, events, new Map());
    const stored = await db('payments')
      .where({ tenantId, providerPaymentId: id })
      .first<{ id: PaymentId }>('id');
    return required(stored).id;
  };
}
