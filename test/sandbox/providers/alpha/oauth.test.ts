import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import { useFolder } from '../../fixtures.ts';
import { postJson, readJson, submitForm } from '../http.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { errorBody, startApp } from './client.ts';

const REDIRECT_URL = 'http://127.0.0.1:9/api/v1/oauth/alpha/callback';
const SCOPE = 'MERCHANT_PROFILE_READ PAYMENTS_READ CUSTOMERS_READ';
const APP = { client_id: 'app', client_secret: 'secret' };
const UNAUTHORIZED = { status: 401, body: errorBody('AUTHENTICATION_ERROR', 'UNAUTHORIZED') };

const folder = useFolder('sandbox-alpha-oauth-');
let alpha: AlphaSimulator;
let receiver: Receiver;
let clock: { now: Date };

beforeEach(async () => {
  clock = { now: new Date('2026-03-01T12:00:00.500Z') };
  receiver = await startReceiver();
  alpha = await start();
  alpha.addMerchant({ id: 'ML1', name: 'Café <One>' });
  alpha.addMerchant({ id: 'ML2', name: 'Two' });
});

afterEach(async () => {
  await alpha.stop();
  await receiver.stop();
});

function start(): Promise<AlphaSimulator> {
  return startApp({
    redirectUrl: REDIRECT_URL,
    webhookUrl: receiver.url,
    stateFile: join(folder.path, 'alpha.jsonl'),
    now: () => clock.now,
  });
}

function authorize(more: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const query = new URLSearchParams({ client_id: 'app', scope: SCOPE, state: 'a.b c', ...more });
  return fetch(`${alpha.url}/oauth2/authorize?${query}`, { headers, redirect: 'manual' });
}

function backIn(response: Response): Record<string, string> {
  const back = new URL(response.headers.get('location') ?? '');
  expect(back.origin + back.pathname).toBe(REDIRECT_URL);
  return Object.fromEntries(back.searchParams);
}

