import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLevel, LogMetadata } from '@temporalio/common';
import {
  makeTelemetryFilterString,
  NativeConnection,
  type NativeConnectionOptions,
  Runtime,
  type TLSConfig,
} from '@temporalio/worker';
import type { Logger } from '../telemetry/logger.ts';
import { withinMs } from '../timing.ts';

/** Temporal's address, and how to authenticate. */
export type TemporalSettings = {
  address: string;
  tls: TLSConfig | boolean;
  apiKey?: string | undefined;
  /** Holds the key, and later the one that replaces it. */
  apiKeyFile?: string | undefined;
  /** Sent with every call. */
  metadata?: NativeConnectionOptions['metadata'] | undefined;
};

/**
 * Connects to Temporal. Throws when it is unreachable; once connected, the connection recovers from
 * outages by itself.
 */
export async function connectTemporal(settings: TemporalSettings): Promise<NativeConnection> {
  const { address, tls, apiKey, metadata } = settings;
  // Only ids and counts are sent; compression would cost more than it saves.
  const options: NativeConnectionOptions = { address, tls, grpcCompression: { codec: 'none' } };
  if (apiKey !== undefined) options.apiKey = apiKey;
  if (metadata !== undefined) options.metadata = metadata;
  return NativeConnection.connect(options);
}

const RECONNECT_MS = 2_000;
const LOG_EVERY_MS = 60_000;
const CONNECT_WITHIN_MS = 5_000;
/** A hosted cluster takes both keys for as long as both exist. */
const READ_KEY_EVERY_MS = 30_000;

/**
 * Connects to Temporal, retrying until it succeeds, and logs why it fails: the first time, and then
 * each minute. Returns undefined when the signal is aborted before.
 */
export async function connectUntilAborted(
  settings: TemporalSettings,
  log: Logger,
  signal: AbortSignal,
): Promise<NativeConnection | undefined> {
  const { address } = settings;
  let logAt = performance.now();
  while (!signal.aborted) {
    try {
      // A key that was refused may have been replaced since.
      const apiKey = (await readKey(settings)) ?? settings.apiKey;
      const current = { ...settings, apiKey };
      const connection = await connectInTime(current, signal);
      log.info({ event: 'temporal_connected', address }, 'Connected to Temporal');
      followApiKey(connection, current, log, { signal });
      return connection;
    } catch (err) {
      if (performance.now() >= logAt && !signal.aborted) {
        log.warn({ event: 'temporal_unreachable', address, err }, 'Temporal cannot be reached yet');
        logAt = performance.now() + LOG_EVERY_MS;
      }
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

/**
 * Uses a key that replaces the one that is in use, so that no restart is needed. A file that cannot
 * be read, or is empty, changes nothing. Ends with the signal.
 */
export function followApiKey(
  connection: Pick<NativeConnection, 'setApiKey'>,
  { apiKey, apiKeyFile }: Pick<TemporalSettings, 'apiKey' | 'apiKeyFile'>,
  log: Logger,
  { signal, everyMs = READ_KEY_EVERY_MS }: { signal: AbortSignal; everyMs?: number },
): void {
  if (apiKeyFile === undefined) return;
  let used = apiKey;
  const read = async () => {
    const key = await readKey({ apiKeyFile });
    if (key === undefined || key === used) return;
    used = key;
    await connection.setApiKey(key);
    log.info({ event: 'temporal_key_replaced' }, 'Temporal is called with the new API key');
  };
  const timer = setInterval(() => void read().catch(() => undefined), everyMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** Returns the key in its file; undefined if no file is named, or it is empty or unreadable. */
async function readKey({
  apiKeyFile,
}: Pick<TemporalSettings, 'apiKeyFile'>): Promise<string | undefined> {
  if (apiKeyFile === undefined) return undefined;
  const key = (await readFile(apiKeyFile, 'utf8').catch(() => '')).trim();
  return key === '' ? undefined : key;
}

/**
 * Connects, or throws when that takes too long or the signal is aborted: a server that accepts the
 * connection may never answer. A connection that is made too late is closed.
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

let isInstalled = false;

/**
 * Sends the log lines of Temporal's SDK to our log. Call it before any other part of the SDK. There
 * is one runtime in a process, so that another call changes nothing.
 * It does not handle signals: the process decides what stops in which order. With an address the
 * SDK serves its metrics there, with the names and units of Prometheus; throws when the address is
 * taken.
 */
export function installTemporalRuntime(log: Logger, metricsAddress?: string): void {
  if (isInstalled) return;
  // Under its own name an error would be written with all its fields: Postgres's quote rows.
  const write = (level: LogLevel) => (message: string, meta?: LogMetadata) => {
    const { error, ...rest } = meta ?? {};
    const err = error === undefined ? {} : { err: error };
    log[LEVELS[level]]({ event: 'temporal_sdk', ...rest, ...err }, message);
  };
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
  isInstalled = true;
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
