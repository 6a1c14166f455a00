import { byProvider } from '../../../domain/payment.ts';
import { type Alpha, createAlpha } from '../../../gateways/providers/alpha/client.ts';
import { alphaClient } from '../../../gateways/providers/alpha/index.ts';
import { type Beta, createBeta } from '../../../gateways/providers/beta/client.ts';
import { betaClient } from '../../../gateways/providers/beta/index.ts';
import {
  type ProviderClients,
  ProviderSettings,
  WebhookSettings,
} from '../../../gateways/providers/index.ts';
import { type OAuthByProvider, unconfiguredOAuth, unconfiguredProviders } from './oauth.ts';

/** The parts of the providers that a test is about. */
export type ProviderParts = {
  alpha?: Partial<Alpha> | undefined;
  beta?: Partial<Beta> | undefined;
  oauth?: Partial<OAuthByProvider> | undefined;
};

/** An alpha client whose every call fails; a test overrides the calls that it expects. */
export function anAlphaGateway(): Alpha {
  const unexpected = () => Promise.reject(new Error('This test expects no call to alpha.'));
  return {
    findMerchant: unexpected,
    findCustomer: unexpected,
    findPayment: unexpected,
    listLocations: unexpected,
    listPayments: unexpected,
  };
}

/** The providers with these parts; the others are the real ones' sandboxes. */
export function testProviders({ oauth: given, ...parts }: ProviderParts = {}): ProviderClients {
  const oauth = { ...unconfiguredOAuth, ...given };
  const alpha = { ...createAlpha({ environment: 'sandbox' }), ...parts.alpha };
  const place = { environment: 'sandbox', region: 'na' } as const;
  const beta = { ...createBeta(place), ...parts.beta };
  const intervals = { base: 300, backup: 3600 };
  return {
    ...byProvider((name) => ({ ...unconfiguredProviders[name], oauth: oauth[name] })),
    alpha: alphaClient({ api: alpha, oauth: oauth.alpha, intervals }),
    beta: betaClient({ api: beta, oauth: oauth.beta }),
  };
}

/** The settings of the providers, by default without any key of webhooks. */
export function providerSettings(given: Record<string, string> = {}) {
  return { ...ProviderSettings.parse(given), ...WebhookSettings.parse(given) };
}
