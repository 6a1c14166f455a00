import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BetaSimulator } from '../../../../sandbox/providers/beta/simulator.ts';
import { readJson } from '../http.ts';
import { get, MINUTE_MS, post, REDIRECT_URL, startConnected } from './client.ts';

const APP = { client_id: 'APP', client_secret: 'shh' };

let beta: BetaSimulator;
let clock: { now: Date };

beforeEach(async () => {
  ({ beta, clock } = await startConnected());
  beta.addMerchant({ id: 'M2', name: '<b>Two</b>' });
  beta.setConsent('approve', 'M2');
});

afterEach(() => beta.stop());

async function authorize(query: Record<string, string> = {}, path = '/oauth/authorize') {
  const given = new URLSearchParams({ client_id: 'APP', redirect_uri: REDIRECT_URL, ...query });
  const response = await fetch(`${beta.url}${path}?${given}`, { redirect: 'manual' });
  return { status: response.status, text: await response.text(), to: locationOf(response) };
}

function locationOf(response: Response): URL | undefined {
  const location = response.headers.get('location');
  return location === null ? undefined : new URL(location);
}

const queryOf = (url: URL | undefined) => Object.fromEntries(url?.searchParams ?? []);

async function tokenFor(query: Record<string, string>) {
  const response = await fetch(`${beta.url}/oauth/token?${new URLSearchParams(query)}`);
  return { status: response.status, body: await readJson(response) };
}

describe('the authorization page', () => {
  it('redirects with merchant, client, employee, code and state when approved', async () => {
    const state = 'a b&c=d/é';
    const { status, to } = await authorize({ state });
    expect([status, to?.origin, to?.pathname]).toEqual([
      302,
      'https://loyalty.example',
      '/api/v1/oauth/beta/callback',
    ]);
    expect(queryOf(to)).toEqual({
      merchant_id: 'M2',
      client_id: 'APP',
      state,
      employee_id: expect.any(String),
      code: expect.any(String),
    });
  });

  it('redirects without a state when none was sent, for the merchant that was named', async () => {
    const query = queryOf((await authorize({ merchant_id: 'M1' })).to);
    expect(query).toMatchObject({ merchant_id: 'M1' });
    expect(query).not.toHaveProperty('state');
  });

  it('redirects with an error and no code when denied', async () => {
    beta.setConsent('deny');
    const { to } = await authorize({ state: 's' });
    expect(queryOf(to)).toEqual({ error: 'access_denied', state: 's' });
  });

  it('redirects with a code when approved after a delay', async () => {
    beta.setConsent({ slowMs: 20 });
    expect(queryOf((await authorize()).to)).toMatchObject({ code: expect.any(String) });
  });

  it("redirects after a person's answer on the page", async () => {
    beta.setConsent('page');
    const page = await authorize({ state: '"><script>' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('&lt;b&gt;Two&lt;/b&gt;');
    expect(page.text).not.toContain('<script>');

    const answer = (fields: Record<string, string>) =>
      fetch(`${beta.url}/oauth/consent`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(fields),
      });
    const yes = await answer({ merchantId: 'M1', state: 's', answer: 'approve' });
    expect(queryOf(locationOf(yes))).toMatchObject({ merchant_id: 'M1', state: 's' });
    const no = await answer({ merchantId: 'M1', answer: 'deny' });
    expect(queryOf(locationOf(no))).toEqual({ error: 'access_denied' });
  });

  it.each([
    [{ client_id: 'OTHER' }, 'OTHER'],
    [{ redirect_uri: 'https://evil.example/' }, 'evil.example'],
    [{ redirect_uri: `${REDIRECT_URL}/more` }, 'not registered'],
  ])('400 and no redirect for %o', async (query, says) => {
    const { status, text, to } = await authorize(query);
    expect([status, to]).toEqual([400, undefined]);
    expect(text).toContain(says);
  });

  it('a wrong merchant id or none in the callback, with the right code, when claimed', async () => {
    beta.claimMerchant('M1');
    const wrong = queryOf((await authorize()).to);
    expect(wrong.merchant_id).toBe('M1');
    const { body } = await tokenFor({ ...APP, code: wrong.code ?? '' });
    expect((await get(beta, '/M1', body.access_token)).status).toBe(401);
    expect((await get(beta, '/M2', body.access_token)).status).toBe(200);
    beta.claimMerchant(null);
    expect(queryOf((await authorize()).to)).not.toHaveProperty('merchant_id');
  });

  it('no state in a launch from the market, and a code only when requested', () => {
    const bare = queryOf(new URL(beta.marketLaunchUrl('M1')));
    expect(bare).toEqual({ merchant_id: 'M1', client_id: 'APP', employee_id: expect.any(String) });
    const query = queryOf(new URL(beta.marketLaunchUrl('M1', true)));
    expect(query).toMatchObject({ code: expect.any(String) });
    expect(query).not.toHaveProperty('state');
  });
});

describe('/oauth/token', () => {
  const refused = {
    status: 401,
    body: { status: 'Unauthorized', message: 'Failed to validate authentication code.' },
  };

  it('returns only an access token, valid for a year, for a code that works once', async () => {
    const code = beta.newCode('M1');
    const { status, body } = await tokenFor({ ...APP, code });
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String) });
    clock.now = new Date(clock.now.getTime() + 364 * 24 * 60 * MINUTE_MS);
    expect((await get(beta, '/M1', body.access_token)).status).toBe(200);
    expect(await tokenFor({ ...APP, code })).toEqual(refused);
  });

  it('returns an access token for a POST of JSON', async () => {
    const answer = await post(beta, '/oauth/token', { ...APP, code: beta.newCode('M1') });
    expect(answer).toEqual({ status: 200, body: { access_token: expect.any(String) } });
  });

  it('401 for an unknown code, and for one five minutes old', async () => {
    expect(await tokenFor({ ...APP, code: 'unknown' })).toEqual(refused);
    expect(await tokenFor(APP)).toEqual(refused);
    const code = beta.newCode('M1');
    clock.now = new Date(clock.now.getTime() + 5 * MINUTE_MS);
    expect(await tokenFor({ ...APP, code })).toEqual(refused);
  });

  it('401 for a wrong secret, without using up the code', async () => {
    const code = beta.newCode('M1');
    const wrong = await tokenFor({ ...APP, client_secret: 'guess', code });
    expect(wrong).toMatchObject({ status: 401, body: { status: 'Unauthorized' } });
    expect((await tokenFor({ ...APP, code })).status).toBe(200);
  });

  it('four fields when the newer responses are enabled', async () => {
    beta.setTokenAnswers('v2');
    const { body } = await tokenFor({ ...APP, code: beta.newCode('M1') });
    expect(Object.keys(body)).toHaveLength(4);
  });

  it('appears in the journal without code and secret', async () => {
    const code = beta.newCode('M1');
    await tokenFor({ ...APP, code });
    const journal = JSON.stringify(beta.journal());
    expect(journal).toContain('/oauth/token?client_id=APP');
    expect(journal).not.toContain(code);
    expect(journal).not.toContain('shh');
  });

  it('answers with a scheduled fault', async () => {
    beta.fail({ path: '/oauth/token', status: 503 });
    const code = beta.newCode('M1');
    expect((await tokenFor({ ...APP, code })).status).toBe(503);
    expect((await tokenFor({ ...APP, code })).status).toBe(200);
  });
});

