import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAlphaOAuth } from '../../../../gateways/providers/alpha/oauth.ts';
import { InvalidPayload } from '../../../../gateways/providers/shared/error.ts';
import { InvalidGrant } from '../../../../gateways/providers/shared/oauth.ts';
import {
  type HttpReply,
  type HttpServer,
  startHttpServer,
} from '../../../support/http/http-server.ts';

const APP = { appId: 'app-1', appSecret: 'secret-1' };
const GRANT = {
  access_token: 'EAAA-access',
  token_type: 'bearer',
  expires_at: '2030-04-03T18:31:06Z',
  merchant_id: 'MERCHANT1',
  refresh_token: 'EQAA-refresh',
  short_lived: false,
};

let server: HttpServer;
let said: HttpReply;
beforeAll(async () => {
  server = await startHttpServer(() => said);
});
afterAll(() => server.close());
beforeEach(() => {
  said = { status: 200, body: GRANT };
  server.requests.length = 0;
});

const oauth = () => createAlphaOAuth({ environment: 'sandbox', origin: server.url, ...APP });
const requested = () =>
  server.requests.map(({ method, path, headers, body }) => ({
    method,
    path,
    authorization: headers.authorization,
    body: JSON.parse(body),
  }));

describe('authorizationUrl', () => {
  it.each([
    { environment: 'sandbox', host: 'connect.squareupsandbox.com', session: null },
    { environment: 'production', host: 'connect.squareup.com', session: 'false' },
  ] as const)('points to $host in $environment', ({ environment, host, session }) => {
    const url = createAlphaOAuth({ environment, ...APP }).authorizationUrl('the.state');
    expect(`${url.protocol}//${url.host}${url.pathname}`).toBe(`https://${host}/oauth2/authorize`);
    expect(url.searchParams.get('session')).toBe(session);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'app-1',
      scope: 'MERCHANT_PROFILE_READ PAYMENTS_READ CUSTOMERS_READ',
      state: 'the.state',
    });
    expect(url.searchParams.has('redirect_uri')).toBe(false);
    expect(url.href).not.toContain('secret');
  });
});

describe('missing settings', () => {
  const unset = { appId: undefined, appSecret: undefined };
  it.each([
    { app: APP, missing: [] },
    { app: { ...unset, appId: 'app-1' }, missing: ['ALPHA_APP_SECRET'] },
    { app: unset, missing: ['ALPHA_APP_ID', 'ALPHA_APP_SECRET'] },
  ])('are $missing', ({ app, missing }) => {
    expect(createAlphaOAuth({ environment: 'sandbox', ...app }).missing).toEqual(missing);
  });
});

describe('exchange', () => {
  it('sends the code and reads the grant', async () => {
    expect(await oauth().exchange('the-code')).toEqual({
      accessToken: 'EAAA-access',
      refreshToken: 'EQAA-refresh',
      expiresAt: new Date('2030-04-03T18:31:06Z'),
      merchantId: 'MERCHANT1',
    });
    expect(requested()).toEqual([
      {
        method: 'POST',
        path: '/oauth2/token',
        authorization: undefined,
        body: {
          client_id: 'app-1',
          client_secret: 'secret-1',
          grant_type: 'authorization_code',
          code: 'the-code',
        },
      },
    ]);
  });

  // biome-ignore format: a table
  it.each([
    { status: 401, body: { message: 'Not Authorized', type: 'service.not_authorized' } },
    { status: 401, body: { errors: [{ category: 'AUTHENTICATION_ERROR', code: 'UNAUTHORIZED' }] } },
    { status: 400, body: { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'BAD_REQUEST' }] } },
  ])('throws InvalidGrant for $status $body', async (answer) => {
    said = answer;
    const refused = await oauth()
      .exchange('the-code')
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidGrant);
    expect(String(refused)).not.toMatch(/the-code|secret-1|Not Authorized/);
  });

  it.each([429, 500, 503])('throws a transient error for %i', async (status) => {
    said = { status, body: {} };
    await expect(oauth().exchange('the-code')).rejects.toMatchObject({ isTransient: true });
  });

  it.each([
    { what: 'no token', body: { ...GRANT, access_token: undefined } },
    { what: 'no merchant', body: { ...GRANT, merchant_id: undefined } },
    { what: 'a token of the wrong type', body: { ...GRANT, access_token: 7 } },
    { what: 'a list', body: [] },
  ])('throws InvalidPayload for a response with $what', async ({ body }) => {
    said = { status: 200, body };
    await expect(oauth().exchange('the-code')).rejects.toThrow(InvalidPayload);
  });

  it.each([undefined, null, 'soon'])('treats an expiry of %s as unknown', async (expires_at) => {
    said = { status: 200, body: { ...GRANT, expires_at } };
    expect(await oauth().exchange('the-code')).toMatchObject({ expiresAt: null });
  });

  it('aborts when the caller’s signal does', async () => {
    const signal = AbortSignal.abort();
    await expect(oauth().exchange('the-code', signal)).rejects.toThrow('could not be reached');
    expect(server.requests).toEqual([]);
  });
});

describe('refresh', () => {
  it('sends the refresh token; the grant has none when the response has none', async () => {
    said = { status: 200, body: { ...GRANT, refresh_token: undefined } };
    expect(await oauth().refresh('EQAA-old')).toMatchObject({ refreshToken: null });
    expect(requested()).toMatchObject([
      { body: { grant_type: 'refresh_token', refresh_token: 'EQAA-old' } },
    ]);
  });
});

describe('revoke', () => {
  it('authenticates as the app and names the merchant', async () => {
    said = { status: 200, body: { success: true } };
    await oauth().revoke?.({ merchantId: 'MERCHANT1' });
    expect(requested()).toEqual([
      {
        method: 'POST',
        path: '/oauth2/revoke',
        authorization: 'Client secret-1',
        body: { client_id: 'app-1', merchant_id: 'MERCHANT1' },
      },
    ]);
  });
});
