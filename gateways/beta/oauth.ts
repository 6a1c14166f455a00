import { z } from 'zod';
import { InvalidPayload } from '../provider/error.ts';
import { type Grant, granting, type ProviderOAuth, unset } from '../provider/oauth.ts';
import { type CallObserver, callProvider } from '../provider/request.ts';

/**
 * Lets merchants connect to our app at beta. Merchants authorize and codes are exchanged by the
 * older contract, in which no refresh token is given; one that comes anyway is used by the newer.
 */
export function createBetaOAuth(options: {
  /** Where merchants authorize and codes are exchanged, and where the API is. */
  origins: { web: string; api: string };
  /** Where beta sends merchants back to. */
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
      const url = new URL('/oauth/authorize', origins.web);
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

    // Beta has no such call: its merchants take an app out themselves.
    async revoke() {},
  };
}

const MAX_TOKEN_LENGTH = 4096;
const token = z.string().min(1).max(MAX_TOKEN_LENGTH);
/** Seconds, where everything else of beta's counts milliseconds: those would be the year 50,000. */
const seconds = z.int().min(1_000_000_000).max(100_000_000_000);

const Answer = z.object({
  access_token: token,
  access_token_expiration: seconds.nullish().catch(null),
  refresh_token: token.nullish(),
  merchant_id: z.string().min(1).max(191).nullish(),
});

function readGrant(answer: unknown): Grant {
  const { data } = Answer.safeParse(answer);
  if (data === undefined) throw new InvalidPayload('beta answered something that is no grant.');
  const expiration = data.access_token_expiration ?? null;
  return {
    accessToken: data.access_token,
    refreshToken: data.refresh_token ?? null,
    expiresAt: expiration === null ? null : new Date(expiration * 1000),
    merchantId: data.merchant_id ?? null,
  };
}