/** Submits the page's form with the merchant's decision, as a browser would. */
function decide(page: string, decision: Record<string, string>) {
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
  return submitForm(`${alpha.url}/oauth2/authorize`, { ...fields, ...decision });
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  postJson(`${alpha.url}${path}`, body, headers);

async function aCode(more: Record<string, string> = {}): Promise<string> {
  alpha.setConsent('approve', 'ML2');
  return backIn(await authorize(more)).code ?? '';
}

const exchange = (code: string, more: object = {}) =>
  post('/oauth2/token', { ...APP, grant_type: 'authorization_code', code, ...more });
const refresh = (refresh_token: string, more: object = {}) =>
  post('/oauth2/token', { ...APP, grant_type: 'refresh_token', refresh_token, ...more });
const read = async (path: string, token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${alpha.url}${path}`, { headers });
  return { status: response.status, body: await readJson(response) };
};

describe('GET /oauth2/authorize', () => {
  it('redirects with a code and the state for the merchant allowed on the page', async () => {
    const page = await (await authorize()).text();
    expect(page).toContain('Allow as Café &lt;One&gt;');
    const answer = await decide(page, { allow: 'ML2' });
    expect(answer.status).toBe(303);
    const { code = '', ...others } = backIn(answer);
    expect(others).toEqual({ response_type: 'code', state: 'a.b c' });
    expect((await exchange(code)).body).toMatchObject({ merchant_id: 'ML2' });
  });

  it('redirects with an error and the state when denied on the page', async () => {
    const page = await (await authorize()).text();
    expect(backIn(await decide(page, { deny: 'yes' }))).toEqual({
      error: 'access_denied',
      error_description: 'user_denied',
      state: 'a.b c',
    });
  });

  it('denies or approves without a page when set to, also after a delay', async () => {
    alpha.setConsent('deny');
    expect(backIn(await authorize())).toMatchObject({ error: 'access_denied', state: 'a.b c' });
    alpha.setConsent({ slowMs: 1 }, 'ML2');
    const { code = '' } = backIn(await authorize());
    expect((await exchange(code)).body).toMatchObject({ merchant_id: 'ML2' });
  });

  it('asks a signed-in merchant once while the token is valid, unless session=false', async () => {
    const answer = await decide(await (await authorize()).text(), { allow: 'ML1' });
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect((await authorize({}, { cookie })).status).toBe(200);
    await exchange(backIn(answer).code ?? '');

    expect((await authorize()).status).toBe(200);
    expect((await authorize({ session: 'false' }, { cookie })).status).toBe(200);
    expect((await authorize({ scope: `${SCOPE} ORDERS_READ` }, { cookie })).status).toBe(200);
    const again = await exchange(backIn(await authorize({}, { cookie })).code ?? '');
    expect(again.body).toMatchObject({ merchant_id: 'ML1' });

    alpha.revokeTokens('ML1');
    expect((await authorize({}, { cookie })).status).toBe(200);
  });

  it.each([
    [{ client_id: 'other' }, 'no app'],
    [{ redirect_uri: 'https://evil.example/' }, 'not the one registered'],
    [{ redirect_uri: `${REDIRECT_URL}/` }, 'not the one registered'],
  ])('400 and no redirect for %o', async (more, reason) => {
    alpha.setConsent('approve');
    const answer = await authorize(more);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining(reason) });
  });

  it('grants legacy scopes, without customers, when none are requested', async () => {
    const { body } = await exchange(await aCode({ scope: '' }));
    expect((await read('/v2/payments', body.access_token)).status).toBe(200);
    expect((await read('/v2/customers/X', body.access_token)).status).toBe(403);
  });
});

describe('POST /oauth2/token', () => {
  it('returns a token for 30 days, with times in whole seconds', async () => {
    expect(await exchange(await aCode())).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^alpha-access-/),
        token_type: 'bearer',
        expires_at: '2026-03-31T12:00:00Z',
        merchant_id: 'ML2',
        refresh_token: expect.stringMatching(/^alpha-refresh-/),
        short_lived: false,
      },
    });
  });

  it('401 for a code that is used, expired or unknown, and for wrong credentials', async () => {
    const code = await aCode();
    expect(await exchange(code, { client_secret: 'wrong' })).toMatchObject(UNAUTHORIZED);
    expect(await exchange(code, { client_id: 'wrong' })).toMatchObject(UNAUTHORIZED);
    expect(await exchange('unknown')).toMatchObject(UNAUTHORIZED);
    expect((await exchange(code)).status).toBe(200);
    expect(await exchange(code)).toMatchObject(UNAUTHORIZED);

    const late = await aCode();
    clock.now = new Date(clock.now.getTime() + 5 * 60_000);
    expect(await exchange(late)).toMatchObject(UNAUTHORIZED);
  });

  it('only one of several concurrent exchanges of a code succeeds', async () => {
    const code = await aCode();
    const answers = await Promise.all([exchange(code), exchange(code), exchange(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('401 without the redirect_uri that was sent to authorize', async () => {
    const code = await aCode({ redirect_uri: REDIRECT_URL });
    expect(await exchange(code)).toMatchObject(UNAUTHORIZED);
    expect((await exchange(code, { redirect_uri: REDIRECT_URL })).status).toBe(200);
  });

  it('a refresh keeps the refresh token and old tokens, and works after expiry', async () => {
    const { body: first } = await exchange(await aCode());
    const { body: second } = await refresh(first.refresh_token);
    expect(second).toMatchObject({ refresh_token: first.refresh_token, merchant_id: 'ML2' });
    expect(second.access_token).not.toBe(first.access_token);
    expect((await read('/v2/locations', first.access_token)).status).toBe(200);

    clock.now = new Date('2026-04-15T12:00:00Z');
    expect((await read('/v2/locations', second.access_token)).body).toEqual(
      errorBody('AUTHENTICATION_ERROR', 'ACCESS_TOKEN_EXPIRED'),
    );
    const { body: third } = await refresh(first.refresh_token);
    expect((await read('/v2/locations', third.access_token)).status).toBe(200);
  });

  it('24 hours when short-lived; only requested scopes, and all at the next refresh', async () => {
    const { body } = await exchange(await aCode(), { short_lived: true });
    expect(body).toMatchObject({ expires_at: '2026-03-02T12:00:00Z', short_lived: true });
    const narrow = await refresh(body.refresh_token, { scopes: ['PAYMENTS_READ'] });
    expect((await read('/v2/locations', narrow.body.access_token)).status).toBe(403);
    const whole = await refresh(body.refresh_token);
    expect((await read('/v2/locations', whole.body.access_token)).status).toBe(200);
  });

  it('returns errors in either of two shapes', async () => {
    alpha.setOAuthErrors('message');
    expect(await exchange('unknown')).toEqual({
      status: 401,
      body: { message: 'Not Authorized', type: 'service.not_authorized' },
    });
    alpha.setOAuthErrors('envelope');
    expect(await exchange('unknown')).toMatchObject(UNAUTHORIZED);
  });

  it.each([
    [{ grant_type: 'password' }, 'BAD_REQUEST'],
    [{ ...APP, grant_type: 'authorization_code' }, 'MISSING_REQUIRED_PARAMETER'],
    [{ ...APP, grant_type: 'refresh_token', refresh_token: '' }, 'MISSING_REQUIRED_PARAMETER'],
  ])('400 for %o', async (body, code) => {
    expect(await post('/oauth2/token', body)).toMatchObject({
      status: 400,
      body: errorBody('INVALID_REQUEST_ERROR', code),
    });
  });

  it('codes and tokens survive a restart, and a used code stays used', async () => {
    const [used, fresh] = [await aCode(), await aCode()];
    const { body } = await exchange(used);
    await alpha.stop();
    alpha = await start();
    expect(await exchange(used)).toMatchObject(UNAUTHORIZED);
    expect((await exchange(fresh)).status).toBe(200);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('the journal contains no codes, tokens or states', async () => {
    const code = await aCode();
    const { body } = await exchange(code);
    const journal = JSON.stringify(alpha.journal());
    expect(journal).toContain('/oauth2/token');
    for (const secret of [code, body.access_token, body.refresh_token, 'a.b']) {
      expect(journal).not.toContain(secret);
    }
  });
});

describe('POST /oauth2/revoke', () => {
  const headers = { authorization: 'Client secret' };

  it('revokes every token of the merchant, and sends one webhook', async () => {
    const { body } = await exchange(await aCode());
    const other = alpha.issueToken('ML1').accessToken;
    const request = { client_id: 'app', access_token: body.access_token };
    const revoked = { status: 200, body: { success: true } };
    expect(await post('/oauth2/revoke', request, headers)).toEqual(revoked);
    expect(await post('/oauth2/revoke', request, headers)).toEqual(revoked);
    expect((await read('/v2/locations', body.access_token)).body).toEqual(
      errorBody('AUTHENTICATION_ERROR', 'ACCESS_TOKEN_REVOKED'),
    );
    expect(await refresh(body.refresh_token)).toMatchObject(UNAUTHORIZED);
    expect((await read('/v2/locations', other)).status).toBe(200);

    alpha.ring({ merchantId: 'ML2', amount: 1, capture: 'at-once' });
    await alpha.idle();
    expect(receiver.received.map((event) => JSON.parse(event.body))).toMatchObject([
      {
        merchant_id: 'ML2',
        type: 'oauth.authorization.revoked',
        data: { type: 'revocation', object: { revocation: { revoker_type: 'APPLICATION' } } },
      },
    ]);
  });

  it('revokes by merchant id, and names the merchant as revoker when it revoked', async () => {
    await exchange(await aCode());
    const request = { client_id: 'app', merchant_id: 'ML2' };
    expect((await post('/oauth2/revoke', request, headers)).status).toBe(200);
    alpha.issueToken('ML1');
    alpha.revokeTokens('ML1');
    await alpha.idle();
    const types = receiver.received.map(
      ({ body }) => JSON.parse(body).data.object.revocation.revoker_type,
    );
    expect(types.sort()).toEqual(['APPLICATION', 'MERCHANT']);
  });

  it('revokes only the access token when requested, and keeps the refresh token', async () => {
    const { body } = await exchange(await aCode());
    const request = { client_id: 'app', access_token: body.access_token };
    await post('/oauth2/revoke', { ...request, revoke_only_access_token: true }, headers);
    expect((await read('/v2/locations', body.access_token)).status).toBe(401);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    await alpha.idle();
    expect(receiver.received).toEqual([]);
  });

  it.each([
    [{ client_id: 'app', merchant_id: 'ML1' }, 'Client wrong', 401],
    [{ client_id: 'app', merchant_id: 'ML1' }, 'Bearer secret', 401],
    [{ client_id: 'other', merchant_id: 'ML1' }, 'Client secret', 401],
    [{ client_id: 'app' }, 'Client secret', 400],
    [{ client_id: 'app', merchant_id: 'ML1', access_token: 'x' }, 'Client secret', 400],
    [{ client_id: 'app', access_token: 'unknown' }, 'Client secret', 404],
  ])('%o with %s is answered with %i', async (request, authorization, status) => {
    alpha.issueToken('ML1');
    expect((await post('/oauth2/revoke', request, { authorization })).status).toBe(status);
    await alpha.idle();
    expect(receiver.received).toEqual([]);
  });
});

describe('POST /oauth2/token/status', () => {
  it("returns the token's merchant, scopes and expiry", async () => {
    const { body } = await exchange(await aCode());
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect(await post('/oauth2/token/status', {}, headers)).toEqual({
      status: 200,
      body: {
        scopes: SCOPE.split(' '),
        expires_at: body.expires_at,
        client_id: 'app',
        merchant_id: 'ML2',
      },
    });
  });

  it('401 UNAUTHORIZED for any invalid token', async () => {
    const { accessToken } = alpha.issueToken('ML1', { livesSeconds: 0 });
    const headers = { authorization: `Bearer ${accessToken}` };
    expect(await post('/oauth2/token/status', {}, headers)).toMatchObject(UNAUTHORIZED);
    expect(await post('/oauth2/token/status', {})).toMatchObject(UNAUTHORIZED);
  });
});
