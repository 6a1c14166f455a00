import { createApp } from '../../../api/app.ts';
import { createRateLimits } from '../../../api/http/access/rate-limits.ts';
import type { ApiSettings, Deps } from '../../../api/http/deps.ts';
import { currentCorrelationId } from '../../../api/http/middleware/correlation-id.ts';
import { createReadiness } from '../../../api/http/readiness.ts';
import type { Route } from '../../../api/http/route.ts';
import { serve } from '../../../api/http/server.ts';
import { createConsumerFeed } from '../../../api/streams/consumer-feed.ts';
import { createShopFeed } from '../../../api/streams/shop-feed.ts';
import { createStreams, type Streams } from '../../../api/streams/streams.ts';
import type { StreamTiming } from '../../../api/streams/timing.ts';
import { connect } from '../../../db/connection.ts';
import type { TokenPolicy } from '../../../domain/token-grant.ts';
import { createOAuthStates } from '../../../gateways/crypto/oauth-state.ts';
import { createRedemptionCodes } from '../../../gateways/crypto/redemption-codes.ts';
import { createSealer, createSubkeys } from '../../../gateways/crypto/sealer.ts';
import { createStopLinks } from '../../../gateways/crypto/stop-links.ts';
import { createTokenVerifier } from '../../../gateways/identity/token-verifier.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { createMetrics } from '../../../gateways/telemetry/metrics.ts';
import { testKeys, testPolicy, testSealer } from '../factories.ts';
import type { Issuer } from '../people/issuer.ts';
import { testStatementKeys } from '../points/statements.ts';
import { providerSettings, testProviders } from '../providers/providers.ts';

export const CRON_SECRET = 'a cron secret of the tests';
export const ALLOWED_ORIGIN = 'https://app.shop.example';
export const ADMIN_DOMAIN = 'staff.example';

/** What is asked of tokens where nothing is set. */
export const ANY_TOKEN: TokenPolicy = {
  adminClients: [],
  merchantClients: [],
  needsScopes: false,
  adminMaxAuthAge: undefined,
  adminAcr: undefined,
};

const SETTINGS: ApiSettings = {
  apiBaseUrl: 'https://api.shop.example',
  frontendUrl: 'https://app.shop.example',
  corsAllowedOrigins: [ALLOWED_ORIGIN],
  corsAllowsLoopback: false,
  oidcIssuer: 'https://issuer.shop.example',
  oauthBindBrowser: false,
  adminEmailDomain: ADMIN_DOMAIN,
  adjustLimitPerDay: 0,
  refunds: 'reverse',
  bootstrapAdminEmails: [],
  tokens: ANY_TOKEN,
  cronSecrets: ['another secret, going out', CRON_SECRET],
  providers: providerSettings(),
  objectsUrl: 'https://api.shop.example/objects',
  webhooksAllowLoopback: false,
  env: 'test',
};

const NO_LIMITS = { reads: 0, writes: 0, lookups: 0, webhooks: 0 };

export type Served = {
  url: string;
  /** The lines of the log. */
  log: string[];
  /** Errors reported as bugs. */
  reported: unknown[];
  streams: Streams;
  close(): Promise<void>;
};

/** Serves routes through the real pipeline, without rate limits unless a test passes them. */
export async function serveRoutes(
  routes: readonly Route[],
  deps: Partial<Omit<Deps, 'settings' | 'orchestrator' | 'streams'>> & {
    orchestrator?: Partial<Deps['orchestrator']>;
    issuer?: Pick<Issuer, 'settings'>;
    settings?: Partial<ApiSettings>;
    timing?: Partial<StreamTiming>;
  } = {},
): Promise<Served> {
  const { issuer, orchestrator, timing, ...others } = deps;
  const settings = { ...SETTINGS, ...deps.settings };
  const nowhere = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test-nowhere');
  const log: string[] = [];
  const reported: unknown[] = [];
  const logger = createLogger(
    { level: 'info', service: 'api', correlationId: currentCorrelationId },
    { write: (line) => log.push(line) },
  );
  const { codes = createRedemptionCodes(testKeys), metrics = createMetrics('api') } = deps;
  const streams = createStreams({
    db: deps.db ?? nowhere,
    feeds: {
      consumer: createConsumerFeed({ settings, codes, log: logger }),
      shop: createShopFeed({ log: logger }),
    },
    adminEmailDomain: settings.adminEmailDomain,
    metrics,
    log: logger,
    ...(timing && { timing }),
  });
  const app = createApp(routes, {
    db: nowhere,
    orchestrator: {
      followRedemptionLater() {},
      sendInviteLater() {},
      rehearseLater() {},
      stopPollingLater() {},
      deliverEventsLater() {},
      bringIn: () => refuse('no worker to bring in sales'),
      exchangeOAuthCode: () => refuse('no worker to exchange codes'),
      ...orchestrator,
    },
    drainState: { isAccepting: () => true },
    readiness: createReadiness(deps.db ?? nowhere, { isReachable: async () => true }),
    eventStore: { store: () => refuse('no event store') },
    verifyToken: issuer ? createTokenVerifier(issuer.settings, logger) : () => refuse('no issuer'),
    limits: createRateLimits({ db: nowhere, perMinute: NO_LIMITS, log: logger }),
    bodySealer: createSealer(createSubkeys(testKeys, 'sealed bodies')),
    contactProofs: testSealer.fingerprints,
    contactFingerprints: testPolicy.fingerprints,
    codes,
    tokenSealer: testSealer,
    webhookSealer: testSealer,
    stopLinks: createStopLinks(testKeys, 'https://api.shop.example'),
    providers: testProviders(),
    oauthStates: createOAuthStates(createSubkeys(testKeys, 'state signing')),
    objects: noObjects,
    statementKeys: testStatementKeys,
    cron: {
      poll: () => refuse('nothing to poll'),
      processPending: () => refuse('no events to ingest'),
    },
    announce() {},
    metrics,
    now: () => new Date(),
    log: logger,
    report: (error) => reported.push(error),
    ...others,
    settings,
    streams,
  });
  const listening = await serve(app, {
    host: '127.0.0.1',
    port: 0,
    streams: () => streams.count(),
  });
  return {
    url: `http://127.0.0.1:${listening.port}`,
    log,
    reported,
    streams,
    async close() {
      await streams.close();
      await listening.close(0);
      await nowhere.destroy();
    },
  };
}

const noObjects: Deps['objects'] = {
  put: () => refuse('no object store'),
  delete: () => refuse('no object store'),
  get: () => refuse('no object store'),
};

async function refuse(what: string): Promise<never> {
  throw new Error(`This test has ${what}.`);
}