describe('the newer flow', () => {
  const exchange = async (query = '') => {
    const { code } = queryOf((await authorize({}, '/oauth/v2/authorize')).to);
    return post(beta, `/oauth/v2/token${query}`, { ...APP, code });
  };
  const renew = (refreshToken: string) =>
    post(beta, '/oauth/v2/refresh', { client_id: 'APP', refresh_token: refreshToken });

  it('two tokens with their expiry times in seconds', async () => {
    const { status, body } = await exchange();
    expect(status).toBe(200);
    const nowSeconds = clock.now.getTime() / 1000;
    expect(body).toEqual({
      access_token: expect.any(String),
      access_token_expiration: nowSeconds + 30 * 60,
      refresh_token: expect.any(String),
      refresh_token_expiration: nowSeconds + 30 * 24 * 3600,
    });
    clock.now = new Date(body.access_token_expiration * 1000);
    expect((await get(beta, '/M2', body.access_token)).status).toBe(401);
  });

  it('no refresh token when none is requested', async () => {
    const { body } = await exchange('?no_refresh_token=true');
    expect(Object.keys(body)).toEqual(['access_token', 'access_token_expiration']);
  });

  it('a refresh token works once, even after the access token has expired', async () => {
    const first = (await exchange()).body;
    clock.now = new Date(first.access_token_expiration * 1000);
    const second = await renew(first.refresh_token);
    expect(second.status).toBe(200);
    expect((await get(beta, '/M2', second.body.access_token)).status).toBe(200);
    expect((await renew(first.refresh_token)).status).toBe(401);
    expect((await renew(second.body.refresh_token)).status).toBe(200);
  });

  it('only one of two concurrent refreshes succeeds', async () => {
    const { refresh_token: token } = (await exchange()).body;
    const answers = await Promise.all([renew(token), renew(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('401 for a refresh token that is unknown, expired, or of an uninstalled app', async () => {
    expect((await renew('unknown')).status).toBe(401);
    const old = (await exchange()).body.refresh_token;
    clock.now = new Date(clock.now.getTime() + 30 * 24 * 60 * MINUTE_MS);
    expect((await renew(old)).status).toBe(401);
    const removed = (await exchange()).body.refresh_token;
    beta.uninstall('M2');
    expect((await renew(removed)).status).toBe(401);
  });
});
