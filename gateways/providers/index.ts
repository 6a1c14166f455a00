import { z } from 'zod';
import {
  byProvider,
  POLLED_PROVIDERS,
  type PolledProvider,
  PROVIDERS,
  type Provider,
  TRUTH_REPAIRS,
} from '../../domain/payment.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { alpha } from './alpha/index.ts';
import { beta } from './beta/index.ts';
import type {
  OpenContext,
  PolledPosProvider,
  Polling,
  PosProvider,
  ProviderClient,
} from './provider.ts';
import { countRefreshes } from './shared/counted-oauth.ts';

// The one place that knows every provider.

/** The providers by their names. */
export const providers = { alpha, beta } satisfies {
  [Name in Provider]: Name extends PolledProvider ? PolledPosProvider : PosProvider;
};

/** What API and worker read of the environment for the providers. */
export const ProviderSettings = z.object({
  ...alpha.settings.shape,
  ...beta.settings.shape,
  // Where nothing is said, as polls bring in what was missed.
  TRUTH_REPAIRS: z.enum(TRUTH_REPAIRS).default(POLLED_PROVIDERS[0]),
});
export type ProviderSettings = z.output<typeof ProviderSettings>;

/** What only the API reads for them. */
export const WebhookSettings = z.object({
  ...alpha.webhook.settings.shape,
  ...beta.webhook.settings.shape,
});
export type WebhookSettings = z.output<typeof WebhookSettings>;

export type ProviderClients = Readonly<Record<Provider, ProviderClient>>;

/** Opens every provider's API. Calls and refreshes of tokens are measured. */
export function openProviders(
  settings: ProviderSettings,
  metrics: Pick<Metrics, 'providerAsked' | 'tokenRefreshed'>,
  context: Omit<OpenContext, 'onCall'>,
): ProviderClients {
  return byProvider((name) => {
    const client = providers[name].open(settings, { ...context, onCall: metrics.providerAsked });
    return { ...client, oauth: countRefreshes(name, client.oauth, metrics) };
  });
}

/** Returns how the payments of a polled provider are listed. */
export function pollingOf(clients: ProviderClients, provider: Provider): Polling {
  const { polling } = clients[provider];
  if (polling === undefined) throw new Error(`Payments of ${provider} are not listed.`);
  return polling;
}

/** Returns what the settings of the providers are called. */
export function settingNames() {
  return PROVIDERS.map((name) => providers[name].settingNames);
}
