import { byProvider, type Provider } from '../../../domain/payment.ts';
import {
  openProviders,
  type ProviderClients,
  ProviderSettings,
} from '../../../gateways/providers/index.ts';
import type { ProviderOAuth } from '../../../gateways/providers/shared/oauth.ts';

export const ALPHA_APP = { id: 'alpha-app-of-the-tests', secret: 'alpha secret of the tests' };
export const BETA_APP = { id: 'BETAAPP0TESTS', secret: 'beta-secret-of-the-tests' };
export const API_BASE_URL = 'https://api.shop.example';

export type OAuthByProvider = Readonly<Record<Provider, ProviderOAuth>>;

/** The providers without an app at any of them. */
export const unconfiguredProviders = openWith({}, API_BASE_URL);
export const unconfiguredOAuth = byProvider((name) => unconfiguredProviders[name].oauth);

/** OAuth with the tests' apps, at simulators that send back to the service at `apiBaseUrl`. */
export function testOAuth(
  origins: { alpha: string; beta: string },
  apiBaseUrl = API_BASE_URL,
): OAuthByProvider {
  const settings = {
    ALPHA_ORIGIN: origins.alpha,
    ALPHA_APP_ID: ALPHA_APP.id,
    ALPHA_APP_SECRET: ALPHA_APP.secret,
    BETA_WEB_ORIGIN: origins.beta,
    BETA_API_ORIGIN: origins.beta,
    BETA_APP_ID: BETA_APP.id,
    BETA_APP_SECRET: BETA_APP.secret,
  };
  const clients = openWith(settings, apiBaseUrl);
  return byProvider((name) => clients[name].oauth);
}

function openWith(settings: Record<string, string>, apiBaseUrl: string): ProviderClients {
  const unmeasured = { providerAsked() {}, tokenRefreshed() {} };
  return openProviders(ProviderSettings.parse(settings), unmeasured, { apiBaseUrl });
}
