import type { Span } from '../../../domain/intervals.ts';
import type { Calls, ListedPayment, PaymentListing, PaymentPage } from '../provider.ts';
import type { Alpha } from './client.ts';

/**
 * Lists the payments of all locations that were created in a span, location by location. Throws
 * what the calls throw.
 */
export async function* listAlphaCreated(
  alpha: Pick<Alpha, 'listLocations' | 'listPayments'>,
  { ask, signal }: Calls,
  { from, to }: Span,
): AsyncGenerator<ListedPayment[]> {
  const locations = await ask((token) => alpha.listLocations(token, signal));
  for (const { id: locationId } of locations) {
    let cursor: string | null = null;
    do {
      const listing: PaymentListing = { locationId, from, to, listedBy: 'created_at', cursor };
      const page: PaymentPage = await ask((token) => alpha.listPayments(token, listing, signal));
      // Whether the end itself is listed is nowhere said.
      yield page.payments.filter(({ at }) => at === null || at < to);
      cursor = page.cursor;
    } while (cursor !== null);
  }
}
