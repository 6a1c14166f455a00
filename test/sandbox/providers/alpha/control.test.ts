import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import { postJson, submitForm, textOf } from '../http.ts';
import type { Receiver } from '../receiver.ts';
import { startWithReceiver } from './client.ts';

let alpha: AlphaSimulator;
let receiver: Receiver;
let stop: () => Promise<void>;
let customerId: string;

beforeEach(async () => {
  const redirectUrl = 'http://127.0.0.1:9/callback';
  ({ alpha, receiver, stop } = await startWithReceiver({ redirectUrl }));
  alpha.addMerchant({ id: 'ML1', name: '<b>Café</b>' });
  alpha.issueToken('ML1');
  customerId = alpha.addCustomer({ merchantId: 'ML1', email: 'ada@example.com' }).id;
});

afterEach(() => stop());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  postJson(`${alpha.url}${path}`, body, headers);
const submit = (path: string, fields: Record<string, string> = {}) =>
  submitForm(`${alpha.url}${path}`, fields);

async function page(): Promise<string> {
  return (await fetch(alpha.url)).text();
}

describe('/_sim', () => {
  it('sends webhooks for a sale rung with only an amount, and for its refund', async () => {
    const sale = await post('/_sim/sales', { amount: 500 });
    expect(sale).toMatchObject({ status: 201, body: { status: 'COMPLETED' } });
    const { id } = sale.body;
    const refunded = await post(`/_sim/payments/${id}/refunds`, { amount: 200 });
    expect(refunded).toMatchObject({ status: 201, body: { payment_id: id } });
    expect((await post(`/_sim/payments/${id}/customer`, { customerId })).body).toMatchObject({
      customer_id: customerId,
      refunded_money: { amount: 200 },
    });
    await alpha.idle();
    expect(receiver.received).toHaveLength(5);
  });

  it('captures or cancels an approved sale once', async () => {
    const ring = async () => (await post('/_sim/sales', { amount: 5, capture: 'later' })).body.id;
    const [one, two] = [await ring(), await ring()];
    expect((await post(`/_sim/payments/${one}/capture`, {})).body.status).toBe('COMPLETED');
    expect((await post(`/_sim/payments/${two}/cancel`, {})).body.status).toBe('CANCELED');
    expect(await post(`/_sim/payments/${two}/capture`, {})).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('is CANCELED') },
    });
  });

  it.each([
    ['/_sim/sales', {}],
    ['/_sim/sales', { amount: '5' }],
    ['/_sim/sales', { amount: 5, merchantId: 'NONE' }],
    ['/_sim/payments/NONE/capture', {}],
    ['/_sim/payments/NONE/refunds', { amount: 1 }],
    ['/_sim/events/NONE/redeliver', {}],
    ['/_sim/failures', { path: '/v2', status: 200, code: 'X' }],
    ['/_sim/chaos', { drop: 2 }],
    ['/_sim/delivery-faults', { fault: 'fire' }],
    ['/_sim/consent', { mode: 'perhaps' }],
    ['/_sim/oauth-errors', { shape: 'round' }],
    ['/_sim/merchants/NONE/locations', { name: 'Somewhere' }],
    ['/_sim/merchants/NONE/revoke', {}],
    ['/_sim/payments/NONE/tip', { amount: 1 }],
    ['/_sim/payments/NONE/decline', {}],
  ])('400 and a reason for %s %o', async (path, body) => {
    const answer = await post(path, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/\w/) } });
  });

  it('says in a page why it refuses what a browser sends', async () => {
    const refused = await fetch(`${alpha.url}/_sim/sales`, {
      method: 'POST',
      headers: { accept: 'text/html,*/*;q=0.8', 'content-type': 'application/json' },
      body: '{"amount":"<b>5"}',
    });
    expect(refused.status).toBe(400);
    expect(refused.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await refused.text()).toContain('amount');
  });

  it('tips and declines a sale', async () => {
    const order = { amount: 5, capture: 'later', note: 'to go', takenOfflineMinutesAgo: 3 };
    const { body } = await post('/_sim/sales', order);
    expect((await post(`/_sim/payments/${body.id}/tip`, { amount: 2 })).body).toMatchObject({
      total_money: { amount: 7 },
      note: 'to go',
      is_offline_payment: true,
    });
    expect((await post(`/_sim/payments/${body.id}/decline`, {})).body.status).toBe('FAILED');
  });

  it('adds a merchant, a location and customers, and merges two customers', async () => {
    const merchant = await post('/_sim/merchants', { name: 'Two', locations: [{ name: 'A' }] });
    const merchantId = merchant.body.id;
    expect((await post(`/_sim/merchants/${merchantId}/locations`, { name: 'B' })).status).toBe(201);
    const add = async (email: string) =>
      (await post('/_sim/customers', { merchantId, email })).body.id;
    const [one, two] = [await add('a@example.com'), await add('b@example.com')];
    expect((await post(`/_sim/customers/${one}/merge`, { into: two })).status).toBe(200);
    const { accessToken } = alpha.issueToken(merchantId);
    const headers = { authorization: `Bearer ${accessToken}` };
    const read = async (path: string) => (await fetch(`${alpha.url}${path}`, { headers })).json();
    expect(await read(`/v2/customers/${one}`)).toMatchObject({ customer: { id: two } });
    expect(await read('/v2/locations')).toMatchObject({
      locations: [{ name: 'A' }, { name: 'B' }],
    });

    expect((await post(`/_sim/merchants/${merchantId}/revoke`, {})).status).toBe(200);
    expect(await read('/v2/locations')).toMatchObject({
      errors: [{ code: 'ACCESS_TOKEN_REVOKED' }],
    });
  });

  it('sets chaos, webhook faults, consent and the shape of OAuth errors', async () => {
    expect((await post('/_sim/delivery-faults', { fault: 'dropForGood' })).status).toBe(201);
    await post('/_sim/sales', { amount: 1 });
    await alpha.idle();
    expect(receiver.received).toEqual([]);

    await post('/_sim/consent', { mode: 'deny' });
    const asked = `${alpha.url}/oauth2/authorize?client_id=app`;
    const answer = await fetch(asked, { redirect: 'manual' });
    expect(answer.headers.get('location')).toContain('error=access_denied');

    await post('/_sim/oauth-errors', { shape: 'message' });
    expect((await post('/oauth2/token', {})).body).toHaveProperty('message');

    await post('/_sim/chaos', { tooMany: 1 });
    expect(await (await fetch(`${alpha.url}/_sim/chaos`)).json()).toEqual({ tooMany: 1 });
    expect((await fetch(`${alpha.url}/v2/locations`)).status).toBe(429);
  });

  it('answers with a scheduled fault', async () => {
    const failure = { path: '/v2/locations', status: 503, code: 'SERVICE_UNAVAILABLE' };
    expect((await post('/_sim/failures', failure)).status).toBe(201);
    expect((await fetch(`${alpha.url}/v2/locations`)).status).toBe(503);
    expect((await fetch(`${alpha.url}/v2/locations`)).status).toBe(401);
  });

  it('the journal shows a delivery, which can be repeated by its event id', async () => {
    await post('/_sim/sales', { amount: 500 });
    await alpha.idle();
    const journal = await (await fetch(`${alpha.url}/_sim/journal`)).json();
    expect(journal).toEqual(JSON.parse(JSON.stringify(alpha.journal())));
    const eventId = JSON.parse(receiver.received[0]?.body ?? '').event_id;
    expect(journal).toMatchObject([{ eventId, outcome: 'accepted', status: 200 }]);

    expect((await post(`/_sim/events/${eventId}/redeliver`, {})).status).toBe(202);
    await alpha.idle();
    expect(receiver.received).toHaveLength(2);
  });

  it('returns the merchants with their locations and customers', async () => {
    const merchants = await (await fetch(`${alpha.url}/_sim/merchants`)).json();
    expect(merchants).toMatchObject([
      { id: 'ML1', locations: [{ merchant_id: 'ML1' }], customers: [{ id: customerId }] },
    ]);
  });

  it.each(['/_sim/sales', '/sales'])(
    "403 for a command from another site's page: %s",
    async (path) => {
      const answer = await post(path, { amount: 5 }, { origin: 'https://evil.example' });
      expect(answer.status).toBe(403);
      expect((await post(path, { amount: 5 }, { origin: alpha.url })).status).not.toBe(403);
    },
  );
});

