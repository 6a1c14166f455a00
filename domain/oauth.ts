import type { ConnectionId } from './ids.ts';

/** Why connecting a provider failed, as the redirect to the frontend names it. */
export type ConnectError =
  | 'access_denied'
  | 'invalid_state'
  | 'expired_state'
  | 'exchange_failed'
  | 'merchant_mismatch'
  | 'merchant_taken'
  | 'currency_mismatch'
  | 'not_allowed';

/** Why nothing was connected; for `currency_mismatch` also the currency of the account. */
export type ConnectFailure = { error: ConnectError; accountCurrency?: string };

/** How connecting a provider ended. */
export type ConnectOutcome =
  | { connected: true; connectionId: ConnectionId }
  | ({ connected: false } & ConnectFailure);

/** How long a state is valid: time for the merchant to log in and read the consent page. */
export const STATE_LIFETIME_MS = 10 * 60_000;
/** The limit of the whole exchange, at the provider and here. Callers wait a little longer. */
export const EXCHANGE_WITHIN_MS = 15_000;
/** How long an attempt may take before it counts as failed, even if it succeeds later. */
export const ATTEMPT_LIFETIME_MS = 20_000;
