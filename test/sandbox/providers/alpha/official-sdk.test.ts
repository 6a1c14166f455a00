import { type Square, SquareClient, SquareError, WebhooksHelper } from 'square';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import type { Receiver } from '../receiver.ts';
import { startWithReceiver } from './client.ts';

const APP = { clientId: 'app', clientSecret: 'secret' };
const REDIRECT_URL = 'http://127.0.0.1:9/callback';

let alpha: AlphaSimulator;
let receiver: Receiver;
let stop: () => Promise<void>;

beforeEach(async () => {
  ({ alpha, receiver, stop } = await startWithReceiver({
    redirectUrl: REDIRECT_URL,
    headerNames: 'square',
  }));
  const locations = [
    { id: 'MAIN', name: 'Main' },
    { id: 'SIDE', name: 'Side', currency: 'EUR' },
  ];
  alpha.addMerchant({ id: 'ML1', name: 'One', locations });
  alpha.setConsent('approve');
});

afterEach(() => stop());

function client(token?: string): SquareClient {
  return new SquareClient({ environment: alpha.url, token: token ?? '', maxRetries: 0 });
}

/** Returns a code as from the redirect of the merchant's browser. */
async function allowedCode(): Promise<string> {
  const query = 'scope=MERCHANT_PROFILE_READ+PAYMENTS_READ+CUSTOMERS_READ&state=s1';
  const url = `${alpha.url}/oauth2/authorize?client_id=${APP.clientId}&${query}`;
  const response = await fetch(url, { redirect: 'manual' });
  const back = new URL(response.headers.get('location') ?? '');
  expect(back.searchParams.get('state')).toBe('s1');
  return back.searchParams.get('code') ?? '';
}

async function exchange(code: string): Promise<Square.ObtainTokenResponse> {
  return client().oAuth.obtainToken({ ...APP, code, grantType: 'authorization_code' });
}

describe('the official SDK', () => {
  it('exchanges a code, refreshes the token and reads its status', async () => {
    const granted = await exchange(await allowedCode());
    expect(granted).toMatchObject({ merchantId: 'ML1', tokenType: 'bearer', shortLived: false });
    const { refreshToken = '' } = granted;
    const renewed = await client().oAuth.obtainToken({
      ...APP,
      refreshToken,
      grantType: 'refresh_token',
      shortLived: true,
    });
    expect(renewed).toMatchObject({ merchantId: 'ML1', refreshToken, shortLived: true });
    expect(renewed.accessToken).not.toBe(granted.accessToken);

    const status = await client(renewed.accessToken).oAuth.retrieveTokenStatus();
    expect(status).toMatchObject({ clientId: APP.clientId, merchantId: 'ML1' });
    expect(status.scopes).toEqual(['MERCHANT_PROFILE_READ', 'PAYMENTS_READ', 'CUSTOMERS_READ']);
    expect(status.expiresAt).toBe(renewed.expiresAt);
  });

  it('reads the error for a used code', async () => {
    const code = await allowedCode();
    await exchange(code);
    const error = await exchange(code).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SquareError);
    expect(error).toMatchObject({
      statusCode: 401,
      errors: [{ category: 'AUTHENTICATION_ERROR', code: 'UNAUTHORIZED' }],
    });
  });

  it('lists all payments of a location page by page, and gets one', async () => {
    const rung = Array.from({ length: 7 }, (_, n) =>
      alpha.ring({ merchantId: 'ML1', locationId: 'SIDE', amount: n + 1, capture: 'at-once' }),
    );
    alpha.ring({ merchantId: 'ML1', amount: 99, capture: 'at-once' });
    const { accessToken } = await exchange(await allowedCode());
    const sdk = client(accessToken);
    const page = await sdk.payments.list({
      locationId: 'SIDE',
      limit: 3,
      sortField: 'UPDATED_AT',
      sortOrder: 'ASC',
      updatedAtBeginTime: new Date(Date.now() - 60_000).toISOString(),
    });
    expect(page.data).toHaveLength(3);
    const found: Square.Payment[] = [];
    for await (const payment of page) found.push(payment);
    expect(found.map(({ id }) => id).sort()).toEqual(rung.map(({ id }) => id).sort());

    const [first] = rung;
    const { payment } = await sdk.payments.get({ paymentId: first?.id ?? '' });
    expect(payment).toMatchObject({
      id: first?.id,
      status: 'COMPLETED',
      locationId: 'SIDE',
      sourceType: 'CARD',
      amountMoney: { amount: 1n, currency: 'EUR' },
      cardDetails: { status: 'CAPTURED', card: { last4: '1111' } },
    });
  });

  it('gets a customer, a refund and the locations', async () => {
    const customer = alpha.addCustomer({
      merchantId: 'ML1',
      givenName: 'Ada',
      email: 'ada@example.com',
      phone: '+12125550101',
    });
    const { id } = alpha.ring({ merchantId: 'ML1', amount: 500, capture: 'at-once' });
    const refunded = alpha.refund(id, 200);
    const sdk = client((await exchange(await allowedCode())).accessToken);

    expect(await sdk.customers.get({ customerId: customer.id })).toMatchObject({
      customer: { id: customer.id, emailAddress: 'ada@example.com', phoneNumber: '+12125550101' },
    });
    expect(await sdk.refunds.get({ refundId: refunded.id })).toMatchObject({
      refund: { paymentId: id, status: 'COMPLETED', amountMoney: { amount: 200n } },
    });
    const { locations } = await sdk.locations.list();
    expect(locations?.map((location) => location.id)).toEqual(['MAIN', 'SIDE']);
  });

  it('revokes a token, which then no longer works', async () => {
    const { accessToken = '', refreshToken = '' } = await exchange(await allowedCode());
    const authorization = { headers: { Authorization: `Client ${APP.clientSecret}` } };
    const request = { clientId: APP.clientId, accessToken };
    expect(await client().oAuth.revokeToken(request, authorization)).toEqual({ success: true });
    await expect(client(accessToken).locations.list()).rejects.toMatchObject({
      errors: [{ code: 'ACCESS_TOKEN_REVOKED' }],
    });
    const renewal = { ...APP, refreshToken, grantType: 'refresh_token' };
    await expect(client().oAuth.obtainToken(renewal)).rejects.toMatchObject({ statusCode: 401 });
  });

  it('verifies our webhooks under the real header names, and rejects altered ones', async () => {
    await exchange(await allowedCode());
    const note = 'Café ☕ – naïve';
    alpha.ring({ merchantId: 'ML1', amount: 500, note, capture: 'at-once' });
    await alpha.idle();
    const [event] = receiver.received;
    const requestBody = event?.body ?? '';
    const message = {
      requestBody,
      signatureHeader: String(event?.headers['x-square-hmacsha256-signature']),
      signatureKey: 'key',
      notificationUrl: receiver.url,
    };
    expect(requestBody).toContain(note);
    expect(event?.headers['square-environment']).toBe('Sandbox');
    expect(await WebhooksHelper.verifySignature(message)).toBe(true);
    const altered = { ...message, requestBody: requestBody.replace('500', '501') };
    expect(await WebhooksHelper.verifySignature(altered)).toBe(false);
  });
});
