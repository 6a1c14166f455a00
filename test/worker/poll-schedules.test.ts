import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PollSchedules } from '../../activities/polling/poll-schedules.ts';
import { ConnectionId, TenantId } from '../../domain/ids.ts';
import { pollOffsetMs, RECONNECT_NOTE } from '../../domain/poll-schedules.ts';
import { createPollSchedules } from '../../worker/poll-schedules.ts';
import { ensureSchedules } from '../../worker/schedules.ts';
import { pollScheduleId, TASK_QUEUE } from '../../workflows/ids.ts';
import { useTemporal } from '../support/fixtures.ts';

let schedules: PollSchedules;
let connection: Parameters<PollSchedules['ensure']>[0];
const temporal = await useTemporal();
beforeEach(() => {
  schedules = every(300);
  connection = {
    id: ConnectionId.parse(randomUUID()),
    tenantId: TenantId.parse(randomUUID()),
    provider: 'alpha',
    coveredPolls: 0,
  };
});

const every = (base: number) =>
  createPollSchedules(temporal.client, () => ({ base, backup: 3600 }));
const handle = () => temporal.client.schedule.getHandle(pollScheduleId(connection.id));
/** By the recent actions: those running may leave out one that has only just begun. */
const endLatestRun = async () => {
  const { recentActions } = (await handle().describe()).info;
  const { workflowId } = recentActions.at(-1)?.action.workflow ?? { workflowId: '' };
  expect(workflowId).toContain(pollScheduleId(connection.id));
  await temporal.client.workflow.getHandle(workflowId).terminate();
};
const listed = async () =>
  (await schedules.list()).find(({ connectionId }) => connectionId === connection.id);

describe('ensure', () => {
  it('one run at a time, at its own offset with jitter, without catching up', async () => {
    await schedules.ensure(connection);
    const { spec, policies, action, state, info } = await handle().describe();
    const offset = pollOffsetMs(connection.id, 300_000);
    expect(spec).toMatchObject({ intervals: [{ every: 300_000, offset }], jitter: 15_000 });
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 10_000 });
    expect(action).toMatchObject({
      type: 'startWorkflow',
      workflowType: 'pollConnection',
      taskQueue: TASK_QUEUE,
      workflowId: pollScheduleId(connection.id),
      args: [connection.id],
      priority: { priorityKey: 5, fairnessKey: connection.tenantId },
      searchAttributes: {
        ConnectionId: [connection.id],
        TenantIds: [connection.tenantId],
        Provider: ['alpha'],
      },
    });
    expect(state.paused).toBe(false);
    expect(info.numActionsTaken).toBe(0);
    // The list of Schedules can be narrowed down to a tenant.
    expect((await handle().describe()).searchAttributes).toMatchObject({
      ConnectionId: [connection.id],
      TenantIds: [connection.tenantId],
    });
  });

  it('has the same result when it is made five times concurrently, and again', async () => {
    await Promise.all(Array.from({ length: 5 }, () => schedules.ensure(connection)));
    await schedules.ensure(connection);
    expect((await handle().describe()).spec.intervals).toHaveLength(1);
  });

  it('starts the first run at once on request, also for an existing Schedule', async () => {
    for (const taken of [1, 2]) {
      await schedules.ensure(connection, { trigger: true });
      await expect
        .poll(async () => (await handle().describe()).info.numActionsTaken, { timeout: 10_000 })
        .toBe(taken);
      await endLatestRun();
    }
  });

  it('starts no second run beside the first: one more follows it', async () => {
    await schedules.ensure(connection, { trigger: true });
    const taken = async () => (await handle().describe()).info.numActionsTaken;
    await expect.poll(taken, { timeout: 10_000 }).toBe(1);
    await schedules.ensure(connection, { trigger: true });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await taken()).toBe(1);
    await endLatestRun();
    await expect.poll(taken, { timeout: 20_000 }).toBe(2);
    await endLatestRun();
  });

  it('brings a Schedule of an earlier release up to date', async () => {
    await schedules.ensure(connection);
    await handle().update(({ spec, policies, action }) => ({
      spec,
      policies,
      action: { ...action, workflowExecutionTimeout: '9 hours', searchAttributes: {} },
      state: { paused: false, note: '' },
    }));
    await expect.poll(() => listed(), { timeout: 20_000 }).toMatchObject({ isCurrent: false });
    await schedules.ensure(connection);
    await expect.poll(() => listed(), { timeout: 20_000 }).toMatchObject({ isCurrent: true });
    const { action } = await handle().describe();
    expect(action.workflowExecutionTimeout).toBe(3_600_000);
  });

  it('leaves the version alone that a later release has made', async () => {
    await schedules.ensure(connection);
    await handle().update((existing) => ({
      ...existing,
      state: { paused: false, note: 'Kept by reconcile, version 999.' },
    }));
    await expect
      .poll(() => listed(), { timeout: 20_000 })
      .toMatchObject({
        note: 'Kept by reconcile, version 999.',
        isCurrent: true,
      });
  });

  it('follows the configuration', async () => {
    await schedules.ensure(connection);
    await every(60).ensure(connection);
    const { spec } = await handle().describe();
    expect(spec.intervals).toMatchObject([{ every: 60_000 }]);
  });

  it('polls rarely where webhooks cover the connection, and often again where not', async () => {
    await schedules.ensure({ ...connection, coveredPolls: 3 });
    const offset = pollOffsetMs(connection.id, 3_600_000);
    expect((await handle().describe()).spec).toMatchObject({
      intervals: [{ every: 3_600_000, offset }],
      jitter: 180_000,
    });
    await schedules.ensure(connection);
    expect((await handle().describe()).spec.intervals).toMatchObject([{ every: 300_000 }]);
  });

  it('resumes a Schedule that we paused, and leaves an operator’s pause', async () => {
    await schedules.ensure(connection);
    await schedules.pause(connection.id);
    expect((await handle().describe()).state).toMatchObject({ paused: true, note: RECONNECT_NOTE });
    await schedules.ensure(connection);
    expect((await handle().describe()).state.paused).toBe(false);
    await handle().pause('maintenance');
    await schedules.ensure(connection);
    await schedules.pause(connection.id);
    expect((await handle().describe()).state).toMatchObject({ paused: true, note: 'maintenance' });
    await handle().unpause();
    await expect.poll(() => listed(), { timeout: 20_000 }).toMatchObject({ isCurrent: false });
  });
});

describe('list', () => {
  it('lists the Schedules of connections, and no others', async () => {
    await ensureSchedules(temporal.client, { sweepIntervalSeconds: 60 });
    await schedules.ensure(connection);
    await expect
      .poll(() => listed(), { timeout: 20_000 })
      .toEqual({
        connectionId: connection.id,
        isPaused: false,
        note: expect.stringMatching(/^Kept by reconcile, version \d+\.$/),
        isCurrent: true,
        intervalMs: 300_000,
      });
    const ids = (await schedules.list()).map(({ connectionId }) => connectionId);
    expect(ids.filter((id) => !ConnectionId.safeParse(id).success)).toEqual([]);
    await schedules.pause(connection.id);
    await expect
      .poll(() => listed(), { timeout: 20_000 })
      .toMatchObject({
        isPaused: true,
        note: RECONNECT_NOTE,
      });
  });
});

describe('remove', () => {
  it('removes the Schedule, and does nothing the second time', async () => {
    await schedules.ensure(connection);
    await schedules.remove(connection.id);
    await expect(handle().describe()).rejects.toThrow();
    await schedules.remove(connection.id);
    await schedules.pause(connection.id);
  });
});
