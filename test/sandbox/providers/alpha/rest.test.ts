import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import { errorBody, get as getWith, startConnectedAlpha } from './client.ts';

let alpha: AlphaSimulator;
let clock: { now: Date };
let bearer: string;

beforeEach(async () => {
  ({ alpha, clock, bearer } = await startConnectedAlpha());
});

afterEach(() => alpha.stop());

const get = (path: string, token = bearer) => getWith(alpha, path, token);

const ringOne = () => alpha.ring({ merchantId: 'ML1', amount: 1, capture: 'later' });

describe('GET /v2/payments/{id}', () => {
  it('returns the payment in its present state', async () => {
    const { id } = ringOne();
    const payment = alpha.capture(id);
    expect((await get(`/v2/payments/${id}`)).body).toEqual({ payment });
  });

  it("404 for an unknown id and for another merchant's", async () => {
    const { id } = ringOne();
    alpha.addMerchant({ id: 'ML2', name: 'Two' });
    const { accessToken } = alpha.issueToken('ML2');
    const expected = { status: 404, body: errorBody('INVALID_REQUEST_ERROR', 'NOT_FOUND') };
    expect(await get('/v2/payments/NONE')).toMatchObject(expected);
    expect(await get(`/v2/payments/${id}`, accessToken)).toMatchObject(expected);
  });
});

describe('GET /v2/merchants/{id}', () => {
  it('returns the merchant of the token, with the currency of the account', async () => {
    const locations = [
      { name: 'Here', currency: 'EUR' },
      { name: 'There', currency: 'CHF' },
    ];
    alpha.addMerchant({ id: 'ML3', name: 'Three', locations });
    const { accessToken } = alpha.issueToken('ML3');
    const merchant = { id: 'ML3', business_name: 'Three', currency: 'EUR', status: 'ACTIVE' };
    expect((await get('/v2/merchants/me', accessToken)).body).toMatchObject({ merchant });
    expect((await get('/v2/merchants/ML3', accessToken)).body).toMatchObject({ merchant });
    expect(await get('/v2/merchants/ML1', accessToken)).toMatchObject({ status: 404 });
  });
});

describe('GET /v2/customers/{id}', () => {
  it('returns the customer with contacts', async () => {
    const { id } = alpha.addCustomer({
      merchantId: 'ML1',
      givenName: 'Ada',
      email: 'Ada@Example.com',
      phone: '+1-212-555-0101',
    });
    expect((await get(`/v2/customers/${id}`)).body).toMatchObject({
      customer: { id, email_address: 'Ada@Example.com', phone_number: '+1-212-555-0101' },
    });
  });

  it('returns an instant profile without contacts', async () => {
    const { id } = alpha.addCustomer({ merchantId: 'ML1', givenName: 'CARD HOLDER' });
    const { customer } = (await get(`/v2/customers/${id}`)).body;
    expect(customer).toMatchObject({ creation_source: 'INSTANT_PROFILE' });
    expect(customer).not.toHaveProperty('email_address');
  });

  it('returns the customer into which an id was merged, over several merges', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map(
      (name) => alpha.addCustomer({ merchantId: 'ML1', email: `${name}@example.com` }).id,
    );
    if (a === undefined || b === undefined || c === undefined) throw new Error('no customers');
    alpha.mergeCustomers(a, b);
    alpha.mergeCustomers(b, c);
    alpha.mergeCustomers(c, a);
    expect((await get(`/v2/customers/${a}`)).body).toMatchObject({ customer: { id: c } });
    expect((await get(`/v2/customers/${c}`)).body).toMatchObject({ customer: { id: c } });
  });

  it("404 for an unknown id and for another merchant's", async () => {
    alpha.addMerchant({ id: 'ML2', name: 'Two' });
    const { id } = alpha.addCustomer({ merchantId: 'ML2', email: 'x@example.com' });
    expect((await get('/v2/customers/NONE')).status).toBe(404);
    expect((await get(`/v2/customers/${id}`)).status).toBe(404);
  });
});

