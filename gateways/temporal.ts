import type { LogLevel, LogMetadata } from '@temporalio/common';
import { makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import type { Logger } from './logger.ts';

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

/**
 * Sends what Temporal's SDK has to say to our log. To be called once, before anything else of it is
 * used. Signals stay ours: the process decides what is stopped in which order.
 */
export function installTemporalRuntime(log: Logger): void {
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
    },
  });
}

const LEVELS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const;
