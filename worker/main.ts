import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import { type Config, loadConfig, loadOrExit } from '../config.ts';
import { connect } from '../db/connection.ts';
import { createAlpha } from '../gateways/alpha.ts';
import { createLogger, type Logger } from '../gateways/logger.ts';
import { createSecrets } from '../gateways/secrets.ts';
import { connectTemporal, installTemporalRuntime } from '../gateways/temporal.ts';
import { ensureSchedules } from './schedules.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { createWorker } from './worker.ts';

const RECONNECT_MS = 2_000;

/** The worker's process: runs until it is told to stop, then finishes what it has in hand. */
async function main(config: Config): Promise<void> {
  const log = createLogger({ level: config.LOG_LEVEL, service: 'worker' });
  installTemporalRuntime(log);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

  const connection = await untilConnected(config, log, stop.signal);
  if (connection === undefined) return;
  const db = connect(config.DATABASE_URL, config.DATABASE_POOL_MAX, 'loyalty-worker');
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
    });
    const worker = await createWorker({
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      activities,
      workflowSlots: config.WORKER_WORKFLOW_SLOTS,
      activitySlots: config.WORKER_ACTIVITY_SLOTS,
      pollers: config.WORKER_POLLERS,
      cachedWorkflows: config.WORKER_CACHE,
      graceSeconds: config.SHUTDOWN_GRACE_SECONDS,
    });
    log.info({ temporal: config.TEMPORAL_ADDRESS }, 'Worker ready');
    await worker.runUntil(aborted(stop.signal));
  } finally {
    await db.destroy();
    await connection.close();
  }
  log.info('Worker stopped');
}

async function untilConnected(
  config: Config,
  log: Logger,
  signal: AbortSignal,
): Promise<NativeConnection | undefined> {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_TLS: tls, TEMPORAL_API_KEY: apiKey } = config;
  while (!signal.aborted) {
    try {
      return await connectTemporal({ address, tls, apiKey });
    } catch {
      log.warn({ address }, 'Temporal cannot be reached yet, trying again');
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

await main(loadOrExit(loadConfig));
