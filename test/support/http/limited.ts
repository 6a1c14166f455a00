import { afterAll } from 'vitest';
import { z } from 'zod';
import { createRateLimits } from '../../../api/http/access/rate-limits.ts';
import { type Route, route } from '../../../api/http/route.ts';
import { receiveEventOf } from '../../../api/routes/webhooks/receive-event.ts';
import type { Db } from '../../../db/connection.ts';
import { connect } from '../../../db/connection.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { useDatabase } from '../fixtures.ts';
import type { Issuer } from '../people/issuer.ts';
import { startIssuer } from '../people/issuer.ts';
import { type TestPerson, tokenFor } from '../people/tokens.ts';
import { providerSettings } from '../providers/providers.ts';
import { type Served, serveRoutes } from './serve-routes.ts';

export const SIGNATURE_KEY = 'signature key of the tests';
const PER_MINUTE = { reads: 4, writes: 3, lookups: 2, webhooks: 3 };
export const UNLIMITED = { reads: 0, writes: 0, lookups: 0, webhooks: 0 };
/** Longer than a count takes on a machine with other work, where nothing is unavailable. */
export const PATIENT_MS = 60_000;

const Ok = z.object({ ok: z.boolean() });
const ok = () => ({ ok: true });
const wallet = { access: 'WALLET_REDEEM', summary: 'Does nothing', response: Ok } as const;
const till = { access: 'REDEMPTION_VERIFY', summary: 'Does nothing', response: Ok } as const;

export const read = route({ ...wallet, method: 'GET', path: '/things', handle: ok });
export const write = route({
  ...wallet,
  method: 'POST',
  path: '/things',
  body: z.object({ points: z.int() }),
  handle: ok,
});
export const preview = route({
  ...wallet,
  method: 'POST',
  path: '/preview',
  limit: 'reads',
  handle: ok,
});
export const lookup = route({
  ...till,
  method: 'POST',
  path: '/lookup',
  limit: 'lookups',
  handle: ok,
});
export const change = route({ ...till, method: 'PUT', path: '/things', handle: ok });
export const profile = route({
  method: 'GET',
  path: '/me',
  access: 'any-token',
  summary: 'Accepts any caller',
  response: Ok,
  handle: ok,
});
export const open = route({
  method: 'GET',
  path: '/open',
  access: 'public',
  summary: 'Accepts any caller',
  response: Ok,
  handle: ok,
});
const receiveAlphaEvent = receiveEventOf('alpha');
const routes: Route[] = [read, write, preview, lookup, change, profile, open, receiveAlphaEvent];

/** Starts an instance of the API with rate limits; its log includes their warnings. */
export async function serveLimited(
  db: Db,
  issuer: Issuer,
  { perMinute = PER_MINUTE, countWithinMs = PATIENT_MS } = {},
): Promise<Served> {
  const lines: string[] = [];
  const log = createLogger(
    { level: 'info', service: 'api' },
    { write: (line) => lines.push(line) },
  );
  const served = await serveRoutes(routes, {
    db,
    issuer,
    limits: createRateLimits({ db, perMinute, log, countWithinMs }),
    eventStore: { store: async () => undefined },
    settings: { providers: providerSettings({ ALPHA_WEBHOOK_SIGNATURE_KEY: SIGNATURE_KEY }) },
  });
  return { ...served, log: lines };
}

/** Calls a route with an access token. */
export async function call(at: Served, { method, path }: Route, token: string, body: unknown = {}) {
  const response = await fetch(`${at.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  });
  return answerOf(response);
}

/** The status, the body and the rate limit headers of a response. */
export async function answerOf(response: Response) {
  return {
    status: response.status,
    policy: response.headers.get('ratelimit-policy'),
    limit: response.headers.get('ratelimit'),
    retryAfter: response.headers.get('retry-after'),
    body: z.record(z.string(), z.unknown()).parse(await response.json()),
  };
}

/** The warnings about exceeded rate limits, which alone have a quota. */
export const limitWarnings = (...instances: Served[]) =>
  instances.flatMap(({ log }) => log.filter((line) => line.includes('"quota":')));

/** Sends `count` requests at once, and counts the responses by status. */
export async function statuses(count: number, ask: (nth: number) => Promise<{ status: number }>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, nth) => ask(nth)));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Two instances of the API on one database, each with a pool of its own, for a whole test file. */
export async function useTwoInstances() {
  const database = await useDatabase();
  const otherDb = connect(database.url, 10, 'loyalty-test-other');
  const issuer = await startIssuer();
  const one = await serveLimited(database.db, issuer);
  const two = await serveLimited(otherDb, issuer);
  afterAll(async () => {
    await one.close();
    await two.close();
    await issuer.close();
    await otherDb.destroy();
  });
  const person = (someone: TestPerson) => tokenFor(database.db, issuer, someone);
  return { database, otherDb, issuer, one, two, person };
}
