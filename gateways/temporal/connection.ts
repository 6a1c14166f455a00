import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLevel, LogMetadata } from '@temporalio/common';
import { makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import type { Logger } from '../telemetry/logger.ts';
import { withinMs } from '../timing.ts';

/** Where Temporal is, and how to be let in. */
export type TemporalSettings = {
  address: string;
  tls: boolean;
  apiKey?: string | undefined;
};

/**
 * Connects to Temporal. Throws when it cannot be reached; once connected, the connection finds its
 * way back by itself after an outage.
 */
export async function connectTemporal(settings: TemporalSettings): Promise<NativeConnection> {
  return NativeConnection.connect({
    address: settings.address,
    tls: settings.tls,
    // Only ids and counts are sent: compressing them costs more than it saves.
    grpcCompression: { codec: 'none' },
    ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
  });
}

const RECONNECT_MS = 2_000;
const CONNECT_WITHIN_MS = 5_000;

/**
 * Connects to Temporal, again and again until it succeeds, and says once that it did not at first.
 * Undefined when the signal ended it before.
 */
export async function connectUntilAborted(
  settings: TemporalSettings,
  log: Logger,
  signal: AbortSignal,
): Promise<NativeConnection | undefined> {
  const { address } = settings;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      const connection = await connectInTime(settings, signal);
      log.info({ address }, 'Connected to Temporal');
      return connection;
    } catch {
      if (isFirst && !signal.aborted) log.warn({ address }, 'Temporal cannot be reached yet');
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

/**
 * Connects, or throws when that takes long or is no longer wanted: whatever listens at the address
 * may never answer. A connection that comes too late is closed.
 */
async function connectInTime(
  settings: TemporalSettings,
  signal: AbortSignal,
): Promise<NativeConnection> {
  const connecting = connectTemporal(settings);
  const message = 'Temporal does not answer.';
  try {
    return await withinMs(connecting, CONNECT_WITHIN_MS, { signal, message });
  } catch (error) {
    connecting.then((tooLate) => tooLate.close()).catch(() => undefined);
    throw error;
  }
}

/**
 * Sends what Temporal's SDK has to say to our log. To be called once, before anything else of it is
 * used. Signals stay ours: the process decides what is stopped in which order. With an address it
 * serves its metrics there, by the names and units of Prometheus; throws when that is taken.
 */
export function installTemporalRuntime(log: Logger, metricsAddress?: string): void {
  const write = (level: LogLevel) => (message: string, meta?: LogMetadata) =>
    log[LEVELS[level]](meta ?? {}, message);
  Runtime.install({
    logger: {
      log: (level, message, meta) => write(level)(message, meta),
      trace: write('TRACE'),
      debug: write('DEBUG'),
      info: write('INFO'),
      warn: write('WARN'),
      error: write('ERROR'),
    },
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      ...(metricsAddress === undefined ? {} : { metrics: metricsAt(metricsAddress) }),
    },
  });
}

function metricsAt(bindAddress: string) {
  const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  return { attachServiceName: false, prometheus: { bindAddress, ...names } };
}

const LEVELS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const;
