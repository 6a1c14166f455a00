import type { Span } from '../../../domain/intervals.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import type { Calls, ListedPayment } from '../provider.ts';
import { ProviderError } from '../shared/error.ts';
import type { Beta } from './client.ts';
import { withoutContacts } from './fetch-payments.ts';
import type { BetaPayment } from './resources.ts';

/** The most that beta lists at a time. */
const LIMIT = 1_000;

/** Lists the payments that were created in a span, newest first. Throws what the calls throw. */
export async function* listBetaCreated(
  beta: Pick<Beta, 'listPayments' | 'findCurrency'>,
  calls: Calls,
  span: Span,
): AsyncGenerator<ListedPayment[]> {
  const { ask, merchantId, signal } = calls;
  for (let offset = 0; ; offset += LIMIT) {
    const listing = { ...span, offset, limit: LIMIT };
    const items = await ask((token) => beta.listPayments(token, merchantId, listing, signal));
    const page: ListedPayment[] = [];
    for (const item of items) {
      if (!('payment' in item)) page.push(item);
      else page.push({ at: item.at, payment: await inCurrency(beta, calls, item.payment) });
    }
    yield page;
    // There is no mark of the last page.
    if (items.length < LIMIT) return;
  }
}

/** Finds a payment, without asking who bought; null when beta does not have it. */
export async function findBetaPayment(
  beta: Pick<Beta, 'findPayment' | 'findCurrency'>,
  calls: Calls,
  paymentId: string,
): Promise<NormalizedPayment | null> {
  const { ask, merchantId, signal } = calls;
  try {
    const found = await ask((token) => beta.findPayment(token, merchantId, paymentId, signal));
    return await inCurrency(beta, calls, found);
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return null;
    throw error;
  }
}

async function inCurrency(
  beta: Pick<Beta, 'findCurrency'>,
  { ask, merchantId }: Calls,
  payment: BetaPayment,
): Promise<NormalizedPayment> {
  const named = payment.order?.currency ?? null;
  const currency = named ?? (await ask((token) => beta.findCurrency(token, merchantId)));
  return withoutContacts(payment, currency);
}
