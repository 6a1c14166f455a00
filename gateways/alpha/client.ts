import type { NormalizedPayment } from '../../domain/payment.ts';
import type { ListedBy } from '../../domain/polling.ts';
import { type CallObserver, callProvider } from '../provider/request.ts';
import {
  type PaymentPage,
  readAlphaLocations,
  readAlphaPage,
  readAlphaPaymentAnswer,
} from './listing.ts';
import { type Contacts, readAlphaCustomer } from './payloads.ts';

const ORIGINS = {
  production: 'https://connect.squareup.com',
  sandbox: 'https://connect.squareupsandbox.com',
} as const;
/** The version whose answers we read; our vocabulary's `Alpha-Version`. */
export const ALPHA_HEADERS = { 'square-version': '2025-08-20' };

/** As many payments as one answer holds (specification 8). */
const PAGE_SIZE = 100;

export type AlphaPlace = {
  environment: keyof typeof ORIGINS;
  origin?: string | undefined;
};

/** A listing and where in it to go on. A cursor is good for the listing that it came from only. */
export type PaymentListing = {
  locationId: string;
  /** The listing begins with what has this time. */
  from: Date;
  listedBy: ListedBy;
  cursor: string | null;
};

/** Every call throws ProviderError, or InvalidPayload for an answer that is none of alpha's. */
export type Alpha = {
  /**
   * The contacts of a customer, or null when the merchant's account has none by that id or does not
   * let us see it.
   */
  findCustomer(
    accessToken: string,
    customerId: string,
    signal?: AbortSignal,
  ): Promise<Contacts | null>;
  /** A payment, or null when the merchant's account has none by that id. */
  findPayment(
    accessToken: string,
    paymentId: string,
    signal?: AbortSignal,
  ): Promise<NormalizedPayment | null>;
  /** The ids of the account's locations, closed ones included. */
  listLocations(accessToken: string, signal?: AbortSignal): Promise<string[]>;
  /** A page of a location's payments, the earliest first. */
  listPayments(
    accessToken: string,
    listing: PaymentListing,
    signal?: AbortSignal,
  ): Promise<PaymentPage>;
};

/** Where alpha is: at the origin of its environment, or at the one given for a simulator. */
export function alphaOrigin({ environment, origin }: AlphaPlace): string {
  return origin ?? ORIGINS[environment];
}

/** Talks to alpha at the origin of its environment, or at the one given for a simulator. */
export function createAlpha(options: AlphaPlace & { onCall?: CallObserver }): Alpha {
  const { onCall } = options;
  const origin = alphaOrigin(options);
  const ask = (path: string, call: { accessToken: string; signal: AbortSignal | undefined }) => ({
    provider: 'alpha' as const,
    url: new URL(path, origin),
    headers: ALPHA_HEADERS,
    ...call,
    onCall,
  });

  return {
    async findCustomer(accessToken, customerId, signal) {
      const call = ask(`/v2/customers/${encodeURIComponent(customerId)}`, { accessToken, signal });
      const answer = await callProvider({ ...call, absent: [403, 404] });
      return answer === null ? null : readAlphaCustomer(answer);
    },

    async findPayment(accessToken, paymentId, signal) {
      const call = ask(`/v2/payments/${encodeURIComponent(paymentId)}`, { accessToken, signal });
      const answer = await callProvider({ ...call, absent: [404] });
      return answer === null ? null : readAlphaPaymentAnswer(answer);
    },

    async listLocations(accessToken, signal) {
      return readAlphaLocations(await callProvider(ask('/v2/locations', { accessToken, signal })));
    },

    async listPayments(accessToken, listing, signal) {
      const call = ask(`/v2/payments?${queryOf(listing)}`, { accessToken, signal });
      return readAlphaPage(await callProvider(call), listing.listedBy);
    },
  };
}

function queryOf({ locationId, from, listedBy, cursor }: PaymentListing): URLSearchParams {
  const time = from.toISOString();
  return new URLSearchParams({
    location_id: locationId,
    ...(listedBy === 'updated_at'
      ? { updated_at_begin_time: time, sort_field: 'UPDATED_AT' }
      : { begin_time: time }),
    sort_order: 'ASC',
    limit: String(PAGE_SIZE),
    ...(cursor === null ? {} : { cursor }),
  });
}
