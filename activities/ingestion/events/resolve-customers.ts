import type { PosConnection } from '../../../db/connections/pos-connections.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import { InvalidPayload, ProviderError } from '../../../gateways/providers/shared/error.ts';
import { inParallel } from '../../concurrency.ts';
import { isLimited } from '../../connections/availability.ts';
import { type AccessTokenDeps, ReconnectNeeded } from '../../connections/token-refresh.ts';
import { ProviderReader } from './provider-reader.ts';

/** Open requests per connection, so that no tenant takes all of the capacity. */
export const REQUESTS_PER_CONNECTION = 4;

export type ResolvedCustomers = {
  payments: NormalizedPayment[];
  /** Payments whose customer cannot be read for the moment. */
  unresolved: NormalizedPayment[];
  /** Why some are unresolved: the request to wait, if the provider made one. */
  cause: ProviderError | undefined;
};

/**
 * Adds contacts to payments that name a customer but carry no contact. Payments whose customer
 * cannot be read for the moment are returned as `unresolved`; once the provider limits the rate, it
 * is asked no more. A payment whose customer can never be read stays without contacts.
 * Throws ReconnectNeeded, and the reason of the signal once it aborts.
 */
export async function resolveCustomers(
  deps: AccessTokenDeps,
  connection: PosConnection,
  listed: readonly NormalizedPayment[],
  signal: AbortSignal,
): Promise<ResolvedCustomers> {
  const reader = new ProviderReader(deps, connection, signal);
  const resolved = new Map<NormalizedPayment, NormalizedPayment>();
  let reconnect: ReconnectNeeded | undefined;
  let cause: ProviderError | undefined;
  await inParallel(listed, REQUESTS_PER_CONNECTION, async (payment) => {
    if (reconnect !== undefined || signal.aborted) return;
    if (isLimited(cause) && payment.providerCustomerId !== null) return;
    try {
      resolved.set(payment, await reader.withContacts(payment));
    } catch (error) {
      if (error instanceof ReconnectNeeded) reconnect = error;
      // A customer that can never be read must not block the sales that follow.
      else if (isLasting(error)) resolved.set(payment, payment);
      else if (error instanceof ProviderError) cause = isLimited(cause) ? cause : error;
      else throw error;
    }
  });
  if (reconnect !== undefined) throw reconnect;
  signal.throwIfAborted();
  const payments = listed.flatMap((payment) => resolved.get(payment) ?? []);
  const unresolved = listed.filter((payment) => !resolved.has(payment));
  return { payments, unresolved, cause };
}

function isLasting(error: unknown): boolean {
  if (error instanceof InvalidPayload) return true;
  return error instanceof ProviderError && !error.isTransient;
}
