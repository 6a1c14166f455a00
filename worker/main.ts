import { Client } from '@temporalio/client';
import { type ActivityDeps, createActivities } from '../activities/index.ts';
import { createIngestPolicy } from '../activities/ingestion/decide-and-store.ts';
import { type Config, loadConfig, loadOrExit } from '../config.ts';
import { connect, type Db } from '../db/connection.ts';
import { createAlpha } from '../gateways/alpha/client.ts';
import { createBeta } from '../gateways/beta/client.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { createSecrets } from '../gateways/crypto/sealer.ts';
import { createDirectory } from '../gateways/identity/directory.ts';
import { createMailer, type Mailer } from '../gateways/mail/mailer.ts';
import { countMails, countRefreshes } from '../gateways/provider/counted-oauth.ts';
import { createProviderOAuth } from '../gateways/provider/provider-oauth.ts';
import { createErrorReporter } from '../gateways/telemetry/error-reporter.ts';
import { createLogger } from '../gateways/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../gateways/telemetry/metrics.ts';
import { connectUntilAborted } from '../gateways/temporal/connection.ts';
import { measureTemporalRuntime } from '../gateways/temporal/metrics.ts';
import { currentCorrelationIds } from './correlation.ts';
import { watchWorker } from './gauges.ts';
import { openHealth } from './health.ts';
import { createPollSchedules } from './poll-schedules.ts';
import { runTogether } from './run-together.ts';
import { ensureSchedules } from './schedules.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { createPollingWorker, createWorker } from './worker.ts';

/** The worker's process: runs until it gets a signal, then finishes the work it has accepted. */
async function main(config: Config): Promise<void> {
  const { LOG_LEVEL: level, SENTRY_DSN: dsn, NODE_ENV: environment } = config;
  const service = 'worker';
  const log = createLogger({ level, service, correlationId: currentCorrelationIds });
  const reporter = await createErrorReporter({ dsn, service, environment });
  const temporalMetrics = await measureTemporalRuntime(
    log,
    config.WORKER_HEALTH_PORT !== undefined,
  );
  const metrics = createMetrics('worker', temporalMetrics);
  const health = await openHealth({ host: config.HOST, port: config.WORKER_HEALTH_PORT, metrics });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

  const { TEMPORAL_ADDRESS: address, TEMPORAL_TLS: tls, TEMPORAL_API_KEY: apiKey } = config;
  const connection = await connectUntilAborted({ address, tls, apiKey }, log, stop.signal);
  if (connection === undefined) return;
  const db = connect(config.DATABASE_URL, config.DATABASE_POOL_MAX, 'loyalty-worker');
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  const mailer = countMails(createMailer({ url, from }), metrics);
  const { ledgerVerified } = watchWorker(metrics, db);
  try {
    const searchAttributes = await registerSearchAttributes(connection, config.TEMPORAL_NAMESPACE);
    if (!searchAttributes) {
      const event = 'search_attributes_missing';
      log.warn({ event }, 'Runs cannot be found by tenant: search attributes cannot be registered');
    }
    const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
    await ensureSchedules(client, {
      sweepIntervalSeconds: config.SWEEP_INTERVAL_SECONDS,
      searchAttributes,
    });
    const pollSchedules = createPollSchedules(client, {
      intervalSeconds: config.ALPHA_POLL_INTERVAL_SECONDS,
      searchAttributes,
    });

    const options = {
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      activities: createActivities({
        ...activityDeps(config, { db, mailer, metrics }),
        pollSchedules,
        ledgerVerified,
      }),
      reporter,
      ...tuningOf(config),
    };
    const workers = [await createWorker(options), await createPollingWorker(options)];
    const working = runTogether(
      workers,
      aborted(stop.signal).then(() => health.now('draining')),
    );
    health.now('running');
    log.info({ event: 'worker_ready' }, 'Worker ready');
    await working;
    log.info({ event: 'worker_stopped' }, 'Worker stopped');
  } catch (error) {
    // The supervisor starts the process again, which may help.
    log.fatal({ event: 'worker_failed', err: error }, 'Worker failed');
    reporter.report(error, { service: 'worker' });
    process.exitCode = 1;
  } finally {
    await mailer.close();
    await db.destroy();
    await connection.close();
    await reporter.close();
    await health.close();
  }
}

function tuningOf(config: Config) {
  return {
    workflowSlots: config.WORKER_WORKFLOW_SLOTS,
    activitySlots: config.WORKER_ACTIVITY_SLOTS,
    pollers: config.WORKER_POLLERS,
    cachedWorkflows: config.WORKER_CACHE,
    graceSeconds: config.SHUTDOWN_GRACE_SECONDS,
  };
}

function activityDeps(
  config: Config,
  { db, mailer, metrics }: { db: Db; mailer: Mailer; metrics: Metrics },
): Omit<ActivityDeps, 'pollSchedules'> {
  const { providerAsked: onCall } = metrics;
  const oauth = countRefreshes(createProviderOAuth(config, onCall), metrics);
  const { alpha: alphaOAuth, beta: betaOAuth } = oauth;
  return {
    db,
    metrics,
    alphaOAuth,
    betaOAuth,
    alpha: createAlpha({
      environment: config.ALPHA_ENVIRONMENT,
      origin: config.ALPHA_ORIGIN,
      onCall,
    }),
    beta: createBeta({
      environment: config.BETA_ENVIRONMENT,
      region: config.BETA_REGION,
      webOrigin: config.BETA_WEB_ORIGIN,
      apiOrigin: config.BETA_API_ORIGIN,
      maxConcurrency: config.BETA_MAX_CONCURRENCY,
      onCall,
    }),
    secrets: createSecrets(config.ENCRYPTION_KEY),
    codes: createRedemptionCodes(config.ENCRYPTION_KEY),
    mailer,
    expiredCodes: config.EXPIRED_CODES,
    ingestPolicy: createIngestPolicy(config.PAYMENT_REFUNDS, config.ENCRYPTION_KEY),
    directory: createDirectory(
      {
        kind: config.IDENTITY_DIRECTORY,
        adminUrl: config.IDENTITY_ADMIN_URL,
        adminToken: config.IDENTITY_ADMIN_TOKEN,
      },
      mailer,
    ),
    frontendUrl: config.FRONTEND_URL,
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

await main(loadOrExit(loadConfig));
// An attempt to connect to a silent server cannot be cancelled and would keep the process alive.
process.exit();
