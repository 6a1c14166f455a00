import { type Config, loadConfig, loadOrExit } from '../config.ts';
import { connect } from '../db/connection.ts';
import { alphaOrigin, createAlpha } from '../gateways/alpha/client.ts';
import { createBeta } from '../gateways/beta/client.ts';
import { createOAuthStates } from '../gateways/crypto/oauth-state.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { createBox, createSecrets, createSubkeys } from '../gateways/crypto/sealer.ts';
import { createDirectory } from '../gateways/identity/directory.ts';
import { createTokenVerifier } from '../gateways/identity/token-verifier.ts';
import { createMailer } from '../gateways/mail/mailer.ts';
import { createObjectStore } from '../gateways/objects/store.ts';
import { countRefreshes } from '../gateways/provider/counted-oauth.ts';
import { createProviderOAuth } from '../gateways/provider/provider-oauth.ts';
import type { CallObserver } from '../gateways/provider/request.ts';
import { createErrorReporter } from '../gateways/telemetry/error-reporter.ts';
import { createLogger } from '../gateways/telemetry/logger.ts';
import { createMetrics } from '../gateways/telemetry/metrics.ts';
import { openMetricsServer } from '../gateways/telemetry/metrics-server.ts';
import { measureTemporalRuntime } from '../gateways/temporal/metrics.ts';
import { createApp } from './app.ts';
import { createRevocations } from './background/token-revocations.ts';
import type { ApiSettings } from './http/deps.ts';
import { createDrainState } from './http/draining.ts';
import { currentCorrelationId } from './http/middleware/correlation-id.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { serve } from './http/server.ts';
import { createEventStore } from './intake/group-commit.ts';
import { createIngestDispatcher } from './intake/ingest-dispatcher.ts';
import { watchApi } from './metrics/gauges.ts';
import { createCronJobs } from './routes/cron.ts';
import { routes } from './routes/index.ts';
import { ALPHA_WEBHOOK_PATH } from './routes/webhooks/alpha.ts';
import { BETA_WEBHOOK_PATH } from './routes/webhooks/beta.ts';
import { createOrchestrator } from './temporal/orchestrator.ts';

/** Beta takes five calls at once of a token, of which the worker makes three: cron gets the others. */
const CALLS_BESIDE_THE_WORKER = 2;

/** The API's process: serves until it is told to stop, then finishes what it has accepted. */
async function main(config: Config): Promise<void> {
  const { LOG_LEVEL: level, SENTRY_DSN: dsn, NODE_ENV: environment } = config;
  const service = 'api';
  const log = createLogger({ level, service, correlationId: currentCorrelationId });
  const reporter = await createErrorReporter({ dsn, service, environment });
  const { HOST: host, METRICS_PORT } = config;
  const temporalMetrics = await measureTemporalRuntime(log, METRICS_PORT !== undefined);
  const metrics = createMetrics('api', temporalMetrics);
  const stop = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });

  const db = connect(config.DATABASE_URL, config.DATABASE_POOL_MAX, 'loyalty-api');
  const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const orchestrator = createOrchestrator({ ...temporalOf(config), log });
  const secrets = createSecrets(config.ENCRYPTION_KEY);
  const { providerAsked: onCall } = metrics;
  const oauth = countRefreshes(createProviderOAuth(config, onCall), metrics);
  const revocations = createRevocations({ db, secrets, oauth, log });
  const drainState = createDrainState();
  const dispatcher = createIngestDispatcher({ ingest: orchestrator.ingest, log });
  const app = createApp(routes, {
    db,
    orchestrator,
    drainState,
    eventStore: createEventStore({ db, dispatcher }),
    verifyToken: createTokenVerifier(identityOf(config)),
    directory: createDirectory(directoryOf(config), mailer),
    settings: settingsOf(config),
    limits: createRateLimits({
      db,
      perMinute: limitsOf(config),
      log,
      onLimited: metrics.limitHit,
    }),
    box: createBox(createSubkeys(config.ENCRYPTION_KEY, 'sealed bodies')),
    codes: createRedemptionCodes(config.ENCRYPTION_KEY),
    secrets,
    oauth,
    oauthStates: createOAuthStates(createSubkeys(config.ENCRYPTION_KEY, 'state signing')),
    revocations,
    objects: createObjectStore(objectsOf(config)),
    cron: createCronJobs({
      db,
      secrets,
      log,
      metrics,
      ...cronOf(config, onCall),
      alphaOAuth: oauth.alpha,
      betaOAuth: oauth.beta,
    }),
    metrics,
    now: () => new Date(),
    log,
    report: (error, { correlationId }) => reporter.report(error, { requestId: correlationId }),
  });

  watchApi(metrics, { db, dispatcher, orchestrator, revocations });
  const metricsServer = await openMetricsServer({ host, port: METRICS_PORT, metrics });
  const server = await serve(app, { host, port: config.PORT });
  log.info({ port: server.port, ...notificationUrlsOf(config) }, 'API ready');

  await stop;
  const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1000;
  await drainState.drain(graceMs);
  await server.close(graceMs);
  await orchestrator.close();
  await revocations.close();
  await mailer.close();
  await db.destroy();
  await metricsServer.close();
  await reporter.close();
  log.info('API stopped');
}

