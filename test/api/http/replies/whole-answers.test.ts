import { createHmac } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRateLimits } from '../../../../api/http/access/rate-limits.ts';
import { route } from '../../../../api/http/route.ts';
import { version } from '../../../../api/package-info.ts';
import { routes } from '../../../../api/routes/index.ts';
import { connect } from '../../../../db/connection.ts';
import { createLogger } from '../../../../gateways/telemetry/logger.ts';
import { ALLOWED_ORIGIN, serveRoutes } from '../../../support/http/serve-routes.ts';
import { providerSettings } from '../../../support/providers/providers.ts';

// Every header of an answer, in its order and spelling, and every byte of its body.

const KEY = 'a signature key of the tests';
const PER_MINUTE = { reads: 0, writes: 0, lookups: 0, webhooks: 1 };
const WEBHOOK = '/api/v1/webhooks/alpha';
const ID = 'an-id-of-the-tests';

const nowhere = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test-nowhere');
const log = createLogger({ level: 'silent', service: 'test' });
const order = route({
  method: 'POST',
  path: '/orders',
  access: 'public',
  summary: 'Returns the order',
  status: 201,
  body: z.object({ points: z.int() }),
  response: z.object({ points: z.int() }),
  handle: ({ body }) => body,
});
const served = await serveRoutes([...routes, order], {
  limits: createRateLimits({ db: nowhere, perMinute: PER_MINUTE, log }),
  eventStore: { store: async () => undefined },
  settings: { providers: providerSettings({ ALPHA_WEBHOOK_SIGNATURE_KEY: KEY }) },
});
afterAll(async () => {
  await served.close();
  await nowhere.destroy();
});

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string };

/** Returns an answer as text, without what the moment decides. */
async function answerTo({ method = 'GET', path, headers, body = '' }: Sent): Promise<string> {
  const all = { 'X-Correlation-Id': ID, Connection: 'close', ...headers };
  const sending = request(`${served.url}${path}`, { method, headers: all });
  sending.end(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve).once('error', reject);
  });
  const { statusCode, statusMessage, rawHeaders } = response;
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${lasting(name, rawHeaders[at + 1] ?? '')}`] : [],
  );
  return [`${statusCode} ${statusMessage}`, ...lines, '', await text(response)].join('\n');
}

function lasting(name: string, value: string): string {
  if (name === 'Date' || name === 'Retry-After') return '…';
  return value.replace(/t=\d+$/, 't=…');
}

function webhook(merchant: string, headers: Record<string, string> = {}): Sent {
  const body = JSON.stringify({ merchant_id: merchant, type: 'payment.updated' });
  const address = `https://api.shop.example${WEBHOOK}`;
  const signature = createHmac('sha256', KEY).update(address).update(body).digest('base64');
  return {
    method: 'POST',
    path: WEBHOOK,
    headers: { 'X-Alpha-HmacSha256-Signature': signature, ...headers },
    body,
  };
}

const SECURE = [
  'Cache-Control: no-store',
  "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy: same-origin',
  'Cross-Origin-Resource-Policy: same-origin',
  'Origin-Agent-Cluster: ?1',
  'Referrer-Policy: no-referrer',
  'Strict-Transport-Security: max-age=31536000; includeSubDomains',
  'X-Content-Type-Options: nosniff',
  'X-DNS-Prefetch-Control: off',
  'X-Download-Options: noopen',
  'X-Frame-Options: SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies: none',
  'X-XSS-Protection: 0',
  'Vary: Origin',
];
const NAMED = `X-Correlation-Id: ${ID}`;
const CLOSED = ['Date: …', 'Connection: close', ''];
const QUOTA = ['RateLimit-Policy: "webhooks";q=1;w=60', 'RateLimit: "webhooks";r=0;t=…'];
const HEALTH = JSON.stringify({ status: 'ok', version, env: 'test' });
const ALLOWED = 'Access-Control-Allow-Origin: https://app.shop.example';
const preflight = (Origin: string) => ({
  method: 'OPTIONS',
  path: '/health',
  headers: { Origin, 'Access-Control-Request-Method': 'GET' },
});

