import { type Config, loadConfig, loadOrExit, objectsUrlFrom } from '../config.ts';
import { createCallShares } from '../db/call-shares.ts';
import { announce } from '../db/changes/announce.ts';
import { connect } from '../db/connection.ts';
import { isAnyLeased } from '../db/events/leases.ts';
import { requireAtStart } from '../db/installation.ts';
import { requireLimits } from '../db/session-settings.ts';
import { PROVIDERS } from '../domain/payment.ts';
import { webhookPath } from '../domain/provider-paths.ts';
import { LOOPBACK } from '../domain/safe-settings.ts';
import { logChecks } from '../gateways/checks/at-start.ts';
import { createOAuthStates } from '../gateways/crypto/oauth-state.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { createSealer, createSubkeys } from '../gateways/crypto/sealer.ts';
import type { Logger } from '../gateways/telemetry/logger.ts';
import { createMetrics } from '../gateways/telemetry/metrics.ts';
import { openMetricsServer } from '../gateways/telemetry/metrics-server.ts';
import { exitIfPortTaken } from '../gateways/telemetry/taken-port.ts';
import { measureTemporalRuntime } from '../gateways/temporal/metrics.ts';
import {
  checksFrom,
  errorReporterFrom,
  loggerFrom,
  objectStoreFrom,
  providersFrom,
  publicStatementKeysFrom,
  sealersFrom,
  stopLinksFrom,
  tokenVerifierFrom,
  tracingFrom,
} from '../wiring.ts';
import { createApp } from './app.ts';
import { createCronJobs } from './cron-jobs.ts';
import { createRateLimits } from './http/access/rate-limits.ts';
import type { ApiSettings, Deps } from './http/deps.ts';
import { createDrainState } from './http/draining.ts';
import { currentCorrelationId } from './http/middleware/correlation-id.ts';
import { createReadiness } from './http/readiness.ts';
import { serve } from './http/server.ts';
import { createEventStore } from './intake/group-commit.ts';
import { createIngestDispatcher } from './intake/ingest-dispatcher.ts';
import { watchApi } from './metrics/gauges.ts';
import { routes } from './routes/index.ts';
import { createConsumerFeed } from './streams/consumer-feed.ts';
import { followChanges } from './streams/follow-changes.ts';
import { createShopFeed } from './streams/shop-feed.ts';
import { createStreams } from './streams/streams.ts';
import { createOrchestrator } from './temporal/orchestrator.ts';
import { tokenPolicyFrom } from './token-policy.ts';

/** Nothing is written, and a proxy may wait until the API is ready. */
const AT_START = { writes: false, publicForMs: 60_000 };
/** How long a stopping API waits for runs of the events that it has stored. */
const HAND_OVER_WITHIN_MS = 5_000;

/** Runs the API process until a stop signal, then finishes the requests it has accepted. */
async function main(config: Config): Promise<void> {
  const log = loggerFrom(config, 'api', currentCorrelationId);
  const reporter = await errorReporterFrom(config, 'api');
  const tracing = await tracingFrom(config, 'api');
  const { HOST: host, METRICS_PORT } = config;
  const temporalMetrics = await measureTemporalRuntime(log, METRICS_PORT !== undefined);
  const metrics = createMetrics('api', temporalMetrics);
  const stop = stopSignal();
  const orExit = (error: unknown) => exitIfPortTaken(error, log);

  const db = connect(config.database, config.DATABASE_POOL_MAX, 'loyalty-api');
  await requireAtStart(db);
  await requireLimits(db);
  const { namespace, connection: temporal } = config.temporal;
  const orchestrator = createOrchestrator({ temporal, namespace, log });
  const tokenSealer = createSealer(config.ENCRYPTION_KEY);
  const providers = providersFrom(config, metrics, createCallShares(db));
  const drainState = createDrainState();
  const dispatcher = createIngestDispatcher({
    ingest: orchestrator.ingest,
    isAsking: (ids) => isAnyLeased(db, ids),
    log,
  });
  const settings = settingsOf(config, log);
  const codes = createRedemptionCodes(config.ENCRYPTION_KEY);
  const { streams, listener } = openStreams(config, { db, settings, codes, metrics, log });
  const app = createApp(routes, {
    db,
    orchestrator,
    drainState,
    readiness: createReadiness(db, orchestrator),
    eventStore: createEventStore({ db, dispatcher }),
    verifyToken: tokenVerifierFrom(config, log),
    settings,
    limits: createRateLimits({ db, log, perMinute: limitsOf(config), onLimited: metrics.limitHit }),
    ...sealersFrom(config),
    stopLinks: stopLinksFrom(config),
    codes,
    tokenSealer,
    providers,
    oauthStates: createOAuthStates(createSubkeys(config.ENCRYPTION_KEY, 'state signing')),
    objects: objectStoreFrom(config),
    statementKeys: publicStatementKeysFrom(config),
    cron: createCronJobs({ db, tokenSealer, providers, metrics, log, ...ingestionOf(config) }),
    streams,
    announce: (changed) => announce(db, changed),
    metrics,
    now: () => new Date(),
    log,
    report: (error, { correlationId }) => reporter.report(error, { requestId: correlationId }),
  });

  watchApi(metrics, { db, dispatcher, orchestrator, streams, listener });
  const metricsAt = { host, port: METRICS_PORT, metrics };
  const metricsServer = await openMetricsServer(metricsAt).catch(orExit);
  const listening = { host, port: config.PORT, streams: () => streams.count() };
  const server = await serve(app, listening).catch(orExit);
  log.info({ event: 'api_ready', port: server.port, ...notificationUrlsOf(config) }, 'API ready');
  void logChecks(checksFrom(config, { webhooks: config, ...AT_START }), log);

  await stop;
  const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1000;
  await drainState.drain(graceMs);
  await Promise.all([streams.close(), listener.close(), server.close(graceMs)]);
  await dispatcher.drain(HAND_OVER_WITHIN_MS);
  await orchestrator.close();
  await db.destroy();
  await metricsServer.close();
  await Promise.all([reporter.close(), tracing.close()]);
  log.info({ event: 'api_stopped' }, 'API stopped');
}