/** What is to be registered with the providers, to the letter. */
function notificationUrlsOf({ API_BASE_URL }: Config) {
  return {
    alphaNotificationUrl: `${API_BASE_URL}/api/v1${ALPHA_WEBHOOK_PATH}`,
    betaNotificationUrl: `${API_BASE_URL}/api/v1${BETA_WEBHOOK_PATH}`,
  };
}

function settingsOf(config: Config): ApiSettings {
  return {
    apiBaseUrl: config.API_BASE_URL,
    frontendUrl: config.FRONTEND_URL,
    objectsUrl: config.OBJECT_STORE_PUBLIC_URL ?? `${config.API_BASE_URL}/objects`,
    corsAllowedOrigins: config.CORS_ALLOWED_ORIGINS,
    adminEmailDomain: config.ADMIN_EMAIL_DOMAIN,
    bootstrapAdminEmails: config.BOOTSTRAP_ADMIN_EMAILS,
    cronSecrets: config.CRON_SECRET,
    alphaWebhookSignatureKeys: config.ALPHA_WEBHOOK_SIGNATURE_KEY,
    betaWebhookSecret: config.BETA_WEBHOOK_SECRET,
    betaAppId: config.BETA_APP_ID,
    alpha: {
      environment: config.ALPHA_ENVIRONMENT,
      origin: alphaOrigin({ environment: config.ALPHA_ENVIRONMENT, origin: config.ALPHA_ORIGIN }),
      appIdConfigured: config.ALPHA_APP_ID !== undefined,
      appSecretConfigured: config.ALPHA_APP_SECRET !== undefined,
    },
    env: config.NODE_ENV,
  };
}

function temporalOf(config: Config) {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_TLS: tls, TEMPORAL_API_KEY: apiKey } = config;
  return { temporal: { address, tls, apiKey }, namespace: config.TEMPORAL_NAMESPACE };
}

/** Whom the cron endpoints ask, and how they credit. */
function cronOf(config: Config, onCall: CallObserver) {
  const { ALPHA_ENVIRONMENT: environment, ALPHA_ORIGIN: origin } = config;
  return {
    alpha: createAlpha({ environment, origin, onCall }),
    beta: createBeta({
      environment: config.BETA_ENVIRONMENT,
      region: config.BETA_REGION,
      webOrigin: config.BETA_WEB_ORIGIN,
      apiOrigin: config.BETA_API_ORIGIN,
      maxConcurrency: Math.min(config.BETA_MAX_CONCURRENCY, CALLS_BESIDE_THE_WORKER),
      onCall,
    }),
    refunds: config.PAYMENT_REFUNDS,
    keys: config.ENCRYPTION_KEY,
  };
}

function limitsOf(config: Config) {
  return {
    reads: config.RATE_LIMIT_READS,
    writes: config.RATE_LIMIT_WRITES,
    lookups: config.RATE_LIMIT_LOOKUPS,
    webhooks: config.RATE_LIMIT_WEBHOOKS,
  };
}

function objectsOf(config: Config) {
  return {
    url: config.OBJECT_STORE_URL,
    accessKeyId: config.AWS_ACCESS_KEY_ID,
    secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
  };
}

function directoryOf(config: Config) {
  return {
    kind: config.IDENTITY_DIRECTORY,
    adminUrl: config.IDENTITY_ADMIN_URL,
    adminToken: config.IDENTITY_ADMIN_TOKEN,
  };
}

function identityOf(config: Config) {
  return {
    issuer: config.OIDC_ISSUER,
    audience: config.OIDC_AUDIENCE,
    jwksUrl: config.OIDC_JWKS_URL,
    emailClaim: config.OIDC_EMAIL_CLAIM,
    emailVerifiedClaim: config.OIDC_EMAIL_VERIFIED_CLAIM,
    phoneClaim: config.OIDC_PHONE_CLAIM,
    phoneVerifiedClaim: config.OIDC_PHONE_VERIFIED_CLAIM,
    clientIntentClaim: config.OIDC_CLIENT_INTENT_CLAIM,
  };
}

await main(loadOrExit(loadConfig));
// A connection to what never answers cannot be given up, and would keep the process.
process.exit();
