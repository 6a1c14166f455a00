import { z } from 'zod';
import { InvalidPayload, ProviderError } from '../shared/error.ts';
import { type Grant, granting, type ProviderOAuth, unset } from '../shared/oauth.ts';
import { type CallObserver, callProvider, type ProviderCall } from '../shared/request.ts';
import { ALPHA_HEADERS, type AlphaPlace, alphaOrigin } from './client.ts';

/** Read access to the merchant's profile, payments and customers. */
const SCOPES = ['MERCHANT_PROFILE_READ', 'PAYMENTS_READ', 'CUSTOMERS_READ'];

/** The page on which merchants agree. */
export const AUTHORIZATION_PATH = '/oauth2/authorize';

type Body = Readonly<Record<string, string>>;

/**
 * Connects merchants' accounts through our app at alpha, at the origin of its environment or at the
 * one given for a simulator.
 */
export function createAlphaOAuth(
  options: AlphaPlace & {
    appId?: string | undefined;
    appSecret?: string | undefined;
    onCall?: CallObserver | undefined;
  },
): ProviderOAuth {
  const { environment, appId = '', appSecret = '', onCall } = options;
  const origin = alphaOrigin(options);
  const post = (path: string, body: Body, more: Pick<ProviderCall, 'headers' | 'signal'>) =>
    callProvider({
      provider: 'alpha',
      url: new URL(path, origin),
      body: { client_id: appId, ...body },
      ...more,
      onCall,
      headers: { ...ALPHA_HEADERS, ...more.headers },
    });
  const grant = async (body: Body, signal?: AbortSignal) =>
    readGrant(
      await granting(post('/oauth2/token', { client_secret: appSecret, ...body }, { signal })),
    );
  const revokeAccess = async (merchantId: string) => {
    const headers = { authorization: `Client ${appSecret}` };
    await post('/oauth2/revoke', { merchant_id: merchantId }, { headers });
  };

  return {
    origin,
    missing: unset({ ALPHA_APP_ID: options.appId, ALPHA_APP_SECRET: options.appSecret }),

    authorizationUrl(state) {
      const url = new URL(AUTHORIZATION_PATH, origin);
      url.searchParams.set('client_id', appId);
      url.searchParams.set('scope', SCOPES.join(' '));
      // Alpha then asks for a login: on a shared browser, the account of the last user must not be
      // connected. The sandbox requires the browser's session.
      if (environment === 'production') url.searchParams.set('session', 'false');
      url.searchParams.set('state', state);
      return url;
    },

    exchange: (code, signal) => grant({ grant_type: 'authorization_code', code }, signal),

    refresh: (refreshToken) => grant({ grant_type: 'refresh_token', refresh_token: refreshToken }),

    // Revoking what was never granted changes nothing, and needs the right id and secret.
    async knowsApp() {
      try {
        await revokeAccess('NOBODY');
      } catch (error) {
        if (!(error instanceof ProviderError) || error.isTransient) throw error;
        if (error.status === 401 || error.status === 403) return false;
        return error.status === 404 || error.status === 400 ? true : undefined;
      }
      return true;
    },

    // By merchant id, which also works after the access token has expired.
    revoke: ({ merchantId }) => revokeAccess(merchantId),
  };
}

const MAX_TOKEN_LENGTH = 1024;
const token = z.string().min(1).max(MAX_TOKEN_LENGTH);
const TokenResponse = z.object({
  access_token: token,
  refresh_token: token.nullish(),
  expires_at: z.iso.datetime({ offset: true }).nullish().catch(null),
  merchant_id: z.string().min(1).max(191),
});

function readGrant(response: unknown): Grant {
  const { data } = TokenResponse.safeParse(response);
  if (data === undefined) throw new InvalidPayload('Invalid alpha payload: the token response.');
  return {
    accessToken: data.access_token,
    refreshToken: data.refresh_token ?? null,
    expiresAt: data.expires_at ? new Date(data.expires_at) : null,
    merchantId: data.merchant_id,
  };
}
