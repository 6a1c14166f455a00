import { Client } from '@temporalio/client';
import { type ActivityDeps, createActivities } from '../activities/index.ts';
import { createIngestPolicy } from '../activities/ingestion/decide/ingest-policy.ts';
import { loadOrExit, loadWorkerConfig, objectsUrlFrom, type WorkerConfig } from '../config.ts';
import { createCallShares } from '../db/call-shares.ts';
import { connect, type Db } from '../db/connection.ts';
import * as pollPositions from '../db/connections/poll-positions.ts';
import { requireAtStart } from '../db/installation.ts';
import * as jobRuns from '../db/job-runs.ts';
import { requireLimits } from '../db/session-settings.ts';
import { POLLED_PROVIDERS } from '../domain/payment.ts';
import { pollsPerSecond } from '../domain/poll-cadence.ts';
import { logChecks } from '../gateways/checks/at-start.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { createSealer } from '../gateways/crypto/sealer.ts';
import { countMails } from '../gateways/mail/counted-mailer.ts';
import type { Mailer } from '../gateways/mail/mailer.ts';
import { type ProviderClients, pollingOf } from '../gateways/providers/index.ts';
import type { Logger } from '../gateways/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../gateways/telemetry/metrics.ts';
import { exitIfPortTaken } from '../gateways/telemetry/taken-port.ts';
import { connectUntilAborted } from '../gateways/temporal/connection.ts';
import { measureTemporalRuntime } from '../gateways/temporal/metrics.ts';
import { withinMs } from '../gateways/timing.ts';
import {
  checksFrom,
  directoryFrom,
  errorReporterFrom,
  loggerFrom,
  mailerFrom,
  objectStoreFrom,
  providersFrom,
  pusherFrom,
  sealersFrom,
  statementKeysFrom,
  stopLinksFrom,
  tracingFrom,
  webhooksFrom,
} from '../wiring.ts';
import { currentCorrelationIds } from './correlation.ts';
import { deploymentOf } from './deployment.ts';
import { createWake, watchEvents } from './event-watch.ts';
import { watchWorker } from './gauges.ts';
import { openHealth } from './health.ts';
import { createPollSchedules } from './poll-schedules.ts';
import { followRate } from './polling-worker.ts';
import { runTogether } from './run-together.ts';
import { ensureSchedules, keepSchedules } from './schedules.ts';
import { requireSearchAttributes } from './search-attributes.ts';
import { createPollingWorker, createWorkers, type WorkerOptions } from './worker.ts';

const CLOSE_WITHIN_MS = 5_000;
/** Nothing is written, and the public address may answer only when an API is ready, too. */
const AT_START = { writes: false, publicForMs: 60_000 };

/** The worker's process: runs until it gets a signal, then finishes the work it has accepted. */
async function main(config: WorkerConfig): Promise<void> {
  const log = loggerFrom(config, 'worker', currentCorrelationIds);
  const reporter = await errorReporterFrom(config, 'worker');
  const tracing = await tracingFrom(config, 'worker');
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
  const { namespace } = config.temporal;
  const db = connect(config.database, config.DATABASE_POOL_MAX, 'loyalty-worker');
  // While Temporal is away, the metrics from the tables still say how much waits.
  const { ledgerVerified } = watchWorker(metrics, db);
  const connection = await connectUntilAborted(config.temporal.connection, log, stop.signal);
  const mailer = countMails(mailerFrom(config), metrics);
  try {
    if (connection === undefined) return;
    await requireAtStart(db);
    await requireLimits(db);
    await requireSearchAttributes(connection, namespace, log);
    const client = new Client({ connection, namespace });
    const providers = providersFrom(config, metrics, createCallShares(db));
    const pollSchedules = await prepareSchedules(config, { db, client, providers });

    const options = {
      connection,
      namespace,
      activities: createActivities({
        ...activityDeps(config, { db, mailer, metrics, log }),
        providers,
        pollSchedules,
        ledgerVerified,
      }),
      reporter,
      tracing,
      ...tuningOf(config),
    };
    const working = runTogether(
      await workersOf(config, { db, providers }, options),
      aborted(stop.signal).then(() => health.now('draining')),
    );
    void keepSchedules(client, { ...keptSchedules(config), log }, stop.signal);
    void watchEvents({ db, log, wake: createWake(client) }, stop.signal);
    health.now('running');
    const { version } = deploymentOf(config.WORKER_VERSIONING);
    log.info({ event: 'worker_ready', build: version.buildId }, 'Worker ready');
    void logChecks(checksFrom(config, { webhooks: undefined, ...AT_START }), log);
    for (const err of await working) {
      log.warn({ event: 'worker_left_work', err }, 'Work is left to another worker');
    }
    log.info({ event: 'worker_stopped' }, 'Worker stopped');
  } catch (error) {
    // The supervisor starts the process again, which may help.
    log.fatal({ event: 'worker_failed', err: error }, 'Worker failed');
    reporter.report(error, { service: 'worker' });
    process.exitCode = 1;
  } finally {
    await mailer.close();
    // A statement that is left behind would hold up both.
    await withinMs(db.destroy(), CLOSE_WITHIN_MS).catch(() => undefined);
    await connection?.close().catch(() => undefined);
    await Promise.all([reporter.close(), tracing.close()]);
    await health.close();
  }
}