/** A whole answer: the status, the headers of its own, and its body as JSON. */
const whole = (status: string, own: readonly string[], json: string) =>
  [
    status,
    ...SECURE,
    NAMED,
    ...own,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(json)}`,
    ...CLOSED,
    json,
  ].join('\n');
const refusal = (code: string, message: string, issue?: string) =>
  JSON.stringify({
    code,
    message,
    requestId: ID,
    ...(issue !== undefined && { issues: [{ path: '', code: issue, message }] }),
  });

describe('an answer is, in every header and byte,', () => {
  it('that of an acknowledged webhook, then of one over the limit', async () => {
    expect(await answerTo(webhook('M1'))).toBe(whole('200 OK', QUOTA, '{"ok":true}'));
    const message = 'Limit reached: 1 webhooks a minute per merchant. Try again shortly.';
    expect(await answerTo(webhook('M1'))).toBe(
      whole(
        '429 Too Many Requests',
        [...QUOTA, 'Retry-After: …'],
        refusal('RATE_LIMITED', message),
      ),
    );
  });

  it('that of a refused webhook', async () => {
    expect(await answerTo(webhook('M2', { 'X-Alpha-HmacSha256-Signature': 'x' }))).toBe(
      whole(
        '401 Unauthorized',
        ['WWW-Authenticate: Bearer'],
        refusal('UNAUTHORIZED', 'The signature does not match. Sign the address and the body.'),
      ),
    );
    const encoded = 'Send the body without a Content-Encoding.';
    expect(await answerTo(webhook('M2', { 'Content-Encoding': 'gzip' }))).toBe(
      whole(
        '415 Unsupported Media Type',
        [],
        refusal('VALIDATION_ERROR', encoded, 'unsupported_media_type'),
      ),
    );
    const large = 'The body is larger than 1048576 bytes. Send a smaller one.';
    expect(await answerTo({ ...webhook('M2'), body: 'x'.repeat(1024 * 1024 + 1) })).toBe(
      whole('413 Payload Too Large', [], refusal('VALIDATION_ERROR', large, 'too_large')),
    );
  });

  it.each(['/nowhere', '/health/', '/Health', '/api/v1/health', `${WEBHOOK}/x`])(
    '404 at %s',
    async (path) => {
      const message = 'There is nothing at this address. Check the address.';
      expect(await answerTo({ path })).toBe(
        whole('404 Not Found', [], refusal('NOT_FOUND', message)),
      );
    },
  );

  it('405 for another method', async () => {
    const message = 'PUT is not allowed here. Use POST.';
    expect(await answerTo({ method: 'PUT', path: WEBHOOK })).toBe(
      whole(
        '405 Method Not Allowed',
        ['Allow: POST'],
        refusal('NOT_FOUND', message, 'method_not_allowed'),
      ),
    );
  });

  it('that of a GET, with a query, as HEAD, and from another origin', async () => {
    const health = whole('200 OK', [], HEALTH);
    expect(await answerTo({ path: '/health' })).toBe(health);
    expect(await answerTo({ path: '/health?at=now' })).toBe(health);
    expect(await answerTo({ path: '/health', headers: { Origin: 'https://no.example' } })).toBe(
      health,
    );
    const head = await answerTo({ method: 'HEAD', path: '/health' });
    expect(head).toBe(health.slice(0, -HEALTH.length));
  });

  it('that of an allowed origin', async () => {
    const exposed =
      'X-Correlation-Id,Link,Idempotency-Replayed,RateLimit,RateLimit-Policy,Retry-After,' +
      'Content-Disposition,Date';
    expect(await answerTo({ path: '/health', headers: { Origin: ALLOWED_ORIGIN } })).toBe(
      whole('200 OK', [], HEALTH).replace(
        NAMED,
        `${ALLOWED}\nAccess-Control-Expose-Headers: ${exposed}\n${NAMED}`,
      ),
    );
  });

  it('that of a preflight, of an allowed and of another origin', async () => {
    const accepted = [
      ALLOWED,
      'Access-Control-Max-Age: 600',
      'Access-Control-Allow-Methods: GET,HEAD,POST,PUT,PATCH,DELETE',
      'Access-Control-Allow-Headers: Authorization,Content-Type,Idempotency-Key,' +
        'X-Correlation-Id,X-Tenant-Id,Last-Event-ID',
    ];
    const allowing = (headers: string[]) =>
      ['204 No Content', ...SECURE, ...headers, NAMED, ...CLOSED, ''].join('\n');
    expect(await answerTo(preflight(ALLOWED_ORIGIN))).toBe(allowing(accepted));
    expect(await answerTo(preflight('https://no.example'))).toBe(allowing([]));
  });

  it('that of a route with a JSON body', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = { method: 'POST', path: '/api/v1/orders', body: '{"points":5}' };
    expect(await answerTo({ ...sent, headers })).toBe(whole('201 Created', [], '{"points":5}'));
    const message = 'Send the body as application/json.';
    expect(await answerTo({ ...sent, headers: { 'Content-Type': 'text/plain' } })).toBe(
      whole(
        '415 Unsupported Media Type',
        [],
        refusal('VALIDATION_ERROR', message, 'unsupported_media_type'),
      ),
    );
  });

  it('that of the pages about the API, which have policies of their own', async () => {
    const reading =
      "Content-Security-Policy: default-src 'none';script-src 'self';style-src 'self';" +
      "img-src 'self' data:;frame-ancestors 'none';base-uri 'none';form-action 'none'";
    const trying =
      "Content-Security-Policy: default-src 'none';script-src 'self';" +
      "style-src 'self' 'unsafe-inline';img-src 'self' data:;font-src 'self' data:;" +
      "connect-src 'self';frame-ancestors 'none';base-uri 'none';form-action 'none'";
    // Signing in opens a window of the identity provider's.
    const opener = 'Cross-Origin-Opener-Policy: same-origin-allow-popups';
    const others = SECURE.slice(2).map((line) =>
      line.replace('Vary: Origin', 'Vary: Origin, Accept-Encoding'),
    );
    const opening = others.map((line) =>
      line.startsWith('Cross-Origin-Opener-Policy') ? opener : line,
    );
    for (const [path, policy] of [
      ['/docs', [reading, ...others]],
      ['/docs?x=1', [reading, ...others]],
      ['/docs/try', [trying, ...opening]],
    ] as const) {
      const lines = (await answerTo({ path })).split('\n');
      expect(lines.slice(0, 2 + policy.length)).toEqual([
        '200 OK',
        'Cache-Control: no-cache',
        ...policy,
      ]);
    }
    expect(await answerTo({ path: '/docsx' })).toContain(SECURE.join('\n'));
  });
});
