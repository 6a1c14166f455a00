import { createHmac } from 'node:crypto';
import { METHODS } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ErrorEnvelope } from '../../api/http/replies/errors.ts';
import { pathOf, type Route } from '../../api/http/route.ts';
import { namedRoutes, routes } from '../../api/routes/index.ts';
import { watchTables } from '../support/database/table-digests.ts';
import { anAlphaEvent, required } from '../support/factories.ts';
import { describedOperations } from '../support/http/described.ts';
import {
  asBody,
  type FuzzedBody,
  hostileSegments,
  nearExample,
  nearShape,
  oddHeaders,
  querystring,
  segment,
  shapeOf,
} from '../support/http/fuzz.ts';
import {
  addressOf,
  bodyOf,
  type OpenShop,
  openShop,
  WEBHOOK_KEY,
} from '../support/http/open-shop.ts';
import { createRawClient, type RawAnswer, type RawClient } from '../support/http/raw-http.ts';
import { CRON_SECRET } from '../support/http/serve-routes.ts';

// A failure names its seed and its request, so that it can be repeated.
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_115);
const RUNS = Number(process.env.FUZZ_RUNS ?? 25);

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,128}$/;

const Responses = z.record(z.string(), z.object({ description: z.string() }));
const document = describedOperations(namedRoutes);
type Documented = z.infer<typeof Responses>;

type Fuzzed = {
  query: string;
  headers: Record<string, string>;
  segments: Record<string, string>;
  token: string | undefined;
  body: FuzzedBody | undefined;
};

let shop: OpenShop;
let client: RawClient;
let digests: () => Promise<Record<string, string>>;
beforeAll(async () => {
  shop = await openShop();
  digests = await watchTables(shop.app.owner, shop.app.db);
  client = createRawClient(shop.app.url);
});
afterAll(async () => {
  client.close();
  await shop.close();
});

function requests(route: Route): fc.Arbitrary<Fuzzed> {
  const own = shop.idsOf(route);
  const ids = Object.entries(own).map(([name, id]) => [name, segment(id)] as const);
  return fc.record({
    query: querystring(route, own),
    headers: headersFor(route),
    segments: fc.record(Object.fromEntries(ids)),
    token: tokens(route),
    body: bodies(route),
  });
}

function headersFor(route: Route): fc.Arbitrary<Record<string, string>> {
  if (route.access !== 'cron-secret') return oddHeaders;
  const secret = fc.constantFrom(CRON_SECRET, CRON_SECRET, `${CRON_SECRET}x`, '', 'x');
  return fc.tuple(oddHeaders, secret).map(([odd, said]) => ({ ...odd, 'x-cron-secret': said }));
}

function tokens(route: Route): fc.Arbitrary<string | undefined> {
  const fitting = shop.tokensFor(route);
  if (fitting.length === 0) return fc.constantFrom(undefined, 'x');
  const [token = ''] = fitting;
  const broken = [undefined, '', 'x', 'x.y.z', `${token}x`, token.slice(0, -20), 'é'.repeat(500)];
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...fitting) },
    { weight: 1, arbitrary: fc.constantFrom(...broken) },
  );
}

function bodies(route: Route): fc.Arbitrary<FuzzedBody | undefined> {
  if (route === namedRoutes.receiveBetaEvent) return authenticBodies();
  if (route.access === 'signed-webhook') return signedBodies();
  if (!route.body) return fc.option(asBody(nearExample({})), { nil: undefined, freq: 2 });
  const near = nearExample(bodyOf(route, shop.idsOf(route)));
  return asBody(fc.oneof(near, nearShape(shapeOf(route.body))));
}

function signedBodies(): fc.Arbitrary<FuzzedBody> {
  const event: unknown = JSON.parse(anAlphaEvent('SOME_MERCHANT', { id: 'PAY_1' }).toString());
  return fc.tuple(asBody(nearExample(event)), fc.nat(9)).map(([{ bytes, headers }, luck]) => {
    const right = createHmac('sha256', WEBHOOK_KEY).update(bytes).digest('base64');
    const signature = luck === 0 ? right.replace(/^./, '~') : right;
    return { bytes, headers: { ...headers, 'x-alpha-hmacsha256-signature': signature } };
  });
}

function authenticBodies(): fc.Arbitrary<FuzzedBody> {
  const update = { objectId: 'P:BETAPAY000001', type: 'CREATE', ts: 1_768_471_200_000 };
  const event = { appId: 'BETAAPP000001', merchants: { BETAMERCH0001: [update] } };
  const near = fc.oneof(nearExample(event), nearExample({ verificationCode: 'some code' }));
  return fc.tuple(asBody(near), fc.nat(9)).map(([{ bytes, headers }, luck]) => {
    return { bytes, headers: { ...headers, 'x-beta-auth': luck === 0 ? '~' : WEBHOOK_KEY } };
  });
}

async function send(route: Route, fuzzed: Fuzzed): Promise<RawAnswer> {
  const { query, headers, segments, token, body } = fuzzed;
  return client.ask({
    method: route.method,
    path: `${addressOf(route, segments)}${query}`,
    headers: {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...body?.headers,
    },
    body: body?.bytes,
  });
}

