import { Client } from '@temporalio/client';
import { createActivities } from '../activities/index.ts';
import { type Config, loadConfig, loadOrExit } from '../config.ts';
import { connect } from '../db/connection.ts';
import { createAlpha } from '../gateways/alpha.ts';
import { createDirectory } from '../gateways/directory.ts';
import { createErrorReporter } from '../gateways/error-reporter.ts';
import { createLogger } from '../gateways/logger.ts';
import { createMailer } from '../gateways/mailer.ts';
import { createRedemptionCodes } from '../gateways/redemption-codes.ts';
import { createSecrets } from '../gateways/secrets.ts';
import { connectUntilAborted, installTemporalRuntime } from '../gateways/temporal.ts';
import { currentCorrelationIds } from './correlation.ts';
import { ensureSchedules } from './schedules.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { createWorker } from './worker.ts';

/** The worker's process: runs until it is told to stop, then finishes what it has in hand. */
async function main(config: Config): Promise<void> {
  const log = createLogger({
    level: config.LOG_LEVEL,
    service: 'worker',
    correlationId: currentCorrelationIds,
  });
  const reporter = await createErrorReporter({
    dsn: config.SENTRY_DSN,
    service: 'worker',
    environment: config.NODE_ENV,
  });
  installTemporalRuntime(log);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

  const { TEMPORAL_ADDRESS: address, TEMPORAL_TLS: tls, TEMPORAL_API_KEY: apiKey } = config;
  const connection = await connectUntilAborted({ address, tls, apiKey }, log, stop.signal);
  if (connection === undefined) return;
  const db = connect(config.DATABASE_URL, config.DATABASE_POOL_MAX, 'loyalty-worker');
  const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  try {
    const searchable = await registerSearchAttributes(connection, config.TEMPORAL_NAMESPACE);
    if (!searchable) log.warn('Runs cannot be found by tenant: the cluster refuses our attributes');
    await ensureSchedules(new Client({ connection, namespace: config.TEMPORAL_NAMESPACE }), {
      sweepIntervalSeconds: config.SWEEP_INTERVAL_SECONDS,
      searchable,
    });

    const activities = createActivities({
      db,
      alpha: createAlpha({ environment: config.ALPHA_ENVIRONMENT, origin: config.ALPHA_ORIGIN }),
      secrets: createSecrets(config.ENCRYPTION_KEY),
      codes: createRedemptionCodes(config.ENCRYPTION_KEY),
      mailer,
      expiredCodes: config.EXPIRED_CODES,
      directory: createDirectory(
        {
          kind: config.IDENTITY_DIRECTORY,
          adminUrl: config.IDENTITY_ADMIN_URL,
          adminToken: config.IDENTITY_ADMIN_TOKEN,
        },
        mailer,
      ),
      frontendUrl: config.FRONTEND_URL,
    });
    const worker = await createWorker({
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      activities,
      reporter,
      workflowSlots: config.WORKER_WORKFLOW_SLOTS,
      activitySlots: config.WORKER_ACTIVITY_SLOTS,
      pollers: config.WORKER_POLLERS,
      cachedWorkflows: config.WORKER_CACHE,
      graceSeconds: config.SHUTDOWN_GRACE_SECONDS,
    });
    log.info('Worker ready');
    await worker.runUntil(aborted(stop.signal));
  } finally {
    await mailer.close();
    await db.destroy();
    await connection.close();
    await reporter.close();
  }
  log.info('Worker stopped');
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

await main(loadOrExit(loadConfig));
// A connection to what never answers cannot be given up, and would keep the process.
process.exit();
