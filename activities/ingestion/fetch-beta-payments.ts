import type { NormalizedPayment } from '../../domain/payment.ts';
import type { Beta } from '../../gateways/beta/client.ts';
import type { BetaCustomer, BetaOrder, BetaPayment } from '../../gateways/beta/resources.ts';
import { readBetaUpdates } from '../../gateways/beta/webhooks.ts';
import { InvalidPayload, ProviderError } from '../../gateways/provider/error.ts';

export type FetchedPayments = {
  payments: NormalizedPayment[];
  /** Why others could not be had, an error each; a transient one is worth another attempt. */
  failures: unknown[];
};

/** Whether a payment has its consumer already, so that its customer need not be asked for. */
export type IsDecided = (providerPaymentId: string) => Promise<boolean>;

/**
 * Asks beta for all payments that a stored webhook body speaks of, each by itself, with the contacts
 * of their orders' customers. Payments of a changed order are among them once it has a customer, so
 * that anonymous ones can be matched late. What beta knows no customer of comes without contacts.
 * Writes nothing, so it may run again. Throws InvalidPayload for a body that is none of beta's.
 */
export async function fetchBetaPayments(
  { beta, isDecided }: { beta: Beta; isDecided: IsDecided },
  { merchantId }: { merchantId: string },
  accessToken: string,
  body: Buffer,
): Promise<FetchedPayments> {
  const { paymentIds, orderIds } = readBetaUpdates(body);
  const account = createAccount(beta, { accessToken, merchantId }, { orderIds, isDecided });
  const failures: unknown[] = [];

  const orders = await each(orderIds, failures, account.findOrder);
  const ofOrders = orders.flatMap((order) => (order?.customerId ? order.paymentIds : []));
  const ids = [...new Set([...paymentIds, ...ofOrders])];
  const payments = await each(ids, failures, account.findPayment);
  return { payments, failures };
}

async function each<T, R>(
  items: readonly T[],
  failures: unknown[],
  step: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = await Promise.allSettled(items.map(step));
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value];
    failures.push(result.reason);
    return [];
  });
}

type Token = { accessToken: string; merchantId: string };

/** What one token sees of one merchant, each order and customer asked for once. */
function createAccount(
  beta: Beta,
  { accessToken, merchantId }: Token,
  { orderIds, isDecided }: { orderIds: string[]; isDecided: IsDecided },
) {
  const findMerchant = once(() => beta.findMerchant(accessToken, merchantId));
  // A token to which the merchant's own record is shown is good: it only lacks a permission.
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
    permitted(beta.findOrder(accessToken, merchantId, id, { withPayments: orderIds.includes(id) })),
  );
  const findCustomer = once((id) => permitted(beta.findCustomer(accessToken, merchantId, id)));

  const completed = async (order: BetaOrder | null): Promise<BetaOrder | null> => {
    if (order === null || order.customerId !== null) return order;
    return (await findOrder(order.id)) ?? order;
  };

  return {
    findOrder,
    async findPayment(id: string): Promise<NormalizedPayment> {
      const payment = await beta.findPayment(accessToken, merchantId, id);
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

/** Whose payment it is matters only for one that was settled, if only until it was voided. */
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
