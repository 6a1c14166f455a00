import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBetaOAuth } from '../../../../gateways/providers/beta/oauth.ts';
import { InvalidPayload } from '../../../../gateways/providers/shared/error.ts';
import { InvalidGrant } from '../../../../gateways/providers/shared/oauth.ts';
import {
  type HttpReply,
  type HttpServer,
  startHttpServer,
} from '../../../support/http/http-server.ts';

const V2 = {
  access_token: 'access',
  access_token_expiration: 1_893_456_000,
  refresh_token: 'refresh',
  refresh_token_expiration: 1_893_999_999,
};
const REDIRECT_URI = 'https://api.shop.example/api/v1/oauth/beta/callback';

let server: HttpServer;
let said: HttpReply;
beforeAll(async () => {
  server = await startHttpServer(() => said);
});
afterAll(() => server.close());
beforeEach(() => {
  said = { status: 200, body: { access_token: 'access' } };
  server.requests.length = 0;
});

const oauth = (app: { appId?: string; appSecret?: string } = {}) =>
  createBetaOAuth({
    origins: { web: server.url, api: server.url },
    redirectUri: REDIRECT_URI,
    appId: 'APP1',
    appSecret: 'secret-1',
    ...app,
  });

it('authorizationUrl contains the app, the redirect URI and the state', () => {
  const url = oauth().authorizationUrl('the.state');
  expect(`${url.origin}${url.pathname}`).toBe(`${server.url}/oauth/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'APP1',
    redirect_uri: REDIRECT_URI,
    state: 'the.state',
  });
});

it('missing names the settings that are not set', () => {
  const at = { origins: { web: server.url, api: server.url }, redirectUri: REDIRECT_URI };
  expect(oauth().missing).toEqual([]);
  expect(createBetaOAuth({ ...at, appId: undefined, appSecret: undefined }).missing).toEqual([
    'BETA_APP_ID',
    'BETA_APP_SECRET',
  ]);
});

describe('exchange', () => {
  it('sends the code; the older response contains only a token', async () => {
    expect(await oauth().exchange('the code')).toEqual({
      accessToken: 'access',
      refreshToken: null,
      expiresAt: null,
      merchantId: null,
    });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /oauth/token?client_id=APP1&client_secret=secret-1&code=the+code',
    ]);
  });

  it('reads the newer response, with its expiry in seconds', async () => {
    said = { status: 200, body: { ...V2, merchant_id: 'MERCHANT1' } };
    expect(await oauth().exchange('code')).toEqual({
      accessToken: 'access',
      refreshToken: 'refresh',
      expiresAt: new Date('2030-01-01T00:00:00.000Z'),
      merchantId: 'MERCHANT1',
    });
  });

  it.each([1_893_456_000_000, 60, -1, 'soon'])('treats an expiry of %s as unknown', async (at) => {
    said = { status: 200, body: { ...V2, access_token_expiration: at } };
    expect(await oauth().exchange('code')).toMatchObject({ expiresAt: null });
  });

  it('throws InvalidGrant for a refused code, without the code in the error', async () => {
    said = {
      status: 401,
      body: { status: 'Unauthorized', message: 'Failed to validate authentication code.' },
    };
    const refused = await oauth()
      .exchange('the-code')
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidGrant);
    expect(String(refused)).not.toMatch(/the-code|secret-1|validate/);
  });

  it('throws InvalidPayload for a response that is not a grant', async () => {
    said = { status: 200, body: { message: 'welcome' } };
    await expect(oauth().exchange('code')).rejects.toThrow(InvalidPayload);
  });

  it('throws a transient error when beta is overloaded', async () => {
    said = { status: 503, body: '' };
    await expect(oauth().exchange('code')).rejects.toMatchObject({ isTransient: true });
  });
});

it('refresh uses the newer API, without the secret', async () => {
  said = { status: 200, body: V2 };
  expect(await oauth().refresh('old')).toMatchObject({ refreshToken: 'refresh' });
  const [heard] = server.requests;
  expect(heard).toMatchObject({ method: 'POST', path: '/oauth/v2/refresh' });
  expect(JSON.parse(heard?.body ?? '')).toEqual({ client_id: 'APP1', refresh_token: 'old' });
});

it('revokes nothing: beta has no such call', () => {
  expect(oauth().revoke).toBeUndefined();
});
