import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConnectionId, TenantId } from '../../domain/ids.ts';
import {
  type Polled,
  type PollSchedule,
  pollDrift,
  pollOffsetMs,
  RECONNECT_NOTE,
} from '../../domain/poll-schedules.ts';

const connection: Polled = {
  id: ConnectionId.parse(randomUUID()),
  tenantId: TenantId.parse(randomUUID()),
  provider: 'alpha',
  needsReconnectSince: null,
  coveredPolls: 0,
};
const refused = { ...connection, needsReconnectSince: new Date(0) };
const { id } = connection;
const schedule: PollSchedule = {
  connectionId: id,
  isPaused: false,
  note: null,
  isCurrent: true,
  intervalMs: 300_000,
};
const pausedByUs = { ...schedule, isPaused: true, note: RECONNECT_NOTE };
const intervals = { base: 300, backup: 3600 };
const covered = { ...connection, coveredPolls: 3 };

describe('pollDrift', () => {
  it.each([
    { because: 'both exist', connections: [connection], schedules: [schedule], drift: [] },
    { because: 'neither exists', connections: [], schedules: [], drift: [] },
    {
      because: 'the Schedule is missing',
      connections: [connection],
      schedules: [],
      drift: [id],
    },
    {
      because: 'the connection is gone',
      connections: [],
      schedules: [schedule],
      drift: [id],
    },
    {
      because: 'an earlier release has made it',
      connections: [connection],
      schedules: [{ ...schedule, isCurrent: false }],
      drift: [id],
    },
    {
      because: 'webhooks cover it by now',
      connections: [covered],
      schedules: [schedule],
      drift: [id],
    },
    {
      because: 'webhooks cover it, and it has the longer interval',
      connections: [covered],
      schedules: [{ ...schedule, intervalMs: 3_600_000 }],
      drift: [],
    },
    {
      because: 'the configured interval has changed',
      connections: [connection],
      schedules: [{ ...schedule, intervalMs: 60_000 }],
      drift: [id],
    },
    {
      because: 'the merchant has to connect again',
      connections: [refused],
      schedules: [schedule],
      drift: [id],
    },
    {
      because: 'the merchant has to connect again, and no Schedule is there yet',
      connections: [refused],
      schedules: [],
      drift: [],
    },
    {
      because: 'the Schedule is already paused',
      connections: [refused],
      schedules: [pausedByUs],
      drift: [],
    },
    {
      because: 'the merchant has connected again',
      connections: [connection],
      schedules: [pausedByUs],
      drift: [id],
    },
    {
      because: 'an operator has paused it',
      connections: [connection],
      schedules: [{ ...schedule, isPaused: true, note: 'maintenance' }],
      drift: [],
    },
  ])('finds the drift when $because', ({ connections, schedules, drift }) => {
    expect(pollDrift(connections, schedules, () => intervals)).toEqual(drift);
  });
});

describe('pollOffsetMs', () => {
  it('returns stable offsets that are spread over the interval', () => {
    const ids = Array.from({ length: 400 }, () => randomUUID());
    const offsets = ids.map((each) => pollOffsetMs(each, 300_000));
    expect(offsets).toEqual(ids.map((each) => pollOffsetMs(each, 300_000)));
    expect(offsets.every((offset) => offset >= 0 && offset < 300_000)).toBe(true);
    const tenths = new Set(offsets.map((offset) => Math.floor(offset / 30_000)));
    expect(tenths.size).toBe(10);
  });
});
