import type { ConnectionId, TenantId } from './ids.ts';
import type { PolledProvider } from './payment.ts';
import { type PollIntervals, pollIntervalMs } from './poll-cadence.ts';

/** A connection that should be polled. */
export type Polled = {
  id: ConnectionId;
  tenantId: TenantId;
  provider: PolledProvider;
  /** Since when the merchant has to connect again; null when the tokens work. */
  needsReconnectSince: Date | null;
  /** In how many polls in a row webhooks had brought every sale before, as far as it counts. */
  coveredPolls: number;
};

/** A Schedule by which a connection is polled. */
export type PollSchedule = {
  connectionId: ConnectionId;
  isPaused: boolean;
  /** The note that was left when it was paused. */
  note: string | null;
  /** Whether it is as this release makes it, apart from the interval. */
  isCurrent: boolean;
  intervalMs: number | null;
};

/** The note of our own pauses. A Schedule that an operator paused is left alone. */
export const RECONNECT_NOTE = 'The merchant has to connect again.';

/** Returns the connections whose Schedule is not as it should be, also those that are gone. */
export function pollDrift(
  connections: readonly Polled[],
  schedules: readonly PollSchedule[],
  intervals: (provider: PolledProvider) => PollIntervals,
): ConnectionId[] {
  const scheduled = new Map(schedules.map((schedule) => [schedule.connectionId, schedule]));
  const wanted = new Set(connections.map(({ id }) => id));
  const drifted = connections.filter((connection) => {
    const schedule = scheduled.get(connection.id);
    if (connection.needsReconnectSince !== null) return schedule?.isPaused === false;
    if (schedule === undefined) return true;
    if (schedule.isPaused) return schedule.note === RECONNECT_NOTE;
    const intervalMs = pollIntervalMs(connection.coveredPolls, intervals(connection.provider));
    return !schedule.isCurrent || schedule.intervalMs !== intervalMs;
  });
  const orphaned = schedules.filter(({ connectionId }) => !wanted.has(connectionId));
  return [...drifted.map(({ id }) => id), ...orphaned.map(({ connectionId }) => connectionId)];
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The offset of a connection within the interval: spread evenly, and stable per connection. */
export function pollOffsetMs(connectionId: string, intervalMs: number): number {
  let hash = FNV_OFFSET;
  for (const character of connectionId) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME) >>> 0;
  }
  return hash % intervalMs;
}
