import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../../../api/http/replies/errors.ts';
import { createEventStore } from '../../../../api/intake/group-commit.ts';
import { routes } from '../../../../api/routes/index.ts';
import { connect } from '../../../../db/connection.ts';
import { freePort } from '../../../../sandbox/processes/ports.ts';
import { anAlphaConnection, aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { type Answer, send } from '../../../support/http/app.ts';
import { serveRoutes } from '../../../support/http/serve-routes.ts';
import { forgetEvents, receivedEvents } from '../../../support/providers/events.ts';
import { providerSettings } from '../../../support/providers/providers.ts';

const KEY = 'alpha-test-signature-key';
const NEXT_KEY = 'the key that is coming in';
const ADDRESS = 'https://loyalty.example.test/api/v1/webhooks/alpha';
const SIGNATURE = 'x-alpha-hmacsha256-signature';
const MERCHANT = 'MLALPHA000001';
const LIMIT = 1024 * 1024;

const PAYMENT =
  '{"merchant_id":"MLALPHA000001","type":"payment.updated",' +
  '"event_id":"6a8f5f28-54a1-4eb0-a98a-3111513fd4fc","created_at":"2026-01-15T10:00:02.308Z",' +
  '"data":{"type":"payment","id":"PAY_ALPHA_0001","object":{"payment":{"id":"PAY_ALPHA_0001",' +
  '"created_at":"2026-01-15T10:00:00.086Z","updated_at":"2026-01-15T10:00:02.100Z",' +
  '"amount_money":{"amount":1250,"currency":"EUR"},"tip_money":{"amount":150,' +
  '"currency":"EUR"},"total_money":{"amount":1400,"currency":"EUR"},"status":"COMPLETED",' +
  '"source_type":"CARD","location_id":"LOC_ALPHA_01","order_id":"ORD_ALPHA_0001",' +
  '"customer_id":"CUST_ALPHA_01","version_token":"v-2"}}}}';
const PAYMENT_SIGNATURE = '23/XEj0qXAlGWlveAlCJ6g/bq03/KDJAn1cv8jOja7M=';
const SIGNATURE_OF_BODY = 'TQu7IDIzbd9MT5YPV5nJd2rR59OeKpdsbHQOX0vJWd8=';
const SIGNATURE_IN_HEX = Buffer.from(PAYMENT_SIGNATURE, 'base64').toString('hex');
const NON_ASCII =
  '{"merchant_id":"MLALPHA000001","type":"payment.created",' +
  '"event_id":"0b6f6a38-1f7e-4a6e-9d5c-6f0d5e2f0c11","created_at":"2026-01-15T10:00:01Z",' +
  '"data":{"type":"payment","id":"P1","object":{"payment":{"id":"P1","note":"Café ☕ – naïve",' +
  '"amount_money":{"amount":100,"currency":"EUR"},"status":"APPROVED"}}}}';
const NON_ASCII_SIGNATURE = 'faHAhGE/11jsCWUUqGkEzqY6pvFIGtr1VH30jCRa814=';

const prettyPrinted = JSON.stringify(JSON.parse(PAYMENT), null, 2);
const escaped = NON_ASCII.replace(/[^ -~]/g, (letter) => {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
});

const sign = (body: string | Buffer, { key = KEY, url = ADDRESS } = {}) =>
  createHmac('sha256', key).update(url).update(body).digest('base64');
const settings = {
  apiBaseUrl: 'https://loyalty.example.test',
  providers: providerSettings({ ALPHA_WEBHOOK_SIGNATURE_KEY: `${KEY},${NEXT_KEY}` }),
};
const app = await useApp({ settings });
beforeEach(async () => {
  await forgetEvents(app.owner);
});

const path = '/api/v1/webhooks/alpha';
const deliver = (body: string | Buffer, headers: Record<string, string> = {}) =>
  app.call({
    method: 'POST',
    path,
    body,
    headers: { [SIGNATURE]: sign(body), ...headers },
  });
const rows = () => receivedEvents(app.db);

async function expectRefusal(delivery: Promise<Answer>, status: number, code: string) {
  const answer = await delivery;
  expect([answer.status, ErrorEnvelope.parse(answer.body).code]).toEqual([status, code]);
  expect(await rows()).toEqual([]);
}

/** An event of that many elements, below the limit of bytes. */
const eventOf = (elements: number) =>
  `{"merchant_id":"${MERCHANT}","type":"x","list":[0${',0'.repeat(elements - 4)}]}`;

describe('an event of very many parts', () => {
  it('200 for 100,000 elements, 400 for more, and 401 before any is counted', async () => {
    expect((await deliver(eventOf(100_000))).status).toBe(200);
    await forgetEvents(app.owner);
    await expectRefusal(deliver(eventOf(100_001)), 400, 'VALIDATION_ERROR');
    await expectRefusal(deliver(eventOf(100_001), { [SIGNATURE]: 'x' }), 401, 'UNAUTHORIZED');
  });
});

describe('a delivery that alpha signed', () => {
  it('200 and stored byte for byte, with the tenant of its merchant', async () => {
    const tenantId = await aTenant(app.db);
    await anAlphaConnection(app.db, { tenantId, merchantId: MERCHANT });
    const answer = await deliver(PAYMENT, {
      [SIGNATURE]: PAYMENT_SIGNATURE,
      'x-correlation-id': 'request-1',
    });
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    expect(await rows()).toEqual([
      expect.objectContaining({
        provider: 'alpha',
        tenantId,
        merchantId: MERCHANT,
        eventType: 'payment.updated',
        body: Buffer.from(PAYMENT),
        correlationId: 'request-1',
        processed: false,
        outcome: null,
        outcomeReason: null,
      }),
    ]);
    await app.db('pos_connections').update({ status: 'disconnected' });
  });

  it('200 for an unknown merchant, stored with the reason and without a tenant', async () => {
    expect((await deliver(PAYMENT)).status).toBe(200);
    expect(await rows()).toEqual([
      expect.objectContaining({ tenantId: null, outcomeReason: 'unknown_merchant' }),
    ]);
  });

  it.each<[string, string, Record<string, string>]>([
    ['text beyond ASCII', NON_ASCII, { [SIGNATURE]: NON_ASCII_SIGNATURE }],
    ['the body alone signed', PAYMENT, { [SIGNATURE]: SIGNATURE_OF_BODY }],
    ['the signature in hex', PAYMENT, { [SIGNATURE]: SIGNATURE_IN_HEX }],
    ['the second key', PAYMENT, { [SIGNATURE]: sign(PAYMENT, { key: NEXT_KEY }) }],
    ['another media type', PAYMENT, { 'content-type': 'text/plain' }],
  ])('200 with %s', async (_, body, headers) => {
    expect((await deliver(body, headers)).status).toBe(200);
    expect((await rows()).map((row) => row.body)).toEqual([Buffer.from(body)]);
  });

  it('200 with the header that bears the provider’s own name', async () => {
    const headers = { 'x-square-hmacsha256-signature': PAYMENT_SIGNATURE };
    const answer = await app.call({ method: 'POST', path, body: PAYMENT, headers });
    expect(answer.status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  it('200 and a row for each delivery of one event', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => deliver(PAYMENT)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await rows()).toHaveLength(3);
  });

  it('200 with the type of its body, whatever the header says', async () => {
    await deliver(PAYMENT, { 'x-alpha-event-type': 'refund.created' });
    expect(await rows()).toEqual([expect.objectContaining({ eventType: 'payment.updated' })]);
  });

  it('200 by the configured address, whatever the headers of the request say', async () => {
    const elsewhere = 'https://elsewhere.example/api/v1/webhooks/alpha';
    const forwarded = { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'https' };
    const statuses: (number | undefined)[] = [];
    for (const signature of [PAYMENT_SIGNATURE, sign(PAYMENT, { url: elsewhere })]) {
      const headers = { host: 'elsewhere.example', ...forwarded, [SIGNATURE]: signature };
      const sent = request(`${app.url}${path}`, { method: 'POST', headers }).end(PAYMENT);
      const [response] = await once(sent, 'response');
      statuses.push(response.statusCode);
      response.resume();
    }
    expect(statuses).toEqual([200, 401]);
    expect(await rows()).toHaveLength(1);
  });

  it('200 with exactly 1 MiB', async () => {
    const body = ofLength(LIMIT);
    expect((await deliver(body)).status).toBe(200);
    expect((await rows()).map((row) => row.body.length)).toEqual([LIMIT]);
  });
});

function ofLength(length: number): Buffer {
  const [start, end] = [`{"merchant_id":"${MERCHANT}","type":"x","padding":"`, '"}'];
  return Buffer.from(start + 'p'.repeat(length - start.length - end.length) + end);
}

describe('a delivery that alpha did not sign', () => {
  const sha1 = createHmac('sha1', KEY).update(ADDRESS + PAYMENT);

  it.each<[string, string, string]>([
    ['of the address with a slash', PAYMENT, 'jNBeS1ZuPq+ZnEmz1W2HVtjv1LkVv4ibGuB8PpQk1rU='],
    ['of the address with http', PAYMENT, 'dIzV+KxrNDPfEYnSObDtzjZRnjccZcvl2Q+YHMboO5k='],
    ['of the body before the address', PAYMENT, 'puTRFego/2htV2nFCB2EpZ7MXtiyHp8dBdNUMAWDexA='],
    ['of the same JSON in several lines', PAYMENT, '3a3tuKegJ+tnzE03cCTDt7/cTYdV73dC28JashGEQag='],
    ['for a body in several lines', prettyPrinted, PAYMENT_SIGNATURE],
    ['of the same JSON, escaped', NON_ASCII, 'DLuPHjiU0UoeHrCLqQJawlIKoFT+pfnAxx9ttocyINQ='],
    ['for an escaped body', escaped, NON_ASCII_SIGNATURE],
    ['of another key', PAYMENT, sign(PAYMENT, { key: 'some other key' })],
    ['of both keys', PAYMENT, sign(PAYMENT, { key: `${KEY},${NEXT_KEY}` })],
    ['of another delivery', NON_ASCII, PAYMENT_SIGNATURE],
    ['for a body with an extra line break', `${PAYMENT}\n`, PAYMENT_SIGNATURE],
    ['in SHA-1', PAYMENT, sha1.digest('base64')],
    ['that is truncated', PAYMENT, PAYMENT_SIGNATURE.slice(0, -1)],
    ['that is empty', PAYMENT, ''],
    ['that is given twice', PAYMENT, `${PAYMENT_SIGNATURE}, ${PAYMENT_SIGNATURE}`],
  ])('401 UNAUTHORIZED, and no row, with a signature %s', async (_, body, signature) => {
    await expectRefusal(deliver(body, { [SIGNATURE]: signature }), 401, 'UNAUTHORIZED');
  });

  it('401 UNAUTHORIZED, and no row, without a signature, whatever the body', async () => {
    for (const body of [PAYMENT, 'not json', ''] as const) {
      await expectRefusal(app.call({ method: 'POST', path, body }), 401, 'UNAUTHORIZED');
    }
  });

  it('401 for every delivery while no key is configured, with an error line', async () => {
    const served = await serveRoutes(routes, { db: app.db });
    const address = `https://api.shop.example${path}`;
    try {
      for (const key of ['', KEY]) {
        const signature = createHmac('sha256', key).update(address).update(PAYMENT);
        const headers = { [SIGNATURE]: signature.digest('base64') };
        const delivery = send(served.url, { method: 'POST', path, body: PAYMENT, headers });
        await expectRefusal(delivery, 401, 'UNAUTHORIZED');
      }
      const errors = served.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
      expect(errors.map(({ keys }) => keys)).toEqual([0, 0]);
    } finally {
      await served.close();
    }
  });
});

describe('a delivery that cannot be accepted', () => {
  it.each([
    ['broken JSON', '{"merchant_id":'],
    ['an empty body', ''],
    ['no merchant', '{"type":"payment.updated"}'],
    ['an empty merchant', '{"merchant_id":"","type":"payment.updated"}'],
    ['a merchant that is not text', '{"merchant_id":7,"type":"payment.updated"}'],
    ['a NUL in its merchant', '{"merchant_id":"M\\u0000","type":"payment.updated"}'],
    ['no type', `{"merchant_id":"${MERCHANT}"}`],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('400 VALIDATION_ERROR, and no row, for %s', async (_, body) => {
    await expectRefusal(deliver(body), 400, 'VALIDATION_ERROR');
    expect(app.reported).toEqual([]);
  });

  it('415 for a compressed body, even with a valid signature', async () => {
    for (const body of [gzipSync(PAYMENT), PAYMENT]) {
      const delivery = deliver(body, { 'content-encoding': 'gzip' });
      await expectRefusal(delivery, 415, 'VALIDATION_ERROR');
    }
  });

  it('413 for a byte more than 1 MiB', async () => {
    await expectRefusal(deliver(ofLength(LIMIT + 1)), 413, 'VALIDATION_ERROR');
  });

  it('503 INTERNAL_ERROR with Retry-After while Postgres is unreachable', async () => {
    const db = connect(`postgres://127.0.0.1:${await freePort()}/none`, 2, 'loyalty-test');
    const eventStore = createEventStore({ db, dispatcher: { add() {} } });
    const settings = { providers: providerSettings({ ALPHA_WEBHOOK_SIGNATURE_KEY: KEY }) };
    const served = await serveRoutes(routes, { db, eventStore, settings });
    try {
      const url = `https://api.shop.example${path}`;
      const headers = { [SIGNATURE]: sign(PAYMENT, { url }), 'x-correlation-id': randomUUID() };
      const answer = await send(served.url, { method: 'POST', path, body: PAYMENT, headers });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(ErrorEnvelope.parse(answer.body)).toMatchObject({
        code: 'INTERNAL_ERROR',
        requestId: headers['x-correlation-id'],
      });
      expect(served.reported).toEqual([]);
    } finally {
      await served.close();
      await db.destroy();
    }
  });
});
