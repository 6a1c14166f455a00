import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { anAlphaEvent, aRule, aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { type SignedIn, send } from '../../../support/http/app.ts';
import { labelValues, sampleOf } from '../../../support/metric-text.ts';
import { providerSettings } from '../../../support/providers/providers.ts';

const KEY = 'the key of alpha';
const BASE = 'https://loyalty.example.test';
const CONFIRM = '/api/v1/consumer/wallets/:walletId/redeem/confirm';
const REQUESTS = 'loyalty_http_requests_total';
const settings = {
  apiBaseUrl: BASE,
  providers: providerSettings({ ALPHA_WEBHOOK_SIGNATURE_KEY: KEY }),
};
const app = await useApp({ settings });

const scrape = () => app.metrics.metrics();
async function count(name: string, labels: Record<string, string> = {}): Promise<number> {
  return sampleOf(await scrape(), name, labels) ?? 0;
}

describe('loyalty_http_requests_total', () => {
  it('counts and times requests by route pattern', async () => {
    const consumer = await app.signIn({ role: 'consumer' });
    for (let nth = 0; nth < 3; nth++) {
      const path = `/api/v1/consumer/wallets/${randomUUID()}/history`;
      expect(await app.call({ path, token: consumer.token })).toMatchObject({ status: 404 });
    }
    const route = '/api/v1/consumer/wallets/:walletId/history';
    expect(await count(REQUESTS, { method: 'GET', route, status: '404' })).toBe(3);
    const timed = 'loyalty_http_request_duration_seconds_count';
    expect(await count(timed, { method: 'GET', route })).toBe(3);
  });

  it('has one label for all unknown paths, and one for all unknown methods', async () => {
    const paths = Array.from({ length: 20 }, () => `/${randomUUID()}/${randomUUID()}`);
    for (const path of paths) expect((await app.call({ path })).status).toBe(404);
    await send(app.url, { method: 'OPTIONS', path: `/${randomUUID()}` });
    await send(app.url, { method: 'PURGE', path: '/health' });
    const text = await scrape();
    for (const path of paths) expect(text).not.toContain(path.split('/')[1]);
    expect(labelValues(text, REQUESTS, 'route').filter((it) => !it.startsWith('/'))).toEqual([
      'none',
    ]);
    expect(labelValues(text, REQUESTS, 'method')).toContain('other');
    expect(labelValues(text, REQUESTS, 'method')).not.toContain('PURGE');
  });
});

describe('loyalty_codes_issued_total', () => {
  let consumer: SignedIn;
  const confirm = async (points: number, headers: Record<string, string> = {}) => {
    const tenantId = await aTenant(app.db);
    await aRule(app.db, tenantId);
    const owned = { balance: 100, userId: consumer.userId, tenantId };
    const walletId = await aWallet(app.db, owned);
    return () =>
      app.call({
        method: 'POST',
        token: consumer.token,
        headers,
        body: { pointsToRedeem: points },
        path: CONFIRM.replace(':walletId', walletId),
      });
  };
  beforeAll(async () => {
    consumer = await app.signIn({ role: 'consumer' });
  });

  it('counts a code once, however often its Idempotency-Key is sent', async () => {
    const before = await count('loyalty_codes_issued_total');
    const again = await confirm(40, { 'idempotency-key': randomUUID() });
    for (let nth = 0; nth < 3; nth++) expect((await again()).status).toBe(200);
    expect((await count('loyalty_codes_issued_total')) - before).toBe(1);
    const answers = { method: 'POST', route: CONFIRM, status: '200' };
    expect(await count(REQUESTS, answers)).toBe(3);
  });

  it('does not count refused requests', async () => {
    const before = await count('loyalty_codes_issued_total');
    const refused = await confirm(4_000, { 'idempotency-key': randomUUID() });
    for (let nth = 0; nth < 2; nth++) expect((await refused()).status).toBe(422);
    expect(await count('loyalty_codes_issued_total')).toBe(before);
  });
});

describe('webhooks', () => {
  const path = '/api/v1/webhooks/alpha';
  const deliver = (body: Buffer | string, key = KEY) => {
    const signature = createHmac('sha256', key).update(`${BASE}${path}`).update(body);
    const headers = { 'x-alpha-hmacsha256-signature': signature.digest('base64') };
    return app.call({ method: 'POST', path, body, headers });
  };
  const refused = (reason: string) =>
    count('loyalty_webhooks_refused_total', { provider: 'alpha', reason });

  it('counts stored events, and refused ones by reason', async () => {
    expect((await deliver(anAlphaEvent('M-1'))).status).toBe(200);
    expect((await deliver(anAlphaEvent('M-1'))).status).toBe(200);
    expect((await deliver(anAlphaEvent('M-1'), 'another key')).status).toBe(401);
    expect((await deliver('{}')).status).toBe(400);
    expect(await count('loyalty_webhooks_accepted_total', { provider: 'alpha' })).toBe(2);
    expect(await Promise.all(['unauthentic', 'invalid', 'unavailable'].map(refused))).toEqual([
      1, 1, 0,
    ]);
  });

  it('counts beta separately', async () => {
    const refusal = await app.call({ method: 'POST', path: '/api/v1/webhooks/beta', body: '{}' });
    expect(refusal.status).toBe(401);
    const of = { provider: 'beta', reason: 'unauthentic' };
    expect(await count('loyalty_webhooks_refused_total', of)).toBe(1);
    expect(await count('loyalty_webhooks_accepted_total', { provider: 'beta' })).toBe(0);
  });
});
