import type { NormalizedPayment } from '../../../domain/payment.ts';
import type { Asking, EventAnswer } from '../provider.ts';
import { ProviderError } from '../shared/error.ts';
import type { Alpha } from './client.ts';
import { readAlphaReport } from './payloads.ts';

/**
 * Fetches the payment of a stored event, unless the event holds it. Throws what the call throws,
 * and a transient ProviderError when alpha does not know the payment yet.
 */
export async function fetchAlphaPayment(
  alpha: Pick<Alpha, 'findPayment'>,
  asking: Asking,
  body: Buffer,
): Promise<EventAnswer> {
  const payment = await paymentOf(alpha, asking, body);
  return { payments: payment === null ? [] : [payment], failures: [] };
}

async function paymentOf(
  alpha: Pick<Alpha, 'findPayment'>,
  { ask, signal }: Asking,
  body: Buffer,
): Promise<NormalizedPayment | null> {
  const report = readAlphaReport(body);
  if (report.kind === 'payment') return report.payment;
  if (report.kind !== 'refund') return null;
  const payment = await ask((token) => alpha.findPayment(token, report.paymentId, signal));
  if (payment !== null) return payment;
  // The event of a refund may arrive before its payment can be read.
  const message = 'alpha does not know the refunded payment yet.';
  throw new ProviderError(message, 404, { isTransient: true });
}
