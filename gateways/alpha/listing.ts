import { z } from 'zod';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { ListedBy } from '../../domain/polling.ts';
import { InvalidPayload } from '../provider/error.ts';
import { readAs } from '../provider/json.ts';
import { normaliseAlphaPayment } from './payloads.ts';

export type ReadablePayment = { at: Date; payment: NormalizedPayment };
/** What stands in a listing but is no payment; its id and time as far as they can be told. */
export type UnreadablePayment = { at: Date | null; id: string | null; error: string };
export type ListedPayment = ReadablePayment | UnreadablePayment;

export type PaymentPage = {
  /** In the order of the listing. */
  payments: ListedPayment[];
  /** Where the listing goes on; null at its end. */
  cursor: string | null;
};

const id = z.string().min(1).max(192);
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const Page = z.object({
  payments: z.array(z.unknown()).nullish(),
  cursor: z.string().nullish(),
});
const LocationsAnswer = z.object({ locations: z.array(z.object({ id })).nullish() });
const PaymentAnswer = z.object({ payment: z.unknown() });

/** The little that is asked of an item of a listing before it is read. */
const Item = z.object({
  id: id.nullable().catch(null),
  updated_at: moment.nullable().catch(null),
  created_at: moment.nullable().catch(null),
});

/**
 * A page of a listing. A payment that cannot be read does not cost the others: it is returned as
 * unreadable. Throws InvalidPayload when the answer is no page.
 */
export function readAlphaPage(answer: unknown, listedBy: ListedBy): PaymentPage {
  const { payments, cursor } = readAs(Page, answer, 'alpha');
  return {
    payments: (payments ?? []).map((item) => readItem(item, listedBy)),
    cursor: cursor || null,
  };
}

/** The ids of an account's locations, closed ones included. Throws InvalidPayload. */
export function readAlphaLocations(answer: unknown): string[] {
  const { locations } = readAs(LocationsAnswer, answer, 'alpha');
  return [...new Set((locations ?? []).map((location) => location.id))];
}

/** The payment in alpha's answer about one. Throws InvalidPayload. */
export function readAlphaPaymentAnswer(answer: unknown): NormalizedPayment {
  return normaliseAlphaPayment(readAs(PaymentAnswer, answer, 'alpha').payment);
}

function readItem(item: unknown, listedBy: ListedBy): ListedPayment {
  const { data: known } = Item.safeParse(item);
  const at = (listedBy === 'updated_at' ? known?.updated_at : null) ?? known?.created_at ?? null;
  try {
    const payment = normaliseAlphaPayment(item);
    return { at: at ?? payment.changedAt, payment };
  } catch (error) {
    if (!(error instanceof InvalidPayload)) throw error;
    return { at, id: known?.id ?? null, error: error.message };
  }
}
