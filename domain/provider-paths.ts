import type { Provider } from './payment.ts';

// Where providers reach the service, below /api/v1. The addresses are registered at the providers.

/** The path to which a provider sends its webhooks. */
export function webhookPath<Name extends Provider>(provider: Name) {
  return `/webhooks/${provider}` as const;
}

/** The path to which a provider sends merchants back after authorization. */
export function callbackPath<Name extends Provider>(provider: Name) {
  return `/oauth/${provider}/callback` as const;
}