describe('the page', () => {
  it('rings a sale and shows it', async () => {
    const form = { merchantId: 'ML1', locationId: '', amount: '12.50', tip: '', currency: '' };
    const answer = await submit('/sales', {
      ...form,
      customerId,
      buyerEmail: '',
      capture: 'later',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    await alpha.idle();

    const shown = await page();
    const id = /PAY[A-Z0-9]{21}/.exec(shown)?.[0] ?? '';
    expect(textOf(shown)).toContain(`${id} no name APPROVED 12.50 USD`);
    expect(shown).toContain('accepted 200');

    await submit(`/payments/${id}/capture`);
    expect(textOf(await page())).toContain(`${id} no name COMPLETED`);
    await submit(`/payments/${id}/refund`);
    expect((await submit(`/payments/${id}/refund`)).status).toBe(400);
    expect(textOf(await page())).toContain('12.50 USD 12.50 USD');
  });

  it('has forms for tips, refunds, customers, merchants, consent and faults', async () => {
    const { id } = alpha.ring({ merchantId: 'ML1', amount: 900, capture: 'at-once' });
    const forms: [string, Record<string, string>][] = [
      [`/payments/${id}/tip`, { amount: '1.00' }],
      [`/payments/${id}/refund`, { amount: '2.5' }],
      [`/payments/${id}/customer`, { customerId }],
      ['/merchants', { name: 'Second merchant' }],
      ['/locations', { merchantId: 'ML1', name: 'Second place', currency: 'EUR' }],
      ['/customers', { merchantId: 'ML1', givenName: 'Grace', email: 'grace@example.com' }],
      ['/delivery-faults', { fault: 'dropForGood', times: '1' }],
      ['/chaos', { drop: '0.25', delay: '' }],
      ['/consent', { mode: 'slow' }],
    ];
    for (const [path, fields] of forms) {
      expect([path, (await submit(path, fields)).status]).toEqual([path, 303]);
    }
    const shown = await page();
    expect(textOf(shown)).toContain('10.00 USD 2.50 USD');
    for (const name of ['Second merchant', 'Second place (EUR)', 'grace@example.com']) {
      expect(shown).toContain(name);
    }
    expect(shown).toMatch(/name="drop"[^>]*value="0.25"/);
    expect(shown).toContain('<option selected>slow</option>');
    await submit('/chaos');
    await submit('/sales', { merchantId: 'ML1', amount: '0.04', source: 'CASH' });
    await alpha.idle();
    expect(await page()).toContain('dropped');

    await submit('/merchants/ML1/revoke');
    await alpha.idle();
    expect(await page()).toContain('oauth.authorization.revoked');
  });

  it('escapes its content', async () => {
    expect(await page()).toContain('&lt;b&gt;Café&lt;/b&gt;');
  });

  it('400 for a form without an amount', async () => {
    expect((await submit('/sales', { amount: '' })).status).toBe(400);
  });
});
