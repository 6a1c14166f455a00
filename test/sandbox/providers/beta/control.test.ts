import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BetaSimulator } from '../../../../sandbox/providers/beta/simulator.ts';
import { readJson, submitForm, textOf } from '../http.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { get, post as postTo, startConnected } from './client.ts';

let beta: BetaSimulator;
let receiver: Receiver;
let customerId: string;
let bearer: string;

beforeEach(async () => {
  receiver = await startReceiver();
  ({ beta, customerId, bearer } = await startConnected({ webhookUrl: receiver.url }));
});

afterEach(async () => {
  await beta.stop();
  await receiver.stop();
});

const post = (path: string, body: unknown = {}, headers = {}) => postTo(beta, path, body, headers);
const page = async () => (await fetch(beta.url)).text();

const submit = async (path: string, fields: Record<string, string> = {}) =>
  (await submitForm(`${beta.url}${path}`, fields)).status;

describe('/_sim', () => {
  it('sends webhooks for a sale rung with only an amount and for all its changes', async () => {
    const sale = await post('/_sim/sales', { amount: 500 });
    expect(sale).toMatchObject({ status: 201, body: { result: 'SUCCESS', merchantId: 'M1' } });
    const { id, orderId } = sale.body;
    expect((await post(`/_sim/payments/${id}/tip`, { amount: 50 })).body.tipAmount).toBe(50);
    const attached = await post(`/_sim/orders/${orderId}/customers`, { customerId });
    expect(attached.body.customerIds).toEqual([customerId]);
    expect((await post(`/_sim/payments/${id}/refunds`, { amount: 200 })).body.amount).toBe(200);
    expect((await post(`/_sim/payments/${id}/refunds`)).body.amount).toBe(350);
    const pending = (await post('/_sim/sales', { amount: 1, result: 'PENDING' })).body;
    await post(`/_sim/payments/${pending.id}/settle`, { result: 'SUCCESS' });
    const voided = await post(`/_sim/payments/${pending.id}/void`, { reason: 'TEST' });
    expect(voided.body).toMatchObject({ result: 'VOIDED', voidReason: 'TEST' });
    await beta.idle();
    expect(receiver.received).toHaveLength(8);
  });

  it('adds and shows merchants and customers, and uninstalls the app', async () => {
    const { body: merchant } = await post('/_sim/merchants', { name: 'Two', currency: 'JPY' });
    const customer = { merchantId: merchant.id, firstName: 'Bob', phones: ['555 0102'] };
    expect((await post('/_sim/customers', customer)).status).toBe(201);
    const merchants = await (await fetch(`${beta.url}/_sim/merchants`)).json();
    expect(merchants).toMatchObject([
      { id: 'M1', customers: [{ id: customerId }] },
      { currency: 'JPY', customers: [{ firstName: 'Bob' }] },
    ]);
    await post('/_sim/merchants/M1/uninstall');
    expect((await get(beta, '/M1', bearer)).status).toBe(401);
    const { body } = await post('/_sim/merchants/M1/launch');
    expect(new URL(body.url).searchParams.get('merchant_id')).toBe('M1');
  });

  it.each([
    ['/_sim/sales', {}],
    ['/_sim/sales', { amount: '5' }],
    ['/_sim/sales', { amount: 5, merchantId: 'NONE' }],
    ['/_sim/payments/NONE/settle', { result: 'SUCCESS' }],
    ['/_sim/payments/NONE/refunds', { amount: 1 }],
    ['/_sim/payments/NONE/void', {}],
    ['/_sim/orders/NONE/customers', { customerId: 'X' }],
    ['/_sim/messages/NONE/redeliver', {}],
    ['/_sim/failures', { path: '/v3', status: 200 }],
    ['/_sim/chaos', { drop: 2 }],
    ['/_sim/consent', { mode: 'maybe' }],
    ['/_sim/merchants/NONE/launch', {}],
  ])('400 and a reason for %s %o', async (path, body) => {
    const answer = await post(path, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/\w/) } });
  });

  it('schedules faults, and sets chaos and batching', async () => {
    const failure = { path: '/v3/merchants/M1', status: 503 };
    expect((await post('/_sim/failures', failure)).status).toBe(201);
    expect((await get(beta, '/M1', bearer)).status).toBe(503);
    expect((await get(beta, '/M1', bearer)).status).toBe(200);

    await post('/_sim/chaos', { drop: 1 });
    await post('/_sim/sales', { amount: 1 });
    await beta.idle();
    expect(receiver.received).toEqual([]);
    await post('/_sim/chaos', {});
    await post('/_sim/batching', { batching: { windowMs: 0, acrossMerchants: true } });
    await post('/_sim/batching', {});
    await post('/_sim/sales', { amount: 1 });
    await beta.idle();
    expect(receiver.received).toHaveLength(1);
    expect(await (await fetch(`${beta.url}/_sim/violations`)).json()).toEqual([]);
  });

  it('sets the consent and wrong merchant ids, and sends the verification', async () => {
    await post('/_sim/consent', { mode: 'approve', merchantId: 'M1' });
    await post('/_sim/claims', { merchantId: 'WRONG' });
    const query = new URLSearchParams({ client_id: 'APP' });
    const response = await fetch(`${beta.url}/oauth/authorize?${query}`, { redirect: 'manual' });
    expect(response.headers.get('location')).toContain('merchant_id=WRONG');
    expect((await post('/_sim/verifications')).body).toMatchObject({ outcome: 'accepted' });
  });

  it('the journal shows a delivery, which can be repeated by its id', async () => {
    await post('/_sim/sales', { amount: 500 });
    await beta.idle();
    const journal = await readJson(await fetch(`${beta.url}/_sim/journal`));
    expect(journal).toEqual(JSON.parse(JSON.stringify(beta.journal())));
    expect((await post(`/_sim/messages/${journal[0].eventId}/redeliver`)).status).toBe(201);
    await beta.idle();
    expect(receiver.received).toHaveLength(2);
  });

  it.each(['/_sim/sales', '/sales', '/oauth/consent'])(
    "403 for a command from another site's page: %s",
    async (path) => {
      const answer = await post(path, { amount: 5 }, { origin: 'https://evil.example' });
      expect(answer.status).toBe(403);
      expect((await post(path, { amount: 5 }, { origin: beta.url })).status).not.toBe(403);
    },
  );
});

