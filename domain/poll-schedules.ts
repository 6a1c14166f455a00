import type { ConnectionId, TenantId } from './ids.ts';

/** A connection that should be polled. */
export type Polled = {
  id: ConnectionId;
  tenantId: TenantId;
  /** Since when the merchant has to connect again; null when the tokens work. */
  needsReconnectSince: Date | null;
};

/** A Schedule by which a connection is polled. */
export type PollSchedule = {
  connectionId: ConnectionId;
  isPaused: boolean;
  /** The note that was left when it was paused. */
  note: string | null;
  /** Whether it is as this release makes it, or paused and so needs not be. */
  isCurrent: boolean;
};

/** The note of our own pauses. A Schedule that an operator paused is left alone. */
export const RECONNECT_NOTE = 'The merchant has to connect again.';

export type PollDrift = {
  /** To create, update or resume. */
  ensure: Polled[];
  pause: ConnectionId[];
  remove: ConnectionId[];
};

/** Compares the Schedules with the connections that should be polled. */
export function pollDrift(
  connections: readonly Polled[],
  schedules: readonly PollSchedule[],
): PollDrift {
  const scheduled = new Map(schedules.map((schedule) => [schedule.connectionId, schedule]));
  const wanted = new Set(connections.map(({ id }) => id));
  const isRefused = ({ needsReconnectSince }: Polled) => needsReconnectSince !== null;
  return {
    ensure: connections.filter((connection) => {
      const schedule = scheduled.get(connection.id);
      if (schedule === undefined) return true;
      const isPausedByUs = schedule.isPaused && schedule.note === RECONNECT_NOTE;
      return !isRefused(connection) && (!schedule.isCurrent || isPausedByUs);
    }),
    pause: connections
      .filter((connection) => isRefused(connection))
      .map(({ id }) => id)
      .filter((id) => scheduled.get(id)?.isPaused === false),
    remove: schedules.map(({ connectionId }) => connectionId).filter((id) => !wanted.has(id)),
  };
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
