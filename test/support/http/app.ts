import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { createCronJobs } from '../../../api/cron-jobs.ts';
import type { ApiSettings, Deps } from '../../../api/http/deps.ts';
import { createEventStore } from '../../../api/intake/group-commit.ts';
import { createIngestDispatcher, type IngestBatch } from '../../../api/intake/ingest-dispatcher.ts';
import { routes } from '../../../api/routes/index.ts';
import type { Streams } from '../../../api/streams/streams.ts';
import type { StreamTiming } from '../../../api/streams/timing.ts';
import { announce } from '../../../db/changes/announce.ts';
import type { Db } from '../../../db/connection.ts';
import { isAnyLeased } from '../../../db/events/leases.ts';
import { UserId } from '../../../domain/ids.ts';
import type { RedemptionCodes } from '../../../gateways/crypto/redemption-codes.ts';
import type { IdentitySettings } from '../../../gateways/identity/token-verifier.ts';
import type { ObjectStore } from '../../../gateways/objects/store.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../../../gateways/telemetry/metrics.ts';
import { createTestDatabase } from '../database/test-database.ts';
import { testKeys } from '../factories.ts';
import { type Issuer, startIssuer } from '../people/issuer.ts';
import { type TestPerson, tokenFor } from '../people/tokens.ts';
import type { OAuthByProvider } from '../providers/oauth.ts';
import { anAlphaGateway, type ProviderParts, testProviders } from '../providers/providers.ts';
import { activityDeps } from '../temporal/activity-deps.ts';
import { serveRoutes } from './serve-routes.ts';

export type Call = {
  method?: string;
  /** Relative to the service's address, such as `/api/v1/auth/me`. */
  path: string;
  token?: string;
  /** Strings and bytes are sent as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
};
export type Answer = {
  status: number;
  headers: Headers;
  body: unknown;
  /** The body, with the type that the test expects of it. */
  json<T>(): T;
};
export type SignedIn = { token: string; userId: UserId };

export type TestApp = {
  db: Db;
  /** Connected as the owner of the schema. */
  owner: Db;
  url: string;
  log: string[];
  /** Errors reported as bugs. */
  reported: unknown[];
  metrics: Metrics;
  /** The open streams, which hear of no announcement unless a test has them listen. */
  streams: Streams;
  issuer: Issuer;
  databaseUrl: string;
  call(request: Call): Promise<Answer>;
  /** Creates a user and returns an access token for it. */
  signIn(person: TestPerson): Promise<SignedIn>;
  /** Returns an access token with a verified e-mail, of somebody the service has never seen. */
  newcomer(email: string): Promise<string>;
  close(): Promise<void>;
};

/**
 * Starts the whole API over HTTP, with its own database and issuer. Without `ingest`, stored events
 * stay unprocessed, as during an outage of Temporal.
 */
export async function startApp(
  options: {
    settings?: Partial<ApiSettings>;
    ingest?: (batch: IngestBatch) => Promise<void>;
    orchestrator?: Partial<Deps['orchestrator']>;
    codes?: RedemptionCodes;
    objects?: ObjectStore;
    oauth?: OAuthByProvider;
    timing?: Partial<StreamTiming>;
    /** Provider clients of the cron endpoints; by default every call to alpha fails. */
    providers?: ProviderParts;
    /** An identity provider whose tokens are taken instead of those of the tests' own issuer. */
    identity?: IdentitySettings;
  } = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  const { db } = database;
  const issuer = await startIssuer();
  const metrics = createMetrics('api');
  const silent = createLogger({ level: 'silent', service: 'test' });
  const dispatcher = createIngestDispatcher({
    ingest: options.ingest ?? (() => Promise.reject(new Error('This test ingests nothing.'))),
    isAsking: (ids) => isAnyLeased(db, ids),
    log: silent,
  });
  const eventStore = createEventStore({ db, dispatcher });
  const cron = createCronJobs({
    ...activityDeps(db, { alpha: anAlphaGateway(), metrics, ...options.providers }),
    refunds: 'reverse',
    keys: testKeys,
    log: silent,
  });
  const served = await serveRoutes(routes, {
    db,
    issuer: options.identity === undefined ? issuer : { settings: options.identity },
    eventStore,
    cron,
    metrics,
    announce: (changed) => announce(db, changed),
    ...(options.timing && { timing: options.timing }),
    ...(options.settings && { settings: options.settings }),
    ...(options.orchestrator && { orchestrator: options.orchestrator }),
    ...(options.codes && { codes: options.codes }),
    ...(options.objects && { objects: options.objects }),
    ...(options.oauth && { providers: testProviders({ oauth: options.oauth }) }),
  });
  const call = (request: Call) => send(served.url, request);
  return {
    db,
    owner: database.owner,
    metrics,
    call,
    url: served.url,
    log: served.log,
    reported: served.reported,
    streams: served.streams,
    issuer,
    databaseUrl: database.url,
    async signIn(person) {
      const token = await tokenFor(db, issuer, person);
      const { sub } = decodeJwt(token);
      const user = await db('users').where({ sub }).first('id');
      return { token, userId: UserId.parse(user?.id) };
    },
    newcomer: (email) => issuer.token({ sub: randomUUID(), email, email_verified: true }),
    async close() {
      await served.close();
      await issuer.close();
      await database.close();
    },
  };
}

/** Sends a request and reads the response, as JSON if its content type says so, else as text. */
export async function send(url: string, request: Call): Promise<Answer> {
  const { method = 'GET', path, token, body: sent, headers } = request;
  const isRaw = typeof sent === 'string' || sent instanceof Uint8Array;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: isRaw ? sent : JSON.stringify(sent) }),
  });
  // A stream would go on for as long as its token.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream) await response.body?.cancel();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const text = isStream ? '' : await response.text();
  const body = isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body, json: () => body };
}

/** The path of the next page from the `Link` header; undefined on the last page. */
export function nextPath(answer: Answer): string | undefined {
  const [, href] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
  if (href === undefined) return undefined;
  const { pathname, search } = new URL(href);
  return `${pathname}${search}`;
}
