import Router from '@koa/router';
import Koa from 'koa';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { createReceiver } from '../../../sandbox/developer/receiver.ts';
import { addReceiverPages } from '../../../sandbox/developer/receiver-pages.ts';
import { listenOnLoopback } from '../../../sandbox/processes/listen.ts';
import { answerCommands } from '../../../sandbox/providers/shared/control.ts';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const NOWHERE = 'http://127.0.0.1:9';
const tenant = {
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  alphaMerchantId: '',
  alphaCustomerId: '',
  betaMerchantId: '',
  betaCustomerId: '',
};

const receiver = createReceiver();
const listener = await listenOnLoopback(0);
const router = new Router();
const place = { api: NOWHERE, issuer: NOWHERE, tenant };
addReceiverPages(router, { place, receiver, url: listener.url });
const app = new Koa();
app.use(answerCommands).use(router.routes());
listener.answerWith(app.callback());
afterAll(() => listener.stop());

const page = async () => (await fetch(`${listener.url}/webhooks`)).text();
const submit = (path: string, form: Record<string, string> = {}) =>
  fetch(`${listener.url}/webhooks${path}`, { method: 'POST', body: new URLSearchParams(form) });

function deliver(signal?: AbortSignal) {
  const body = '{"type":"redemption.used","data":{"note":"<b>bold</b>"}}';
  const now = new Date();
  return fetch(`${listener.url}/webhooks/receive`, {
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
  const text = await page();
  expect(text).toContain(`<code>${SECRET}</code>`);
  expect(text).toMatch(/redemption\.used<\/td><td>evt_1<\/td><td>1<\/td>\s*<td>verified/);
  expect(text).toContain('&lt;b&gt;bold');
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