describe('the page', () => {
  it('rings a sale, settles, tips and refunds it', async () => {
    const form = { merchantId: 'M1', amount: '12.50', tip: '', currency: '', customerId };
    expect(await submit('/sales', { ...form, result: 'PENDING' })).toBe(303);
    await beta.idle();
    const shown = await page();
    expect(shown).toContain('accepted 200');
    const [, id = ''] = /([A-Z0-9]{13}) Ada Byron PENDING 12\.50 EUR/.exec(textOf(shown)) ?? [];

    expect(await submit(`/payments/${id}/settle`, { result: 'SUCCESS' })).toBe(303);
    expect(await submit(`/payments/${id}/tip`, { amount: '0.50' })).toBe(303);
    expect(await submit(`/payments/${id}/refund`, { amount: '1' })).toBe(303);
    expect(textOf(await page())).toContain(`${id} Ada Byron SUCCESS`);
    expect(await submit(`/payments/${id}/refund`)).toBe(303);
    expect(await submit(`/payments/${id}/refund`)).toBe(400);
  });

  it('rings a sale without an order, and attaches a customer to one with an order', async () => {
    await submit('/sales', { amount: '0.05', withoutOrder: 'on' });
    await submit('/sales', { amount: '0.07' });
    const [bare, other] =
      (await get(beta, '/M1/payments?filter=amount<8', bearer)).body.elements ?? [];
    const orders = [bare?.order, other?.order].filter((order) => order !== undefined);
    expect(orders).toHaveLength(1);
    const shown = await page();
    const [, orderId = ''] = /action="\/orders\/([A-Z0-9]{13})\/customers"/.exec(shown) ?? [];
    expect(await submit(`/orders/${orderId}/customers`, { customerId })).toBe(303);
    expect(await page()).not.toContain('action="/orders/');
  });

  it('adds merchants and customers, uninstalls, and sets the chaos dial', async () => {
    expect(await submit('/merchants', { name: '<b>Café</b>' })).toBe(303);
    expect(await submit('/customers', { firstName: 'Bob', email: 'bob@example.com' })).toBe(303);
    expect(await page()).toContain('&lt;b&gt;Café&lt;/b&gt;');
    expect(await page()).toContain('bob@example.com');
    for (const [path, fields] of [
      ['/merchants/M1/uninstall', {}],
      ['/verifications', {}],
      ['/chaos', { drop: '0.5', delay: '' }],
      ['/consent', { mode: 'slow' }],
    ] as const) {
      expect([path, await submit(path, fields)]).toEqual([path, 303]);
    }
    expect(await submit('/chaos', { drop: '3' })).toBe(400);
  });

  it('400 for a form without an amount', async () => {
    expect(await submit('/sales', { amount: '' })).toBe(400);
  });
});
