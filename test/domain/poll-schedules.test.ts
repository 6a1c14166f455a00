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
  needsReconnectSince: null,
};
const refused = { ...connection, needsReconnectSince: new Date(0) };
const { id } = connection;
const schedule: PollSchedule = { connectionId: id, isPaused: false, note: null, isCurrent: true };
const pausedByUs = { ...schedule, isPaused: true, note: RECONNECT_NOTE };
const nothing = { ensure: [], pause: [], remove: [] };

describe('pollDrift', () => {
  it.each([
    { because: 'both are there', connections: [connection], schedules: [schedule], drift: {} },
    { because: 'neither is there', connections: [], schedules: [], drift: {} },
    {
      because: 'a connection without one',
      connections: [connection],
      schedules: [],
      drift: { ensure: [connection] },
    },
    {
      because: 'one without a connection',
      connections: [],
      schedules: [schedule],
      drift: { remove: [id] },
    },
    {
      because: 'another interval is configured now',
      connections: [connection],
      schedules: [{ ...schedule, isCurrent: false }],
      drift: { ensure: [connection] },
    },
    {
      because: 'its merchant has to connect again',
      connections: [refused],
      schedules: [schedule],
      drift: { pause: [id] },
    },
    {
      because: 'that is known already',
      connections: [refused],
      schedules: [pausedByUs],
      drift: {},
    },
    {
      because: 'it has connected again',
      connections: [connection],
      schedules: [pausedByUs],
      drift: { ensure: [connection] },
    },
    {
      because: 'an operator has paused it',
      connections: [connection],
      schedules: [{ ...schedule, isPaused: true, note: 'maintenance' }],
      drift: {},
    },
  ])('$because', ({ connections, schedules, drift }) => {
    expect(pollDrift(connections, schedules)).toEqual({ ...nothing, ...drift });
  });
});

describe('pollOffsetMs', () => {
  it('the same for a connection each time, within the interval, and spread over it', () => {
    const ids = Array.from({ length: 400 }, () => randomUUID());
    const offsets = ids.map((each) => pollOffsetMs(each, 300_000));
    expect(offsets).toEqual(ids.map((each) => pollOffsetMs(each, 300_000)));
    expect(offsets.every((offset) => offset >= 0 && offset < 300_000)).toBe(true);
    const tenths = new Set(offsets.map((offset) => Math.floor(offset / 30_000)));
    expect(tenths.size).toBe(10);
  });
});
