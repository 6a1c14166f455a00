import type { Provider } from '../../domain/payment.ts';
import type { ProviderOAuth } from '../../gateways/provider/oauth.ts';
import { createProviderOAuth } from '../../gateways/provider/provider-oauth.ts';

export const ALPHA_APP = { id: 'alpha-app-of-the-tests', secret: 'alpha secret of the tests' };
export const BETA_APP = { id: 'BETAAPP0TESTS', secret: 'beta-secret-of-the-tests' };
export const API_BASE_URL = 'https://api.shop.example';

/** OAuth without an app at either provider. */
export const unconfiguredOAuth: Record<Provider, ProviderOAuth> = createProviderOAuth({
  API_BASE_URL,
  ALPHA_ENVIRONMENT: 'sandbox',
  BETA_ENVIRONMENT: 'sandbox',
  BETA_REGION: 'na',
});

/** OAuth with the tests' apps, at simulators. */
export function testOAuth(origins: {
  alpha: string;
  beta: string;
}): Record<Provider, ProviderOAuth> {
  return createProviderOAuth({
    API_BASE_URL,
    ALPHA_ENVIRONMENT: 'sandbox',
    ALPHA_ORIGIN: origins.alpha,
    ALPHA_APP_ID: ALPHA_APP.id,
    ALPHA_APP_SECRET: ALPHA_APP.secret,
    BETA_ENVIRONMENT: 'sandbox',
    BETA_REGION: 'na',
    BETA_WEB_ORIGIN: origins.beta,
    BETA_API_ORIGIN: origins.beta,
    BETA_APP_ID: BETA_APP.id,
    BETA_APP_SECRET: BETA_APP.secret,
  });
}
