import { CALLBACK_PATHS } from '../../domain/oauth.ts';
import type { Provider } from '../../domain/payment.ts';
import { createAlphaOAuth } from '../alpha/oauth.ts';
import { betaOrigins } from '../beta/client.ts';
import { createBetaOAuth } from '../beta/oauth.ts';
import type { ProviderOAuth } from './oauth.ts';
import type { CallObserver } from './request.ts';

/** The part of the configuration that says how to connect, by its own names. */
export type OAuthSettings = {
  API_BASE_URL: string;
  ALPHA_ENVIRONMENT: 'sandbox' | 'production';
  ALPHA_ORIGIN?: string | undefined;
  ALPHA_APP_ID?: string | undefined;
  ALPHA_APP_SECRET?: string | undefined;
  BETA_ENVIRONMENT: 'sandbox' | 'production';
  BETA_REGION: 'na' | 'eu' | 'la';
  BETA_WEB_ORIGIN?: string | undefined;
  BETA_API_ORIGIN?: string | undefined;
  BETA_APP_ID?: string | undefined;
  BETA_APP_SECRET?: string | undefined;
};

/** How merchants connect to us at each provider: the API and the worker must agree on it. */
export function createProviderOAuth(
  config: OAuthSettings,
  onCall?: CallObserver,
): Record<Provider, ProviderOAuth> {
  return {
    alpha: createAlphaOAuth({
      environment: config.ALPHA_ENVIRONMENT,
      origin: config.ALPHA_ORIGIN,
      appId: config.ALPHA_APP_ID,
      appSecret: config.ALPHA_APP_SECRET,
      onCall,
    }),
    beta: createBetaOAuth({
      origins: betaOrigins({
        environment: config.BETA_ENVIRONMENT,
        region: config.BETA_REGION,
        webOrigin: config.BETA_WEB_ORIGIN,
        apiOrigin: config.BETA_API_ORIGIN,
      }),
      redirectUri: `${config.API_BASE_URL}/api/v1${CALLBACK_PATHS.beta}`,
      appId: config.BETA_APP_ID,
      appSecret: config.BETA_APP_SECRET,
      onCall,
    }),
  };
}
