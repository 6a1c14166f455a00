import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRateLimits } from '../../../../api/http/access/rate-limits.ts';
import { ErrorEnvelope } from '../../../../api/http/replies/errors.ts';
import { routes } from '../../../../api/routes/index.ts';
import { receiveEventOf } from '../../../../api/routes/webhooks/receive-event.ts';
import { createLogger } from '../../../../gateways/telemetry/logger.ts';
import { aTenant, testSealer } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { type Answer, send } from '../../../support/http/app.ts';
import { serveRoutes } from '../../../support/http/serve-routes.ts';
import { forgetEvents, receivedEvents } from '../../../support/providers/events.ts';
import { providerSettings } from '../../../support/providers/providers.ts';

const SECRET = '0307e264-b33a-4913-88aa-37b10014a0b8';
const APP = 'BETAAPP000001';
const MERCHANT = 'BETAMERCH0001';
const BODY =
  '{"appId":"BETAAPP000001","merchants":{"BETAMERCH0001":[{"objectId":"P:BETAPAY000001",' +
  '"type":"CREATE","ts":1768471200000}]}}';
const HEX = 'b5721b2cfa4b755ff26c6cf7a313e619427e99f2991cd9fd558f5300124f1a7d';
const BASE64 = 'tXIbLPpLdV/ybGz3oxPmGUJ+mfKZHNn9VY9TABJPGn0=';
const CODE = 'ce7643c1-83ea-4218-abe6-da876c9c7a0a';
const LIMIT = 1024 * 1024;
const app = await useApp({
  settings: { providers: providerSettings({ BETA_WEBHOOK_SECRET: SECRET, BETA_APP_ID: APP }) },
});
beforeEach(async () => {
  app.log.length = 0;
  await forgetEvents(app.owner);
});

const path = '/api/v1/webhooks/beta';
const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  app.call({ method: 'POST', path, body, headers });
const deliver = (body: string | Buffer, headers: Record<string, string> = {}) =>
  post(body, { 'x-beta-auth': SECRET, ...headers });
const rows = () => receivedEvents(app.db);
const logged = (level: number, log = app.log) =>
  log.map((line) => JSON.parse(line)).filter((line) => line.level === level);

async function expectRefusal(delivery: Promise<Answer>, status: number, code: string) {
  const answer = await delivery;
  expect([answer.status, ErrorEnvelope.parse(answer.body).code]).toEqual([status, code]);
  expect(await rows()).toEqual([]);
}

describe('an event of very many parts', () => {
  it('400 with the secret, 401 without', async () => {
    const body = BODY.replace('{"appId"', `{"list":[${'0,'.repeat(100_000)}0],"appId"`);
    await expectRefusal(deliver(body), 400, 'VALIDATION_ERROR');
    await expectRefusal(post(body), 401, 'UNAUTHORIZED');
  });
});

