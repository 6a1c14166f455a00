import { z } from 'zod';
import { InvalidPayload } from '../shared/error.ts';
import { type Grant, granting, type ProviderOAuth, unset } from '../shared/oauth.ts';
import { type CallObserver, callProvider } from '../shared/request.ts';

/** The page on which merchants agree. */
export const AUTHORIZATION_PATH = '/oauth/authorize';

/**
 * Connects merchants' accounts through our app at beta. Authorization and code exchange use beta's
 * older OAuth API, which issues no refresh token. A refresh token that it does return is used with
 * the newer API.
 */
export function createBetaOAuth(options: {
  /** `web`: authorization and code exchange. `api`: refresh. */
  origins: { web: string; api: string };
  /** The address that beta redirects merchants to after authorization. */
  redirectUri: string;
  appId?: string | undefined;
  appSecret?: string | undefined;
  onCall?: CallObserver | undefined;
}): ProviderOAuth {
  const { origins, redirectUri, appId = '', appSecret = '', onCall } = options;

  return {
    origin: origins.web,
    missing: unset({ BETA_APP_ID: options.appId, BETA_APP_SECRET: options.appSecret }),

    authorizationUrl(state) {
      const url = new URL(AUTHORIZATION_PATH, origins.web);
      url.searchParams.set('client_id', appId);
      url.searchParams.set('redirect_uri', redirectUri);
      url.searchParams.set('state', state);
      return url;
    },

    async exchange(code, signal) {
      const url = new URL('/oauth/token', origins.web);
      url.searchParams.set('client_id', appId);
      url.searchParams.set('client_secret', appSecret);
      url.searchParams.set('code', code);
      return readGrant(await granting(callProvider({ provider: 'beta', url, signal, onCall })));
    },

    async refresh(refreshToken) {
      const url = new URL('/oauth/v2/refresh', origins.api);
      const body = { client_id: appId, refresh_token: refreshToken };
      return readGrant(await granting(callProvider({ provider: 'beta', url, body, onCall })));
    },
  };
}

const MAX_TOKEN_LENGTH = 4096;
const token = z.string().min(1).max(MAX_TOKEN_LENGTH);
/** In seconds, unlike beta's other times; read as seconds, milliseconds are beyond the maximum. */
const seconds = z.int().min(1_000_000_000).max(100_000_000_000);

const TokenResponse = z.object({
  access_token: token,
  access_token_expiration: seconds.nullish().catch(null),
  refresh_token: token.nullish(),
  merchant_id: z.string().min(1).max(191).nullish(),
});

function readGrant(response: unknown): Grant {
  const { data } = TokenResponse.safeParse(response);
  if (data === undefined) throw new InvalidPayload('Invalid beta payload: the token response.');
  const expiration = data.access_token_expiration ?? null;
  return {
    accessToken: data.access_token,
    refreshToken: data.refresh_token ?? null,
    expiresAt: expiration === null ? null : new Date(expiration * 1000),
    merchantId: data.merchant_id ?? null,
  };
}
