import type { Span } from '../../../domain/intervals.ts';
import { InvalidPayload, ProviderError } from '../shared/error.ts';
import { type CallObserver, callProvider } from '../shared/request.ts';
import type { CallShares } from '../shared/shared-limits.ts';
import { createThrottle } from '../shared/throttle.ts';
import {
  type BetaCustomer,
  type BetaMerchant,
  type BetaOrder,
  type BetaPayment,
  type ListedBetaPayment,
  readBetaCustomer,
  readBetaMerchant,
  readBetaOrder,
  readBetaPage,
  readBetaPayment,
} from './resources.ts';

const ORIGINS = {
  sandbox: { web: 'https://sandbox.dev.clover.com', api: 'https://apisandbox.dev.clover.com' },
  na: { web: 'https://www.clover.com', api: 'https://api.clover.com' },
  eu: { web: 'https://www.eu.clover.com', api: 'https://api.eu.clover.com' },
  la: { web: 'https://www.la.clover.com', api: 'https://api.la.clover.com' },
} as const;
/** What beta allows for a token, and for an app. */
const PER_TOKEN = { concurrency: 5, perSecond: 16 };
const TOTAL = { concurrency: 10, perSecond: 50 };
const CURRENCY_CACHE_MS = 10 * 60_000;
const ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

export type BetaPlace = {
  environment: 'sandbox' | 'production';
  /** The region of the merchants in production; the sandbox is the same for all regions. */
  region: 'na' | 'eu' | 'la';
  webOrigin?: string | undefined;
  apiOrigin?: string | undefined;
};

/**
 * Beta's API. Every call throws ProviderError, or InvalidPayload when the response does not have
 * the expected shape. 401 means a bad token or a missing permission: beta does not say which.
 */
export type Beta = {
  /** The merchant with that id, or null. */
  findMerchant(
    accessToken: string,
    merchantId: string,
    signal?: AbortSignal,
  ): Promise<BetaMerchant | null>;
  /** The merchant's currency, or null when unknown. Cached for ten minutes. */
  findCurrency(accessToken: string, merchantId: string): Promise<string | null>;
  /**
   * The payment. A missing one throws a transient 404, because a webhook may arrive before the
   * payment can be read.
   */
  findPayment(
    accessToken: string,
    merchantId: string,
    paymentId: string,
    signal?: AbortSignal,
  ): Promise<BetaPayment>;
  /** The payments of a page of those that were created in a span, newest first. */
  listPayments(
    accessToken: string,
    merchantId: string,
    page: Span & { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<ListedBetaPayment[]>;
  /** The order with its customers, and with the ids of its payments on request; or null. */
  findOrder(
    accessToken: string,
    merchantId: string,
    orderId: string,
    options?: { withPayments?: boolean; signal?: AbortSignal | undefined },
  ): Promise<BetaOrder | null>;
  /** The customer with that id, or null. */
  findCustomer(
    accessToken: string,
    merchantId: string,
    customerId: string,
    signal?: AbortSignal,
  ): Promise<BetaCustomer | null>;
};

type BetaRequest = {
  accessToken: string;
  /** Path segments below `/v3/merchants`. */
  path: readonly string[];
  /** Up to three related resources to include; without it beta returns references to them. */
  expand: string;
  /** What else the address asks for. */
  query?: readonly (readonly [string, string])[];
  signal?: AbortSignal | undefined;
};

/** The origins of beta's environment and region, or the ones given for a simulator. */
export function betaOrigins(place: BetaPlace): { web: string; api: string } {
  const { web, api } = ORIGINS[place.environment === 'sandbox' ? 'sandbox' : place.region];
  return { web: place.webOrigin ?? web, api: place.apiOrigin ?? api };
}

/**
 * Calls beta's API within its limits, which hold for all processes that `shares` are shared with;
 * further calls are queued. After a 429 the token's calls pause for as long as beta asked.
 */
export function createBeta(
  options: BetaPlace & { shares?: CallShares | undefined; onCall?: CallObserver | undefined },
): Beta {
  const { onCall, shares: among } = options;
  const { api } = betaOrigins(options);
  const shares = among && { provider: 'beta', among };
  const throttle = createThrottle({ perQueue: PER_TOKEN, total: TOTAL, shares });
  const get = async ({
    accessToken,
    path,
    expand,
    query = [],
    signal,
  }: BetaRequest): Promise<unknown> => {
    // Beta assigns no such id, and in a URL it could address something else.
    if (!path.every((segment) => ID_PATTERN.test(segment))) return null;
    const url = new URL(`/v3/merchants/${path.join('/')}`, api);
    url.searchParams.set('expand', expand);
    for (const [name, value] of query) url.searchParams.append(name, value);
    const call = () =>
      callProvider({ provider: 'beta', url, accessToken, signal, onCall, absent: [404] });
    return throttle.run(accessToken, call, signal);
  };
  const findMerchant: Beta['findMerchant'] = async (accessToken, merchantId, signal) => {
    const expand = 'properties,address';
    const json = await get({ accessToken, path: [merchantId], expand, signal });
    return json === null ? null : readBetaMerchant(json);
  };

  return {
    findMerchant,
    findCurrency: cacheCurrencies(findMerchant),
    async findPayment(accessToken, merchantId, paymentId, signal) {
      const path = [merchantId, 'payments', paymentId];
      const json = await get({ accessToken, path, expand: 'order,refunds', signal });
      if (json !== null) return readBetaPayment(json);
      if (!ID_PATTERN.test(paymentId)) throw new InvalidPayload('Invalid beta payment id.');
      throw new ProviderError('beta does not have this payment yet.', 404, { isTransient: true });
    },
    async listPayments(accessToken, merchantId, { from, to, offset, limit }, signal) {
      const path = [merchantId, 'payments'];
      const query = [
        ['filter', `createdTime>=${from.getTime()}`],
        ['filter', `createdTime<${to.getTime()}`],
        ['offset', String(offset)],
        ['limit', String(limit)],
      ] as const;
      const json = await get({ accessToken, path, expand: 'order,refunds', query, signal });
      return json === null ? [] : readBetaPage(json);
    },
    async findOrder(accessToken, merchantId, orderId, { withPayments = false, signal } = {}) {
      const path = [merchantId, 'orders', orderId];
      const expand = withPayments ? 'customers,payments' : 'customers';
      const json = await get({ accessToken, path, expand, signal });
      return json === null ? null : readBetaOrder(json);
    },
    async findCustomer(accessToken, merchantId, customerId, signal) {
      const path = [merchantId, 'customers', customerId];
      const expand = 'emailAddresses,phoneNumbers';
      const json = await get({ accessToken, path, expand, signal });
      return json === null ? null : readBetaCustomer(json);
    },
  };
}

function cacheCurrencies(findMerchant: Beta['findMerchant']): Beta['findCurrency'] {
  const cache = new Map<string, { currency: Promise<string | null>; until: number }>();
  return (accessToken, merchantId) => {
    for (const [id, { until }] of cache) if (until < performance.now()) cache.delete(id);
    const cached = cache.get(merchantId);
    if (cached !== undefined) return cached.currency;

    const currency = findMerchant(accessToken, merchantId).then(
      (merchant) => merchant?.currency ?? null,
    );
    const entry = { currency, until: performance.now() + CURRENCY_CACHE_MS };
    cache.set(merchantId, entry);
    // A failure or a missing currency is not cached: the next call asks again.
    const forget = () => cache.get(merchantId) === entry && cache.delete(merchantId);
    void currency.then((found) => found === null && forget(), forget);
    return currency;
  };
}
