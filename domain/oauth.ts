import type { ConnectionId } from './ids.ts';
import type { Provider } from './payment.ts';

/** Why connecting a provider did not succeed, as the merchant's browser is told (contract 7). */
export type ConnectError =
  | 'access_denied'
  | 'invalid_state'
  | 'expired_state'
  | 'exchange_failed'
  | 'merchant_mismatch'
  | 'merchant_taken'
  | 'not_allowed';

/** What became of connecting a provider. */
export type ConnectOutcome =
  | { connected: true; connectionId: ConnectionId }
  | { connected: false; error: ConnectError };

/** Where providers send merchants back to, below the API. */
export const CALLBACK_PATHS = {
  alpha: '/oauth/alpha/callback',
  beta: '/oauth/beta/callback',
} as const satisfies Record<Provider, string>;

/** A state lives so long: a merchant has to log in at the provider and read what it asks. */
export const STATE_LIFETIME_MS = 10 * 60_000;
/** The whole exchange, at the provider and here. Whoever waits for it waits a little longer. */
export const EXCHANGE_WITHIN_MS = 15_000;
/** How long an attempt may take before it counts as failed, whatever becomes of it afterwards. */
export const ATTEMPT_LIFETIME_MS = 20_000;
