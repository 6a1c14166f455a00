import { Client } from '@temporalio/client';
import { createLogger } from '../gateways/telemetry/logger.ts';
import { connectTemporal, installTemporalRuntime } from '../gateways/temporal/connection.ts';
import type { TemporalPlace } from '../gateways/temporal/settings.ts';
import { withinMs } from '../gateways/timing.ts';
import { createPollSchedules } from '../worker/poll-schedules.ts';

/** What an operator waits for at most, who wants to know of connections and not of Temporal. */
const PATIENCE_MS = 5_000;

/**
 * Lists the connections whose Schedule is paused, by the service until the merchant connects again,
 * or by hand; null when Temporal does not answer.
 */
export async function listPaused(place: TemporalPlace): Promise<ReadonlySet<string> | null> {
  installTemporalRuntime(createLogger({ level: 'silent', service: 'ops' }));
  const connecting = connectTemporal(place.connection);
  try {
    const message = 'Temporal does not answer.';
    const connection = await withinMs(connecting, PATIENCE_MS, { message });
    const client = new Client({ connection, namespace: place.namespace });
    const schedules = createPollSchedules(client, () => ({ base: 1, backup: 1 }));
    const listed = await withinMs(schedules.list(), PATIENCE_MS, { message });
    return new Set(listed.filter(({ isPaused }) => isPaused).map((each) => each.connectionId));
  } catch {
    return null;
  } finally {
    connecting.then((connection) => connection.close()).catch(() => undefined);
  }
}
