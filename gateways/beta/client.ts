import { InvalidPayload, ProviderError } from '../provider/error.ts';
import { type CallObserver, callProvider } from '../provider/request.ts';
import { createThrottle } from '../provider/throttle.ts';
import {
  type BetaCustomer,
  type BetaMerchant,
  type BetaOrder,
  type BetaPayment,
  readBetaCustomer,
  readBetaMerchant,
  readBetaOrder,
  readBetaPayment,
} from './resources.ts';

const WORLDS = {
  sandbox: { web: 'https://sandbox.dev.clover.com', api: 'https://apisandbox.dev.clover.com' },
  na: { web: 'https://www.clover.com', api: 'https://api.clover.com' },
  eu: { web: 'https://www.eu.clover.com', api: 'https://api.eu.clover.com' },
  la: { web: 'https://www.la.clover.com', api: 'https://api.la.clover.com' },
} as const;
/** Beta allows a token 5 at once and 16 a second; the rest is for what else asks with it. */
const PER_TOKEN = { atOnce: 3, perSecond: 15 };
/** Beta allows an app 50. */
const CALLS_PER_SECOND = 45;
const CURRENCY_KEPT_MS = 10 * 60_000;
const POSSIBLE_ID = /^[A-Za-z0-9_-]{1,64}$/;

export type BetaPlace = {
  environment: 'sandbox' | 'production';
  /** Where the merchants of production are; the sandbox is one for all. */
  region: 'na' | 'eu' | 'la';
  webOrigin?: string | undefined;
  apiOrigin?: string | undefined;
};

/**
 * What beta's API says. Each throws ProviderError, or InvalidPayload for an answer that is none of
 * beta's. 401 may mean the token or a permission that it lacks: beta does not tell them apart.
 */
export type Beta = {
  /** The merchant, if there is one by that id. */
  findMerchant(
    accessToken: string,
    merchantId: string,
    signal?: AbortSignal,
  ): Promise<BetaMerchant | null>;
  /** The merchant's currency, asked for at most every ten minutes. */
  findCurrency(accessToken: string, merchantId: string): Promise<string | null>;
  /** The payment. One that is not there throws a transient 404: news of it may be ahead of it. */
  findPayment(accessToken: string, merchantId: string, paymentId: string): Promise<BetaPayment>;
  /** The order with its customers, and with the ids of its payments where they are wanted. */
  findOrder(
    accessToken: string,
    merchantId: string,
    orderId: string,
    options?: { withPayments: boolean },
  ): Promise<BetaOrder | null>;
  findCustomer(
    accessToken: string,
    merchantId: string,
    customerId: string,
  ): Promise<BetaCustomer | null>;
};

type Question = {
  accessToken: string;
  /** Below all merchants. */
  path: readonly string[];
  /** What is to come along, at most three things: without it beta only refers to them. */
  expand: string;
  signal?: AbortSignal | undefined;
};

/** Where beta is: at the origins of its environment and region, or at those of a simulator. */
export function betaOrigins(place: BetaPlace): { web: string; api: string } {
  const { web, api } = WORLDS[place.environment === 'sandbox' ? 'sandbox' : place.region];
  return { web: place.webOrigin ?? web, api: place.apiOrigin ?? api };
}

/**
 * Talks to beta's API within its limits, three calls at once for each token and `maxConcurrency`
 * altogether; others wait in line. After a 429 the token's calls wait for as long as beta asked.
 */
export function createBeta(
  options: BetaPlace & { maxConcurrency: number; onCall?: CallObserver },
): Beta {
  const { onCall } = options;
  const { api } = betaOrigins(options);
  const altogether = { atOnce: options.maxConcurrency, perSecond: CALLS_PER_SECOND };
  const lines = createThrottle({ perLine: PER_TOKEN, altogether });
  const ask = async ({ accessToken, path, expand, signal }: Question): Promise<unknown> => {
    // In an address it could mean something else, and beta gives out no such id.
    if (!path.every((segment) => POSSIBLE_ID.test(segment))) return null;
    const url = new URL(`/v3/merchants/${path.join('/')}`, api);
    url.searchParams.set('expand', expand);
    return lines.run(accessToken, () =>
      callProvider({ provider: 'beta', url, accessToken, signal, onCall, absent: [404] }),
    );
  };
  const findMerchant: Beta['findMerchant'] = async (accessToken, merchantId, signal) => {
    const answer = await ask({ accessToken, path: [merchantId], expand: 'properties', signal });
    return answer === null ? null : readBetaMerchant(answer);
  };

  return {
    findMerchant,
    findCurrency: rememberingCurrencies(findMerchant),
    async findPayment(accessToken, merchantId, paymentId) {
      const path = [merchantId, 'payments', paymentId];
      const answer = await ask({ accessToken, path, expand: 'order,refunds' });
      if (answer !== null) return readBetaPayment(answer);
      if (!POSSIBLE_ID.test(paymentId)) throw new InvalidPayload('Beta gives out no such ids.');
      throw new ProviderError('beta has no such payment so far.', 404, { isTransient: true });
    },
    async findOrder(accessToken, merchantId, orderId, { withPayments } = { withPayments: false }) {
      const path = [merchantId, 'orders', orderId];
      const expand = withPayments ? 'customers,payments' : 'customers';
      const answer = await ask({ accessToken, path, expand });
      return answer === null ? null : readBetaOrder(answer);
    },
    async findCustomer(accessToken, merchantId, customerId) {
      const path = [merchantId, 'customers', customerId];
      const expand = 'emailAddresses,phoneNumbers';
      const answer = await ask({ accessToken, path, expand });
      return answer === null ? null : readBetaCustomer(answer);
    },
  };
}

function rememberingCurrencies(findMerchant: Beta['findMerchant']): Beta['findCurrency'] {
  const known = new Map<string, { currency: Promise<string | null>; until: number }>();
  return (accessToken, merchantId) => {
    for (const [id, { until }] of known) if (until < performance.now()) known.delete(id);
    const remembered = known.get(merchantId);
    if (remembered !== undefined) return remembered.currency;

    const currency = findMerchant(accessToken, merchantId).then(
      (merchant) => merchant?.currency ?? null,
    );
    const entry = { currency, until: performance.now() + CURRENCY_KEPT_MS };
    known.set(merchantId, entry);
    // What could not be had, or is not said, is asked for again.
    const forget = () => known.get(merchantId) === entry && known.delete(merchantId);
    void currency.then((found) => found === null && forget(), forget);
    return currency;
  };
}
