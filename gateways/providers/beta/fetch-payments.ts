import type { NormalizedPayment } from '../../../domain/payment.ts';
import type { Asking, EventAnswer } from '../provider.ts';
import { InvalidPayload, ProviderError } from '../shared/error.ts';
import type { Beta } from './client.ts';
import type { BetaCustomer, BetaOrder, BetaPayment } from './resources.ts';
import { readBetaUpdates } from './webhooks.ts';

type IsDecided = Asking['isDecided'];

/** Fetches the payments of a stored event. A token that beta refuses throws ProviderError 401. */
export async function fetchBetaReports(
  beta: Beta,
  { merchantId, ask, isDecided, signal }: Asking,
  body: Buffer,
): Promise<EventAnswer> {
  return ask(async (token) => {
    const reports = await fetchBetaPayments(
      { beta, isDecided, signal },
      { merchantId },
      token,
      body,
    );
    // Beta answers 401 to a bad token and to a missing permission alike. This call throws only for
    // a bad token, and only then may the token be refreshed or the connection be flagged.
    if (reports.failures.some(isUnauthorized)) await beta.findMerchant(token, merchantId, signal);
    return reports;
  });
}

/**
 * Fetches the payments that a stored webhook body of beta names, with the contacts of their orders'
 * customers. When a changed order has a customer, its payments are fetched too, so that anonymous
 * ones can be matched late. A payment without a customer at beta comes without contacts.
 * Writes nothing, so it may run again. Throws InvalidPayload for a body that beta does not send.
 */
export async function fetchBetaPayments(
  {
    beta,
    isDecided,
    signal,
  }: { beta: Beta; isDecided: IsDecided; signal?: AbortSignal | undefined },
  { merchantId }: { merchantId: string },
  accessToken: string,
  body: Buffer,
): Promise<EventAnswer> {
  const { paymentIds, orderIds } = readBetaUpdates(body);
  const asking = { orderIds, isDecided, signal };
  const account = createAccount(beta, { accessToken, merchantId }, asking);
  const failures: unknown[] = [];

  const orders = await each(orderIds, failures, account.findOrder);
  const ofOrders = orders.flatMap((order) => (order?.customerId ? order.paymentIds : []));
  const ids = [...new Set([...paymentIds, ...ofOrders])];
  const payments = await each(ids, failures, account.findPayment);
  return { payments, failures };
}

/** So few that some are finished, customers included, in an attempt that ends before all are. */
const AT_ONCE = 10;

async function each<T, R>(
  items: readonly T[],
  failures: unknown[],
  step: (item: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const results = await Promise.allSettled(items.slice(from, from + AT_ONCE).map(step));
    for (const result of results) {
      if (result.status === 'fulfilled') done.push(result.value);
      else failures.push(result.reason);
    }
  }
  return done;
}

type Token = { accessToken: string; merchantId: string };

/** Reads one merchant's account with one token, each order and customer once. */
function createAccount(
  beta: Beta,
  { accessToken, merchantId }: Token,
  asking: { orderIds: string[]; isDecided: IsDecided; signal: AbortSignal | undefined },
) {
  const { orderIds, isDecided, signal } = asking;
  const findMerchant = once(() => beta.findMerchant(accessToken, merchantId, signal));
  // A token that may read the merchant's own record is good: it only lacks a permission.
  const permitted = async <T>(find: Promise<T>): Promise<T | null> => {
    try {
      return await find;
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      await findMerchant(merchantId);
      return null;
    }
  };
  const findOrder = once((id) =>
    permitted(
      beta.findOrder(accessToken, merchantId, id, { withPayments: orderIds.includes(id), signal }),
    ),
  );
  const findCustomer = once((id) =>
    permitted(beta.findCustomer(accessToken, merchantId, id, signal)),
  );

  const completed = async (order: BetaOrder | null): Promise<BetaOrder | null> => {
    if (order === null || order.customerId !== null) return order;
    return (await findOrder(order.id)) ?? order;
  };

  return {
    findOrder,
    async findPayment(id: string): Promise<NormalizedPayment> {
      const payment = await beta.findPayment(accessToken, merchantId, id, signal);
      const isWanted = mayEarn(payment) && !(await isDecided(id));
      const order = isWanted ? await completed(payment.order) : payment.order;
      const customerId = order?.customerId ?? null;
      const customer = customerId !== null && isWanted ? await findCustomer(customerId) : null;
      const currency =
        order?.currency ??
        payment.order?.currency ??
        (await beta.findCurrency(accessToken, merchantId));
      return normalised(payment, { currency, customerId, customer });
    },
  };
}

/** Only a payment that was settled, even if it was voided later, needs its customer. */
function mayEarn({ state }: BetaPayment): boolean {
  return state === 'settled' || state === 'voided';
}

function normalised(
  { order: _, ...payment }: BetaPayment,
  found: { currency: string | null; customerId: string | null; customer: BetaCustomer | null },
): NormalizedPayment {
  const { currency, customerId, customer } = found;
  if (currency === null) {
    throw new InvalidPayload('Neither the payment’s order nor its merchant names a currency.');
  }
  return {
    ...payment,
    currency,
    providerCustomerId: customerId,
    email: customer?.email ?? null,
    phone: customer?.phone ?? null,
  };
}

/** The payment in a currency, as it is without asking who bought. Throws InvalidPayload. */
export function withoutContacts(payment: BetaPayment, currency: string | null): NormalizedPayment {
  const customerId = payment.order?.customerId ?? null;
  return normalised(payment, { currency, customerId, customer: null });
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ProviderError && error.status === 401;
}

function once<T>(find: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (id) => {
    const answer = asked.get(id) ?? find(id);
    asked.set(id, answer);
    return answer;
  };
}
