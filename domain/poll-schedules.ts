import type { ConnectionId, TenantId } from './ids.ts';

/** A connection that is to be polled. */
export type Polled = {
  id: ConnectionId;
  tenantId: TenantId;
  /** Since when its merchant has to connect again, if so. */
  needsReconnectSince: Date | null;
};

/** A Schedule by which a connection is polled. */
export type PollSchedule = {
  connectionId: ConnectionId;
  isPaused: boolean;
  /** Why it is paused, if somebody said. */
  note: string | null;
  /** Whether it runs as often as is configured now. */
  isCurrent: boolean;
};

/** How our own pauses are told from those of an operator, which are left alone. */
export const RECONNECT_NOTE = 'The merchant has to connect again.';

export type PollDrift = {
  /** To be made, brought up to date or resumed. */
  ensure: Polled[];
  pause: ConnectionId[];
  remove: ConnectionId[];
};

/** What sets the Schedules apart from the connections that are to be polled. */
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

/** When within its interval a connection is polled: spread evenly, and for each always the same. */
export function pollOffsetMs(connectionId: string, intervalMs: number): number {
  let hash = FNV_OFFSET;
  for (const character of connectionId) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME) >>> 0;
  }
  return hash % intervalMs;
}
