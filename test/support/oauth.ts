import type { OAuthByProvider } from '../../gateways/provider/oauth.ts';
import { createProviderOAuth } from '../../gateways/provider/provider-oauth.ts';

export const ALPHA_APP = { id: 'alpha-app-of-the-tests', secret: 'alpha secret of the tests' };
export const BETA_APP = { id: 'BETAAPP0TESTS', secret: 'beta-secret-of-the-tests' };
export const API_BASE_URL = 'https://api.shop.example';

/** OAuth without an app at either provider. */
export const unconfiguredOAuth: OAuthByProvider = createProviderOAuth({
  apiBaseUrl: API_BASE_URL,
  alpha: { environment: 'sandbox' },
  beta: { environment: 'sandbox', region: 'na' },
});

/** OAuth with the tests' apps, at simulators that send back to the service at `apiBaseUrl`. */
export function testOAuth(
  origins: { alpha: string; beta: string },
  apiBaseUrl = API_BASE_URL,
): OAuthByProvider {
  return createProviderOAuth({
    apiBaseUrl,
    alpha: {
      environment: 'sandbox',
      origin: origins.alpha,
      appId: ALPHA_APP.id,
      appSecret: ALPHA_APP.secret,
    },
    beta: {
      environment: 'sandbox',
      region: 'na',
      webOrigin: origins.beta,
      apiOrigin: origins.beta,
      appId: BETA_APP.id,
      appSecret: BETA_APP.secret,
    },
  });
}
