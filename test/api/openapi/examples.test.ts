import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf, type Route } from '../../../api/http/route.ts';
import { namedRoutes, routes } from '../../../api/routes/index.ts';
import { anAlphaEvent } from '../../support/factories.ts';
import type { Call } from '../../support/http/app.ts';
import {
  addressOf,
  bodyOf,
  type OpenShop,
  openShop,
  queryOf,
  WEBHOOK_KEY,
} from '../../support/http/open-shop.ts';
import { CRON_SECRET } from '../../support/http/serve-routes.ts';

const named = (some: readonly Route[]) =>
  some.map((route) => [`${route.method} ${pathOf(route)}`, route] as const);

describe('the documented examples', () => {
  it.each(named(routes))('%s: its schemas accept its examples', (_, route) => {
    const { body, response, examples } = route;
    expect(examples?.body === undefined, 'a body has an example').toBe(body === undefined);
    expect(examples?.response === undefined, 'a response has an example').toBe(
      response === undefined,
    );
    if (body) expect(body.safeParse(examples?.body).error).toBeUndefined();
    // Parsing adds and removes nothing: the example is exactly what the route sends.
    if (response) expect(response.parse(examples?.response)).toEqual(examples?.response);
    for (const { data, example } of Object.values(route.events ?? {})) {
      expect(data.parse(example)).toEqual(example);
    }
  });
});

let shop: OpenShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** The credentials that a route requires: a token, a secret or a signature. */
function credentialsOf(route: Route): Partial<Call> {
  if (route.access === 'cron-secret') return { headers: { 'x-cron-secret': CRON_SECRET } };
  // The provider describes the body of its webhooks, so the route has no example.
  if (route === namedRoutes.receiveBetaEvent) return authentic();
  if (route.access === 'signed-webhook') return signed(anAlphaEvent('SOME_MERCHANT'));
  const [token] = shop.tokensFor(route);
  return token === undefined ? {} : { token };
}

function signed(body: Buffer): Partial<Call> {
  const signature = createHmac('sha256', WEBHOOK_KEY).update(body).digest('base64');
  return { body, headers: { 'x-alpha-hmacsha256-signature': signature } };
}

function authentic(): Partial<Call> {
  const update = { objectId: 'P:BETAPAY000001', type: 'CREATE', ts: 1_768_471_200_000 };
  const body = { merchants: { BETAMERCH0001: [update] } };
  return { body, headers: { 'x-beta-auth': WEBHOOK_KEY } };
}

// In the order of the routes, one of which unfreezes the wallet that another has frozen.
describe('a route that is called with its example', () => {
  it.each(named(routes))(
    '%s: responds with what its schema declares, and no more',
    async (_, route) => {
      const ids = shop.idsOf(route);
      const body = bodyOf(route, ids);
      const answer = await shop.app.call({
        method: route.method,
        path: `${addressOf(route, ids)}${queryOf(route, ids)}`,
        ...credentialsOf(route),
        ...(body !== undefined && { body }),
      });
      expect([answer.status, answer.body]).toEqual([route.status ?? 200, expect.anything()]);
      const type = route.events ? 'text/event-stream' : (route.produces ?? 'application/json');
      expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type.split(';')[0]);
      if (!route.response) return;
      // An empty list would match any schema.
      if (Array.isArray(answer.body)) expect(answer.body).not.toEqual([]);
      expect(route.response.parse(answer.body)).toEqual(answer.body);
    },
  );
});