describe('GET /v2/locations', () => {
  it('returns all locations of the merchant, including inactive ones', async () => {
    alpha.addMerchant({ id: 'ML2', name: 'Two' });
    expect((await get('/v2/locations')).body).toMatchObject({
      locations: [
        { id: 'MAIN', status: 'ACTIVE', merchant_id: 'ML1', currency: 'USD' },
        { id: 'SIDE', status: 'INACTIVE', merchant_id: 'ML1' },
      ],
    });
  });
});

describe('errors', () => {
  it('401 UNAUTHORIZED without a known token', async () => {
    const expected = { status: 401, body: errorBody('AUTHENTICATION_ERROR', 'UNAUTHORIZED') };
    expect(await get('/v2/locations', 'unknown')).toMatchObject(expected);
    expect((await fetch(`${alpha.url}/v2/locations`)).status).toBe(401);
  });

  it('401 ACCESS_TOKEN_EXPIRED from the moment of expiry', async () => {
    const { accessToken, expiresAt } = alpha.issueToken('ML1', { livesSeconds: 60 });
    clock.now = new Date(expiresAt.getTime() - 1);
    expect((await get('/v2/locations', accessToken)).status).toBe(200);
    clock.now = expiresAt;
    expect(await get('/v2/locations', accessToken)).toMatchObject({
      status: 401,
      body: errorBody('AUTHENTICATION_ERROR', 'ACCESS_TOKEN_EXPIRED'),
    });
  });

  it('401 ACCESS_TOKEN_REVOKED after the merchant revoked its consent', async () => {
    alpha.revokeTokens('ML1');
    expect((await get('/v2/locations')).body).toEqual(
      errorBody('AUTHENTICATION_ERROR', 'ACCESS_TOKEN_REVOKED'),
    );
  });

  it.each([
    ['/v2/payments', 'PAYMENTS_READ'],
    ['/v2/payments/X', 'PAYMENTS_READ'],
    ['/v2/customers/X', 'CUSTOMERS_READ'],
    ['/v2/locations', 'MERCHANT_PROFILE_READ'],
  ])('403 INSUFFICIENT_SCOPES for %s without %s', async (path, scope) => {
    const all = ['PAYMENTS_READ', 'CUSTOMERS_READ', 'MERCHANT_PROFILE_READ'];
    const scopes = all.filter((name) => name !== scope);
    const { accessToken } = alpha.issueToken('ML1', { scopes });
    expect(await get(path, accessToken)).toMatchObject({
      status: 403,
      body: errorBody('AUTHENTICATION_ERROR', 'INSUFFICIENT_SCOPES'),
    });
  });

  it('404 with an error body for an unknown path', async () => {
    const expected = { status: 404, body: errorBody('INVALID_REQUEST_ERROR', 'NOT_FOUND') };
    expect(await get('/v2/nothing')).toMatchObject(expected);
  });

  it('answers scheduled faults at the path and below it, as often as scheduled', async () => {
    const { id } = ringOne();
    const code = 'RATE_LIMITED';
    alpha.fail({ path: '/v2/payments', status: 429, code, times: 2, retryAfterSeconds: 3 });
    expect((await get('/v2/locations')).status).toBe(200);
    const limited = await get('/v2/payments');
    expect(limited).toMatchObject({ status: 429, body: errorBody('RATE_LIMIT_ERROR', code) });
    expect(limited.headers.get('retry-after')).toBe('3');
    expect((await get(`/v2/payments/${id}`)).status).toBe(429);
    expect((await get('/v2/payments')).status).toBe(200);
  });

  it.each([500, 502, 503, 504])('API_ERROR for a scheduled %i', async (status) => {
    alpha.fail({ path: '/v2/customers', status, code: 'INTERNAL_SERVER_ERROR' });
    const answer = await get('/v2/customers/X');
    expect(answer).toMatchObject({ status, body: errorBody('API_ERROR', 'INTERNAL_SERVER_ERROR') });
    expect((await get('/v2/customers/X')).status).toBe(404);
  });

  it('the journal contains every request, and no token', async () => {
    await get('/v2/payments?limit=5');
    await get('/v2/nothing');
    expect(alpha.journal()).toMatchObject([
      { kind: 'request', method: 'GET', url: '/v2/payments?limit=5', status: 200 },
      { kind: 'request', method: 'GET', url: '/v2/nothing', status: 404 },
    ]);
    expect(JSON.stringify(alpha.journal())).not.toContain(bearer);
  });
});
