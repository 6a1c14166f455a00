import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import { decodeJwt } from 'jose';
import Koa from 'koa';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { byProvider } from '../../../domain/payment.ts';
import { createReceiver } from '../../../sandbox/developer/receiver.ts';
import { addReceiverPages } from '../../../sandbox/developer/receiver-pages.ts';
import { PEOPLE } from '../../../sandbox/identity/people.ts';
import { startIdentityProvider } from '../../../sandbox/identity/provider.ts';
import { listenOnLoopback } from '../../../sandbox/processes/listen.ts';
import { answerCommands } from '../../../sandbox/providers/shared/control.ts';
import { newSigningKey } from '../../../sandbox/state.ts';
import { textOf } from '../providers/http.ts';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const NOWHERE = 'http://127.0.0.1:9';
const tenant = {
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  accounts: byProvider(() => ({ merchantId: '', customerId: '' })),
};

const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** Starts the pages of a receiver, over this API. */
async function startPages(at: { api: string; issuer: string }) {
  const listener = await listenOnLoopback(0);
  stops.push(listener.stop);
  const router = new Router();
  const receiver = createReceiver();
  addReceiverPages(router, { place: { ...at, tenant }, receiver, url: listener.url });
  listener.answerWith(new Koa().use(answerCommands).use(router.routes()).callback());
  return {
    url: listener.url,
    page: async () => (await fetch(`${listener.url}/webhooks`)).text(),
    submit: (path: string, form: Record<string, string> = {}) =>
      fetch(`${listener.url}/webhooks${path}`, { method: 'POST', body: new URLSearchParams(form) }),
  };
}

const { url: pages, page, submit } = await startPages({ api: NOWHERE, issuer: NOWHERE });

function deliver(signal?: AbortSignal) {
  const body = '{"type":"redemption.used","data":{"note":"<b>bold</b>"}}';
  const now = new Date();
  return fetch(`${pages}/webhooks/receive`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('evt_1', now, body),
    },
    body,
    ...(signal && { signal }),
  });
}

it('trusts a secret that is pasted, and shows what it verified by it', async () => {
  expect(await page()).toContain('It knows no secret yet.');
  expect(await (await submit('/secrets', { secret: 'none' })).text()).toContain('whsec_');
  await submit('/secrets', { secret: ` ${SECRET}\n` });
  expect((await deliver()).status).toBe(200);
  const shown = await page();
  expect(shown).toContain(`<code>${SECRET}</code>`);
  expect(textOf(shown)).toContain('redemption.used evt_1 1 verified');
  expect(shown).toContain('&lt;b&gt;bold');
});

it('answers 500, or not at all, when told to', async () => {
  await submit('/behaviour', { behaviour: 'answer 500' });
  expect((await deliver()).status).toBe(500);
  await submit('/behaviour', { behaviour: 'hang' });
  await expect(deliver(AbortSignal.timeout(300))).rejects.toThrow();
  await submit('/behaviour', { behaviour: 'accept' });
  expect((await deliver()).status).toBe(200);
  expect((await submit('/behaviour', { behaviour: 'explode' })).status).toBe(400);
});

it('says why no endpoint could be created', async () => {
  const response = await submit('/endpoint');
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('Not done');
});

it('creates an endpoint as the merchant, trusts its secret, and sends tests', async () => {
  const audience = 'loyalty-api';
  const signingKey = await newSigningKey();
  const identity = await startIdentityProvider({ port: 0, signingKey, people: PEOPLE, audience });
  const api = await listenOnLoopback(0);
  stops.push(identity.stop, api.stop);
  const asked: string[] = [];
  api.answerWith(async (request, response) => {
    const claims = decodeJwt(request.headers.authorization?.replace('Bearer ', '') ?? '');
    asked.push(`${claims.email} ${request.method} ${request.url} ${await text(request)}`);
    response.end(JSON.stringify({ id: 'an-endpoint', secret: SECRET }));
  });
  const own = await startPages({ api: api.url, issuer: identity.issuer });
  expect(await own.page()).not.toContain('Send a test event');
  await own.submit('/endpoint');
  const after = await own.page();
  expect(after).toContain(`<code>${SECRET}</code>`);
  expect(after).toContain('Send a test event');
  await own.submit('/test');
  const path = `/api/v1/client/tenants/${tenant.tenantId}/webhook-endpoints`;
  expect(asked).toEqual([
    `merchant@example.com POST ${path} {"url":"${own.url}/webhooks/receive"}`,
    `merchant@example.com POST ${path}/an-endpoint/test {}`,
  ]);
});
