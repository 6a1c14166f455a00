import { Client } from '@temporalio/client';
import { type ActivityDeps, createActivities } from '../activities/index.ts';
import { createIngestPolicy } from '../activities/ingestion/ingest-policy.ts';
import { type Config, loadConfig, loadOrExit } from '../config.ts';
import { connect, type Db } from '../db/connection.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { createSealer } from '../gateways/crypto/sealer.ts';
import { countMails } from '../gateways/mail/counted-mailer.ts';
import type { Mailer } from '../gateways/mail/mailer.ts';
import { createMetrics, type Metrics } from '../gateways/telemetry/metrics.ts';
import { exitIfPortTaken } from '../gateways/telemetry/taken-port.ts';
import { connectUntilAborted } from '../gateways/temporal/connection.ts';
import { measureTemporalRuntime } from '../gateways/temporal/metrics.ts';
import {
  alphaFrom,
  betaFrom,
  directoryFrom,
  errorReporterFrom,
  loggerFrom,
  mailerFrom,
  oauthFrom,
  temporalFrom,
} from '../wiring.ts';
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
  const log = loggerFrom(config, 'worker', currentCorrelationIds);
  const reporter = await errorReporterFrom(config, 'worker');
  const temporalMetrics = await measureTemporalRuntime(
    log,
    config.WORKER_HEALTH_PORT !== undefined,
  );
  const metrics = createMetrics('worker', temporalMetrics);
  const listening = { host: config.HOST, port: config.WORKER_HEALTH_PORT };
  const health = await openHealth({ ...listening, metrics }).catch((error: unknown) =>
    exitIfPortTaken(error, log),
  );
  const stop = stopOnSignals();
  const connection = await connectUntilAborted(temporalFrom(config), log, stop.signal);
  if (connection === undefined) return;
  const db = connect(config.DATABASE_URL, config.DATABASE_POOL_MAX, 'loyalty-worker');
  const mailer = countMails(mailerFrom(config), metrics);
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

function stopOnSignals(): AbortController {
  const stop = new AbortController();
  // Also a second one is caught, which would end the process at once: npm passes on what the
  // process group has received already.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  return stop;
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
  return {
    db,
    metrics,
    oauth: oauthFrom(config, metrics),
    alpha: alphaFrom(config, metrics),
    beta: betaFrom(config, metrics),
    tokenSealer: createSealer(config.ENCRYPTION_KEY),
    codes: createRedemptionCodes(config.ENCRYPTION_KEY),
    mailer,
    expiredCodes: config.EXPIRED_CODES,
    ingestPolicy: createIngestPolicy(config.PAYMENT_REFUNDS, config.ENCRYPTION_KEY),
    directory: directoryFrom(config, mailer),
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
