import type { Span } from '../../../domain/intervals.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import type { Calls, ListedPayment } from '../provider.ts';
import { InvalidPayload, ProviderError } from '../shared/error.ts';
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
      page.push('payment' in item ? await withCurrency(beta, calls, item) : item);
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

/** One whose currency nobody names is unreadable, as it is alone: the others can be listed. */
async function withCurrency(
  beta: Pick<Beta, 'findCurrency'>,
  calls: Calls,
  { at, payment }: { at: Date; payment: BetaPayment },
): Promise<ListedPayment> {
  try {
    return { at, payment: await inCurrency(beta, calls, payment) };
  } catch (error) {
    if (!(error instanceof InvalidPayload)) throw error;
    return { at, id: payment.providerPaymentId, error: error.message };
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
