import type { NormalizedPayment } from '../../../domain/payment.ts';
import type { Contacts, Location, PaymentListing, PaymentPage } from '../provider.ts';
import type { Account } from '../shared/account.ts';
import { type CallObserver, callProvider } from '../shared/request.ts';
import { readAlphaLocations, readAlphaPage, readAlphaPaymentResponse } from './listing.ts';
import { readAlphaCustomer, readAlphaMerchant } from './payloads.ts';

const ORIGINS = {
  production: 'https://connect.squareup.com',
  sandbox: 'https://connect.squareupsandbox.com',
} as const;
/** Pins the API version whose response shapes we read. */
export const ALPHA_HEADERS = { 'square-version': '2025-08-20' };

/** The largest page that alpha returns. */
const PAGE_SIZE = 100;

export type AlphaPlace = {
  environment: keyof typeof ORIGINS;
  origin?: string | undefined;
};

/**
 * Alpha's API. Every call throws ProviderError, or InvalidPayload when the response does not have
 * the expected shape.
 */
export type Alpha = {
  /** The account that the token opens: the merchant's, not that of a location. */
  findMerchant(accessToken: string, signal?: AbortSignal): Promise<Account>;
  /**
   * The contacts of a customer, or null when the merchant's account has no such customer or does
   * not let us read it.
   */
  findCustomer(
    accessToken: string,
    customerId: string,
    signal?: AbortSignal,
  ): Promise<Contacts | null>;
  /** A payment, or null when the merchant's account has no such payment. */
  findPayment(
    accessToken: string,
    paymentId: string,
    signal?: AbortSignal,
  ): Promise<NormalizedPayment | null>;
  /** The account's locations, closed ones included. */
  listLocations(accessToken: string, signal?: AbortSignal): Promise<Location[]>;
  /** A page of a location's payments, earliest first. */
  listPayments(
    accessToken: string,
    listing: PaymentListing,
    signal?: AbortSignal,
  ): Promise<PaymentPage>;
};

/** The origin of alpha's environment, or the one given for a simulator. */
export function alphaOrigin({ environment, origin }: AlphaPlace): string {
  return origin ?? ORIGINS[environment];
}

/** Calls alpha's API at the origin of its environment, or at the one given for a simulator. */
export function createAlpha(options: AlphaPlace & { onCall?: CallObserver | undefined }): Alpha {
  const { onCall } = options;
  const origin = alphaOrigin(options);
  const to = (path: string, call: { accessToken: string; signal: AbortSignal | undefined }) => ({
    provider: 'alpha' as const,
    url: new URL(path, origin),
    headers: ALPHA_HEADERS,
    ...call,
    onCall,
  });

  return {
    async findMerchant(accessToken, signal) {
      return readAlphaMerchant(await callProvider(to('/v2/merchants/me', { accessToken, signal })));
    },

    async findCustomer(accessToken, customerId, signal) {
      if (leavesThePath(customerId)) return null;
      const call = to(`/v2/customers/${encodeURIComponent(customerId)}`, { accessToken, signal });
      const json = await callProvider({ ...call, absent: [403, 404] });
      return json === null ? null : readAlphaCustomer(json);
    },

    async findPayment(accessToken, paymentId, signal) {
      if (leavesThePath(paymentId)) return null;
      const call = to(`/v2/payments/${encodeURIComponent(paymentId)}`, { accessToken, signal });
      const json = await callProvider({ ...call, absent: [404] });
      return json === null ? null : readAlphaPaymentResponse(json);
    },

    async listLocations(accessToken, signal) {
      return readAlphaLocations(await callProvider(to('/v2/locations', { accessToken, signal })));
    },

    async listPayments(accessToken, listing, signal) {
      const call = to(`/v2/payments?${queryOf(listing)}`, { accessToken, signal });
      return readAlphaPage(await callProvider(call), listing.listedBy);
    },
  };
}

/** Alpha assigns no such id; encoded, it would still address another resource. */
function leavesThePath(id: string): boolean {
  return id === '' || id === '.' || id === '..';
}

function queryOf({ locationId, from, to, listedBy, cursor }: PaymentListing): URLSearchParams {
  const time = from.toISOString();
  return new URLSearchParams({
    location_id: locationId,
    ...(listedBy === 'updated_at'
      ? { updated_at_begin_time: time, sort_field: 'UPDATED_AT' }
      : { begin_time: time }),
    ...(to === undefined ? {} : { end_time: to.toISOString() }),
    sort_order: 'ASC',
    limit: String(PAGE_SIZE),
    ...(cursor === null ? {} : { cursor }),
  });
}
