import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Logger } from '../telemetry/logger.ts';
import { installTemporalRuntime } from './connection.ts';

const HERE = '127.0.0.1';
/** Another process may take a port between our finding it free and the SDK's listening on it. */
const MAX_ATTEMPTS = 5;
const READ_WITHIN_MS = 2_000;

/**
 * Installs Temporal's runtime, as `installTemporalRuntime` does. If its metrics are wanted, the SDK
 * serves them to this machine only, and the returned function reads them from there, so that a
 * process is scraped in one place. The text is empty when it cannot be read, or is not wanted.
 */
export async function measureTemporalRuntime(
  log: Logger,
  isWanted: boolean,
): Promise<() => Promise<string>> {
  if (!isWanted) {
    installTemporalRuntime(log);
    return async () => '';
  }
  for (let attempt = 1; ; attempt++) {
    const address = `${HERE}:${await freePort()}`;
    try {
      installTemporalRuntime(log, address);
      return () => read(address);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function read(address: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(READ_WITHIN_MS);
    const response = await fetch(`http://${address}/metrics`, { signal });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HERE);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