describe('a delivery with the secret', () => {
  it('200 and stored byte for byte, with the tenant of its merchant', async () => {
    const tenantId = await aTenant(app.db);
    const context = { tenantId, provider: 'beta', field: 'access_token' };
    await app.db('pos_connections').insert({
      tenantId,
      merchantId: MERCHANT,
      provider: 'beta',
      status: 'active',
      sealedAccessToken: testSealer.seal('token', context),
    });
    const answer = await deliver(BODY, { 'x-correlation-id': 'request-1' });
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    expect(await rows()).toEqual([
      expect.objectContaining({
        provider: 'beta',
        tenantId,
        merchantId: MERCHANT,
        eventType: 'P:CREATE',
        body: Buffer.from(BODY),
        correlationId: 'request-1',
        processed: false,
      }),
    ]);
    await app.db('pos_connections').update({ status: 'disconnected' });
  });

  it('200 for an unknown merchant, stored with the reason and without a tenant', async () => {
    expect((await deliver(BODY)).status).toBe(200);
    expect(await rows()).toEqual([
      expect.objectContaining({ tenantId: null, outcomeReason: 'unknown_merchant' }),
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['in X-Clover-Auth', { 'x-clover-auth': SECRET }],
    ['as a bearer token', { authorization: `Bearer ${SECRET}` }],
    ['bare in Authorization', { authorization: SECRET }],
    ['as the HMAC in hex', { 'x-beta-auth': HEX }],
    ['as the HMAC in base64', { 'x-beta-auth': `sha256=${BASE64}` }],
  ])('200 with the secret %s', async (_, headers) => {
    expect((await post(BODY, headers)).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  it('200 with the type of its header, else of its first update', async () => {
    const updates = '[{"objectId":"O:1","type":"UPDATE"},{"objectId":"P:1","type":"CREATE"}]';
    const body = `{"merchants":{"${MERCHANT}":${updates}}}`;
    const types: string[] = [];
    for (const label of ['payment', undefined, ' ', 'x'.repeat(201), 'p\u00e9']) {
      await deliver(body, { ...(label !== undefined && { 'x-beta-event-type': label }) });
      types.push(...(await rows()).map((row) => row.eventType));
      await forgetEvents(app.owner);
    }
    expect(types).toEqual(['payment', 'O:UPDATE', 'O:UPDATE', 'O:UPDATE', 'O:UPDATE']);
  });

  it('200 without an app, without updates, and with exactly 1 MiB', async () => {
    const body = `{"merchants":{"${MERCHANT}":[]}}`.padEnd(LIMIT);
    expect((await deliver(body)).status).toBe(200);
    expect(await rows()).toEqual([expect.objectContaining({ eventType: 'none' })]);
  });

  it('200 and a row for each delivery of one event', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => deliver(BODY)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await rows()).toHaveLength(3);
  });
});

describe('a delivery without the secret', () => {
  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['another secret', { 'x-beta-auth': CODE }],
    ['the HMAC of another body', { 'x-beta-auth': hmac(`${BODY} `) }],
    ['the secret in another header', { 'x-alpha-hmacsha256-signature': SECRET }],
  ])('401 UNAUTHORIZED, and no row, with %s', async (_, headers) => {
    await expectRefusal(post(BODY, headers), 401, 'UNAUTHORIZED');
    await expectRefusal(post('not json', headers), 401, 'UNAUTHORIZED');
    expect(app.log.join('')).not.toContain(SECRET);
  });

  it('401 for every delivery while no secret is configured, with an error line', async () => {
    const served = await serveRoutes(routes, { db: app.db });
    try {
      for (const value of ['', 'undefined', SECRET]) {
        const headers = { 'x-beta-auth': value, authorization: value };
        const delivery = send(served.url, { method: 'POST', path, body: BODY, headers });
        await expectRefusal(delivery, 401, 'UNAUTHORIZED');
      }
      expect(logged(50, served.log)).toHaveLength(3);
    } finally {
      await served.close();
    }
  });
});

function hmac(body: string): string {
  return createHmac('sha256', SECRET).update(body).digest('hex');
}

describe('the handshake', () => {
  it('200 with the code, logged once and stored nowhere, with or without the secret', async () => {
    for (const headers of [{}, { 'x-beta-auth': SECRET }, { 'x-beta-auth': 'wrong' }]) {
      const answer = await post(`{"verificationCode":"${CODE}"}`, { ...headers });
      expect([answer.status, answer.body]).toEqual([200, { verificationCode: CODE }]);
      expect(answer.headers.get('ratelimit')).toBeNull();
    }
    const lines = logged(30).filter((line) => line.verificationCode !== undefined);
    expect(lines.map((line) => line.verificationCode)).toEqual([CODE]);
    expect(await rows()).toEqual([]);
  });

  it('200 even while no secret is configured, since it comes before the secret', async () => {
    const served = await serveRoutes(routes, { db: app.db });
    try {
      const body = `{"verificationCode":"${CODE}"}`;
      expect(await send(served.url, { method: 'POST', path, body })).toMatchObject({
        status: 200,
        body: { verificationCode: CODE },
      });
    } finally {
      await served.close();
    }
  });

  it('is logged without what cannot be seen, and answered as it is', async () => {
    const served = await serveRoutes([receiveEventOf('beta')], { db: app.db });
    try {
      const verificationCode = 'ab\n\u202e c';
      const body = JSON.stringify({ verificationCode });
      const answer = await send(served.url, { method: 'POST', path, body });
      expect(answer).toMatchObject({ status: 200, body: { verificationCode } });
      const lines = logged(30, served.log).filter((line) => 'verificationCode' in line);
      expect(lines.map((line) => line.verificationCode)).toEqual(['ab c']);
    } finally {
      await served.close();
    }
  });

  it('is logged once a minute, twenty of them, as anybody may send it, and answered', async () => {
    const served = await serveRoutes([receiveEventOf('beta')], { db: app.db });
    try {
      const codes = Array.from({ length: 30 }, (_, nth) => `code-number-${nth}`);
      for (const code of codes.flatMap((each) => [each, each])) {
        const body = `{"verificationCode":"${code}"}`;
        const { status } = await send(served.url, { method: 'POST', path, body });
        expect(status).toBe(200);
      }
      const lines = logged(30, served.log).filter((line) => 'verificationCode' in line);
      expect(lines.map((line) => line.verificationCode)).toEqual(codes.slice(0, 20));
    } finally {
      await served.close();
    }
  });

  it.each([
    ['another field', `{"verificationCode":"${CODE}","appId":"${APP}"}`],
    ['a code that is not text', '{"verificationCode":7}'],
    ['an empty code', '{"verificationCode":""}'],
    ['a code that is too long', `{"verificationCode":"${'c'.repeat(129)}"}`],
    ['a list', `["${CODE}"]`],
  ])('401 for a body with %s', async (_, body) => {
    await expectRefusal(post(body), 401, 'UNAUTHORIZED');
    expect(logged(30).filter((line) => 'verificationCode' in line)).toEqual([]);
  });
});

describe('a delivery that cannot be accepted', () => {
  it('400 VALIDATION_ERROR, and no row, for several merchants, with an error line', async () => {
    const body = `{"appId":"${APP}","merchants":{"${MERCHANT}":[],"BETAMERCH0002":[]}}`;
    await expectRefusal(deliver(body), 400, 'VALIDATION_ERROR');
    expect(logged(50)).toEqual([expect.objectContaining({ merchants: 2, appId: APP })]);
    expect(app.reported).toEqual([]);
  });

  it('400 VALIDATION_ERROR, and no row, for another app', async () => {
    const body = BODY.replace(APP, 'BETAAPP000002');
    await expectRefusal(deliver(body), 400, 'VALIDATION_ERROR');
  });

  it('200 for any app while none is configured', async () => {
    const settings = { providers: providerSettings({ BETA_WEBHOOK_SECRET: SECRET }) };
    const eventStore = { store: async () => undefined };
    const served = await serveRoutes(routes, { db: app.db, settings, eventStore });
    try {
      const headers = { 'x-beta-auth': SECRET };
      const answer = await send(served.url, { method: 'POST', path, body: BODY, headers });
      expect(answer.status).toBe(200);
    } finally {
      await served.close();
    }
  });

  it.each<[string, string | Buffer]>([
    ['broken JSON', '{"merchants":'],
    ['an empty body', ''],
    ['no list of merchants', `{"appId":"${APP}"}`],
    ['an empty list of merchants', '{"merchants":{}}'],
    ['an empty merchant', '{"merchants":{"":[]}}'],
    ['a NUL in its merchant', '{"merchants":{"M\\u0000":[]}}'],
    ['a NUL in its type', '{"merchants":{"M":[{"objectId":"P:1","type":"\\u0000"}]}}'],
    ['an update without an object', '{"merchants":{"M":[{"type":"CREATE"}]}}'],
    ['the key __proto__', '{"merchants":{"__proto__":[]}}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('400 VALIDATION_ERROR, and no row, for %s', async (_, body) => {
    await expectRefusal(deliver(body), 400, 'VALIDATION_ERROR');
    expect(app.reported).toEqual([]);
  });

  it('415 for a compressed body, 413 for a byte more than 1 MiB', async () => {
    const compressed = deliver(BODY, { 'content-encoding': 'gzip' });
    await expectRefusal(compressed, 415, 'VALIDATION_ERROR');
    await expectRefusal(deliver(BODY.padEnd(LIMIT + 1)), 413, 'VALIDATION_ERROR');
  });
});

describe('the limit', () => {
  it('delays what is beyond it, by merchant, and refuses nothing', async () => {
    const perMinute = { reads: 0, writes: 0, lookups: 0, webhooks: 2 };
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const log = createLogger({ level: 'info', service: 'test' }, { write });
    const stored: { merchantId: string; delaySeconds?: number | undefined }[] = [];
    const served = await serveRoutes(routes, {
      db: app.db,
      limits: createRateLimits({ db: app.db, perMinute, log }),
      settings: { providers: providerSettings({ BETA_WEBHOOK_SECRET: SECRET }) },
      eventStore: { store: async (event) => void stored.push(event) },
    });
    const ask = (body: string, secret = SECRET) =>
      send(served.url, { method: 'POST', path, body, headers: { 'x-beta-auth': secret } });
    try {
      for (let nth = 0; nth < 3; nth++) expect((await ask(BODY, 'wrong')).status).toBe(401);
      for (let nth = 0; nth < 5; nth++) {
        const { status, headers } = await ask(BODY);
        expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([
          200,
          null,
          null,
        ]);
      }
      expect((await ask(BODY.replace(MERCHANT, 'BETAMERCH0002'))).status).toBe(200);
      expect(stored.map(({ delaySeconds }) => delaySeconds)).toEqual([0, 0, 60, 60, 120, 0]);
      expect(lines.filter((line) => line.includes('webhooks_delayed'))).toHaveLength(1);
    } finally {
      await served.close();
    }
  });
});
