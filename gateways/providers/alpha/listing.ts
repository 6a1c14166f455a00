import { z } from 'zod';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import type { ListedBy } from '../../../domain/polling.ts';
import type { ListedPayment, Location, PaymentPage } from '../provider.ts';
import { AccountCountry } from '../shared/account.ts';
import { InvalidPayload } from '../shared/error.ts';
import { parseAs } from '../shared/json.ts';
import { normaliseAlphaPayment } from './payloads.ts';

const id = z.string().min(1).max(192);
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const Page = z.object({
  payments: z.array(z.unknown()).nullish(),
  cursor: z.string().nullish(),
});
const LocationsResponse = z.object({
  locations: z.array(z.object({ id, country: AccountCountry })).nullish(),
});
const PaymentResponse = z.object({ payment: z.unknown() });

/** Id and times of an item, read leniently so that an invalid payment can still be identified. */
const Item = z.object({
  id: id.nullable().catch(null),
  updated_at: moment.nullable().catch(null),
  created_at: moment.nullable().catch(null),
});

/**
 * Reads a page of a listing. An invalid payment is returned as unreadable, so that the others are
 * not lost. Throws InvalidPayload when the response is not a page.
 */
export function readAlphaPage(response: unknown, listedBy: ListedBy): PaymentPage {
  const { payments, cursor } = parseAs(Page, response, 'alpha');
  return {
    payments: (payments ?? []).map((item) => readItem(item, listedBy)),
    cursor: cursor || null,
  };
}

/** Reads an account's locations, each once, closed ones included. Throws InvalidPayload. */
export function readAlphaLocations(response: unknown): Location[] {
  const { locations } = parseAs(LocationsResponse, response, 'alpha');
  return [...new Map((locations ?? []).map((location) => [location.id, location])).values()];
}

/** Reads the payment in a response about one payment. Throws InvalidPayload. */
export function readAlphaPaymentResponse(response: unknown): NormalizedPayment {
  return normaliseAlphaPayment(parseAs(PaymentResponse, response, 'alpha').payment);
}

function readItem(item: unknown, listedBy: ListedBy): ListedPayment {
  const { data: readable } = Item.safeParse(item);
  const at =
    (listedBy === 'updated_at' ? readable?.updated_at : null) ?? readable?.created_at ?? null;
  try {
    const payment = normaliseAlphaPayment(item);
    return { at: at ?? payment.changedAt, payment };
  } catch (error) {
    if (!(error instanceof InvalidPayload)) throw error;
    return { at, id: readable?.id ?? null, error: error.message };
  }
}