function stopSignal(): Promise<unknown> {
  return new Promise((resolve) => {
    // Also a second one is caught, which would end the process at once: npm passes on what the
    // process group has received already.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve);
  });
}

/** The streams of events, and the session that hears what they have to read. */
function openStreams(
  { listen: at }: Config,
  { settings, codes, ...deps }: Pick<Deps, 'db' | 'settings' | 'codes' | 'metrics' | 'log'>,
) {
  const streams = createStreams({
    ...deps,
    feeds: {
      consumer: createConsumerFeed({ ...deps, settings, codes }),
      shop: createShopFeed(deps),
    },
    adminEmailDomain: settings.adminEmailDomain,
  });
  return { streams, listener: followChanges({ ...deps, at, streams }) };
}

/** The webhook addresses to register with the providers, character for character. */
function notificationUrlsOf({ API_BASE_URL }: Config) {
  return Object.fromEntries(
    PROVIDERS.map((name) => [
      `${name}NotificationUrl`,
      `${API_BASE_URL}/api/v1${webhookPath(name)}`,
    ]),
  );
}

function settingsOf(config: Config, log: Logger): ApiSettings {
  return {
    apiBaseUrl: config.API_BASE_URL,
    frontendUrl: config.FRONTEND_URL,
    objectsUrl: objectsUrlFrom(config),
    corsAllowedOrigins: config.CORS_ALLOWED_ORIGINS.filter((item) => item !== LOOPBACK),
    corsAllowsLoopback: config.CORS_ALLOWED_ORIGINS.includes(LOOPBACK),
    oauthBindBrowser: config.OAUTH_BIND_BROWSER,
    adminEmailDomain: config.ADMIN_EMAIL_DOMAIN,
    adjustLimitPerDay: config.ADJUST_LIMIT_PER_DAY,
    refunds: config.PAYMENT_REFUNDS,
    bootstrapAdminEmails: config.BOOTSTRAP_ADMIN_EMAILS,
    tokens: tokenPolicyFrom(config, log),
    cronSecrets: config.CRON_SECRET,
    providers: config,
    oidcIssuer: config.OIDC_ISSUER,
    docsClientId: config.DOCS_CLIENT_ID,
    pushKey: config.VAPID_PUBLIC_KEY,
    webhooksAllowLoopback: config.WEBHOOK_ALLOW_LOOPBACK,
    env: config.NODE_ENV,
  };
}

/** The ingest settings of the cron endpoints. */
function ingestionOf(config: Config) {
  return { refunds: config.PAYMENT_REFUNDS, keys: config.ENCRYPTION_KEY };
}

function limitsOf(config: Config) {
  return {
    reads: config.RATE_LIMIT_READS,
    writes: config.RATE_LIMIT_WRITES,
    lookups: config.RATE_LIMIT_LOOKUPS,
    webhooks: config.RATE_LIMIT_WEBHOOKS,
  };
}

await main(loadOrExit(loadConfig));
// A pending connection to a server that never answers cannot be cancelled and would block the exit.
process.exit();
