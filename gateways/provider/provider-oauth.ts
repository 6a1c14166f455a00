import { CALLBACK_PATHS } from '../../domain/oauth.ts';
import type { AlphaPlace } from '../alpha/client.ts';
import { createAlphaOAuth } from '../alpha/oauth.ts';
import { type BetaPlace, betaOrigins } from '../beta/client.ts';
import { createBetaOAuth } from '../beta/oauth.ts';
import type { OAuthByProvider } from './oauth.ts';
import type { CallObserver } from './request.ts';

/** Our app at a provider; without it no merchant can connect there. */
type App = { appId?: string | undefined; appSecret?: string | undefined };

export type OAuthSettings = {
  /** The origin of the addresses that providers redirect merchants to. */
  apiBaseUrl: string;
  alpha: AlphaPlace & App;
  beta: BetaPlace & App;
  onCall?: CallObserver | undefined;
};

/** Creates the OAuth of both providers. The API and the worker must use the same settings. */
export function createProviderOAuth(settings: OAuthSettings): OAuthByProvider {
  const { apiBaseUrl, alpha, beta, onCall } = settings;
  return {
    alpha: createAlphaOAuth({ ...alpha, onCall }),
    beta: createBetaOAuth({
      origins: betaOrigins(beta),
      redirectUri: `${apiBaseUrl}/api/v1${CALLBACK_PATHS.beta}`,
      appId: beta.appId,
      appSecret: beta.appSecret,
      onCall,
    }),
  };
}