/** Makes the Schedules of the service, and what makes those of connections. */
async function prepareSchedules(
  config: WorkerConfig,
  { db, client, providers }: { db: Db; client: Client; providers: ProviderClients },
) {
  await jobRuns.expectFromNow(db, 'maintain');
  await jobRuns.expectFromNow(db, 'statements');
  await ensureSchedules(client, keptSchedules(config));
  return createPollSchedules(client, (provider) => pollingOf(providers, provider).intervals);
}

function keptSchedules(config: WorkerConfig) {
  const { hasProgrammes } = config.database;
  return { sweepIntervalSeconds: config.SWEEP_INTERVAL_SECONDS, hasProgrammes };
}

function stopOnSignals(): AbortController {
  const stop = new AbortController();
  // Also a second one is caught, which would end the process at once: npm passes on what the
  // process group has received already.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  return stop;
}

function tuningOf(config: WorkerConfig) {
  return {
    workflowSlots: config.WORKER_WORKFLOW_SLOTS,
    activitySlots: config.WORKER_ACTIVITY_SLOTS,
    pollers: config.WORKER_POLLERS,
    cachedWorkflows: config.WORKER_CACHE,
    versioning: config.WORKER_VERSIONING,
    graceSeconds: config.SHUTDOWN_GRACE_SECONDS,
  };
}

/** The worker of each queue. */
async function workersOf(config: WorkerConfig, parts: PolledFrom, options: WorkerOptions) {
  return [...(await createWorkers(options)), pollingWorker(config, parts, options)];
}

type PolledFrom = { db: Db; providers: ProviderClients };

/** The worker that polls, at a rate that follows the number of connections. */
function pollingWorker(
  config: WorkerConfig,
  { db, providers }: PolledFrom,
  options: WorkerOptions,
) {
  const bases = POLLED_PROVIDERS.map((name) => pollingOf(providers, name).intervals.base);
  const limits = {
    baseSeconds: Math.min(...bases),
    most: config.WORKER_MAX_POLLS_PER_SECOND,
  };
  return followRate({
    create: (perSecond) =>
      createPollingWorker(options, { slots: config.WORKER_POLLING_SLOTS, perSecond }),
    wanted: async () => pollsPerSecond(await pollPositions.countPolled(db), limits),
    initial: pollsPerSecond(0, limits),
  });
}

function activityDeps(
  config: WorkerConfig,
  { db, mailer, metrics, log }: { db: Db; mailer: Mailer; metrics: Metrics; log: Logger },
): Omit<ActivityDeps, 'pollSchedules' | 'providers'> {
  return {
    db,
    log,
    metrics,
    tokenSealer: createSealer(config.ENCRYPTION_KEY),
    codes: createRedemptionCodes(config.ENCRYPTION_KEY),
    ...sealersFrom(config),
    webhooks: webhooksFrom(config),
    pusher: pusherFrom(config),
    mailer,
    expiredCodes: config.EXPIRED_CODES,
    truthRepairs: config.TRUTH_REPAIRS,
    ingestPolicy: createIngestPolicy(config.PAYMENT_REFUNDS, config.ENCRYPTION_KEY),
    directory: directoryFrom(config),
    objects: objectStoreFrom(config),
    statementKeys: statementKeysFrom(config),
    stopLinks: stopLinksFrom(config),
    frontendUrl: config.FRONTEND_URL,
    adminEmailDomain: config.ADMIN_EMAIL_DOMAIN,
    objectsUrl: objectsUrlFrom(config),
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

await main(loadOrExit(loadWorkerConfig));
// An attempt to connect to a silent server cannot be cancelled and would keep the process alive.
process.exit();