/** Checks what holds for every response. */
function expectDocumented(
  [route, documented]: readonly [Route, Documented],
  fuzzed: Fuzzed,
  answer: RawAnswer,
): void {
  const { status, headers } = answer;
  const correlationId = required(headers['x-correlation-id']);
  const given = fuzzed.headers['x-correlation-id'] ?? '';
  if (ACCEPTED_ID.test(given)) expect(correlationId).toBe(given);
  else expect(correlationId).toMatch(ACCEPTED_ID);
  expect(status).toBeLessThan(500);
  expect(Object.keys(documented)).toContain(String(status));
  if (status < 400) {
    if (!route.response) return;
    const body = jsonOf(answer);
    expect(route.response.parse(body)).toEqual(body);
    return;
  }
  const envelope = envelopeOf(answer);
  expect(documented[status]?.description).toContain(envelope.code);
  // A stored refusal contains the id of the first request.
  if (headers['idempotency-replayed'] === undefined) expect(envelope.requestId).toBe(correlationId);
}

function envelopeOf(answer: RawAnswer): z.infer<typeof ErrorEnvelope> {
  return ErrorEnvelope.strict().parse(jsonOf(answer));
}

function jsonOf({ headers, body }: RawAnswer): unknown {
  expect(headers['content-type']).toMatch(/^application\/json/);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
}

/**
 * Whether a request may have written anything: one that is refused, or only reads, must not. What a
 * person reads of themselves as a whole is counted.
 */
function mayChange(route: Route, { status }: RawAnswer): boolean {
  if (status < 400 && route.personal) return true;
  return status < 400 && route.method !== 'GET' && route.limit !== 'reads';
}

/**
 * Refusals that a repeat would also get are stored under their key. Unknown codes are counted, and
 * searches at the till that find nothing.
 */
function withoutKeys(tables: Record<string, string>, route: Route, { status }: RawAnswer) {
  const { idempotency_keys: keys, code_guesses: guesses, ...others } = tables;
  return status === 404 || status === 422 || route.limit === 'lookups'
    ? others
    : { ...others, keys, guesses };
}

// One seed per route; otherwise every route would get the same input, or another one for each route
// that is added.
const named = routes.map((route) => {
  const name = `${route.method} ${pathOf(route)}`;
  return [name, { route, seed: SEED + hashOf(name) }] as const;
});

function hashOf(name: string): number {
  return [...name].reduce((hash, letter) => (31 * hash + letter.charCodeAt(0)) % 1_000_003, 0);
}

describe('a route that gets arbitrary input', () => {
  it.each(named)('%s: responds as documented', async (_, { route, seed }) => {
    const documented = Responses.parse(document.of(route).responses);
    const statuses: number[] = [];
    let before = await digests();
    await fc.assert(
      fc.asyncProperty(requests(route), async (fuzzed) => {
        const answer = await send(route, fuzzed);
        statuses.push(answer.status);
        expectDocumented([route, documented], fuzzed, answer);
        const after = await digests();
        if (!mayChange(route, answer)) {
          expect(withoutKeys(after, route, answer)).toEqual(withoutKeys(before, route, answer));
        }
        before = after;
      }),
      { seed, numRuns: RUNS, endOnFailure: true },
    );
    expect(shop.app.reported).toEqual([]);
    // Without a success only refusals would have been checked.
    expect(statuses).toContain(route.status ?? 200);
  });
});

describe('an address that is not served', () => {
  const served = new Map<string, Route[]>();
  for (const each of routes) served.set(pathOf(each), [...(served.get(pathOf(each)) ?? []), each]);

  it.each([...served])('%s: 405 for every other method, and HEAD like GET', async (_, here) => {
    const [route] = here;
    const path = addressOf(required(route), shop.idsOf(required(route)));
    const methods = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    for (const method of METHODS.filter((each) => each !== 'CONNECT')) {
      const answer = await client.ask({ method, path, headers: {} });
      if (methods.includes(method)) continue;
      expect([method, answer.status]).toEqual([method, 405]);
      if (method === 'HEAD') expect(answer.body.length).toBe(0);
      else expect(envelopeOf(answer).code).toBe('NOT_FOUND');
      expect(answer.headers.allow?.split(', ').sort()).toEqual(methods.sort());
    }
  });

  it('404 with the error envelope', async () => {
    const word = fc.constantFrom('api', 'v1', 'client', 'tenants', 'admin', 'webhooks', '', 'docs');
    const path = fc.array(fc.oneof(word, hostileSegments), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('GET', 'POST', 'DELETE'), async (parts, method) => {
        const answer = await client.ask({ method, path: `/${parts.join('/')}`, headers: {} });
        if (answer.status < 400) expect(served.has(`/${parts.join('/')}`)).toBe(true);
        // A path that matches a route by chance requires authentication.
        else expect([401, 404, 405]).toContain(answer.status);
        if (answer.status >= 400) expect(envelopeOf(answer).requestId).toMatch(ACCEPTED_ID);
      }),
      { seed: SEED, numRuns: 5 * RUNS, endOnFailure: true },
    );
  });
});
