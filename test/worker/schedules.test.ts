import { Client, Connection, ScheduleNotFoundError } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { prepareNamespace } from '../../sandbox/temporal/namespace.ts';
import { ensureSchedules, keepSchedules } from '../../worker/schedules.ts';
import {
  ERASURES_SCHEDULE_ID,
  EXPIRY_SCHEDULE_ID,
  GAPS_SCHEDULE_ID,
  MAINTAIN_SCHEDULE_ID,
  RECONCILE_SCHEDULE_ID,
  STATEMENTS_SCHEDULE_ID,
  SWEEP_SCHEDULE_ID,
  TASK_QUEUE,
  TIERS_SCHEDULE_ID,
  TRUTH_SCHEDULE_ID,
  VERIFY_SCHEDULE_ID,
} from '../../workflows/ids.ts';
import { required } from '../support/factories.ts';

const NAMESPACE = 'schedules-test';
const ALL = [
  ERASURES_SCHEDULE_ID,
  EXPIRY_SCHEDULE_ID,
  GAPS_SCHEDULE_ID,
  MAINTAIN_SCHEDULE_ID,
  RECONCILE_SCHEDULE_ID,
  STATEMENTS_SCHEDULE_ID,
  SWEEP_SCHEDULE_ID,
  TIERS_SCHEDULE_ID,
  TRUTH_SCHEDULE_ID,
  VERIFY_SCHEDULE_ID,
].sort();

let connection: Connection;
let client: Client;
beforeAll(async () => {
  await prepareNamespace(inject('temporalAddress'), NAMESPACE);
  connection = await Connection.connect({ address: inject('temporalAddress') });
  client = new Client({ connection, namespace: NAMESPACE });
});
afterAll(() => connection.close());

const sweep = () => client.schedule.getHandle(SWEEP_SCHEDULE_ID);
const ensure = (sweepIntervalSeconds: number) => ensureSchedules(client, { sweepIntervalSeconds });

afterEach(deleteAll);

/** Deletes by name, since a new Schedule may come into the list only later. */
async function deleteAll(): Promise<void> {
  for (const id of ALL) {
    try {
      await client.schedule.getHandle(id).delete();
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
  }
  await listed([]);
}

const listed = (wanted: readonly string[]) =>
  expect.poll(ids, { timeout: 20_000, interval: 100 }).toEqual(wanted);

async function ids(): Promise<string[]> {
  const found: string[] = [];
  for await (const { scheduleId } of client.schedule.list()) found.push(scheduleId);
  return found.sort();
}

describe('ensureSchedules', () => {
  it('creates what keeps sweeping: one run, looked for at its interval', async () => {
    await ensure(60);
    const { spec, policies, action, state } = await sweep().describe();
    expect(spec.intervals).toMatchObject([{ every: 60_000 }]);
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 60_000 });
    expect(action).toMatchObject({
      type: 'startWorkflow',
      workflowType: 'keepHealing',
      taskQueue: TASK_QUEUE,
      workflowId: 'healing/sweep',
      args: ['sweep', 60],
    });
    expect(state.paused).toBe(false);
  });

  it('updates a Schedule of an earlier version, and leaves it paused if it was', async () => {
    await ensure(60);
    await sweep().pause('maintenance');
    await ensure(30);
    const { spec, policies, state } = await sweep().describe();
    expect(spec.intervals).toMatchObject([{ every: 30_000 }]);
    expect(policies.catchupWindow).toBe(30_000);
    expect(state).toMatchObject({ paused: true, note: 'maintenance' });
  });

  it('leaves a Schedule of a later version as it is', async () => {
    await ensure(60);
    const note = 'Kept by the workers, version 99.';
    await sweep().update(({ state, ...rest }) => ({
      ...rest,
      spec: { intervals: [{ every: '45 seconds' }] },
      state: { ...state, note },
    }));
    await ensure(30);
    const { spec, state } = await sweep().describe();
    expect(spec.intervals).toMatchObject([{ every: 45_000 }]);
    expect(state.note).toBe(note);
  });

  it('ends what an earlier interval has begun', async () => {
    await ensure(60);
    await sweep().trigger();
    const running = async () => (await sweep().describe()).info.recentActions;
    await expect.poll(running, { timeout: 20_000 }).not.toEqual([]);
    const begun = (await running()).at(-1)?.action;
    await ensure(60);
    const handle = client.workflow.getHandle(required(begun).workflow.workflowId);
    const isCancelled = async () =>
      (await handle.fetchHistory()).events?.some(
        ({ workflowExecutionCancelRequestedEventAttributes: cancel }) => cancel != null,
      );
    expect(await isCancelled()).toBe(false);
    await ensure(30);
    await expect.poll(isCancelled).toBe(true);
    await handle.terminate();
  });

  it('creates the verification of the ledger: daily, one run at a time', async () => {
    await ensure(60);
    const verification = await client.schedule.getHandle(VERIFY_SCHEDULE_ID).describe();
    expect(verification.spec.intervals).toMatchObject([{ every: 86_400_000, offset: 10_800_000 }]);
    expect(verification.policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 86_400_000 });
    expect(verification.action).toMatchObject({ workflowType: 'verifyLedger', args: [] });
  });

  it('creates the maintenance: hourly, one run at a time', async () => {
    await ensure(60);
    const maintenance = await client.schedule.getHandle(MAINTAIN_SCHEDULE_ID).describe();
    expect(maintenance.spec.intervals).toMatchObject([{ every: 3_600_000, offset: 1_380_000 }]);
    expect(maintenance.policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 3_600_000 });
    expect(maintenance.action).toMatchObject({ workflowType: 'maintain', args: [] });
  });

  it('creates the signing of statements: hourly, one run at a time', async () => {
    await ensure(60);
    const signing = await client.schedule.getHandle(STATEMENTS_SCHEDULE_ID).describe();
    expect(signing.spec.intervals).toMatchObject([{ every: 3_600_000, offset: 2_460_000 }]);
    expect(signing.policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 3_600_000 });
    expect(signing.action).toMatchObject({ workflowType: 'signStatements', args: [] });
  });

  it('every run that a Schedule starts has an end, however stuck it is', async () => {
    await ensure(60);
    await listed(ALL);
    for (const id of ALL) {
      const { action } = await client.schedule.getHandle(id).describe();
      expect(action.workflowExecutionTimeout, id).toBeGreaterThan(0);
    }
  });

  it('has the same result when five workers start concurrently', async () => {
    await ensure(60);
    await listed(ALL);
    await deleteAll();

    await Promise.all(Array.from({ length: 5 }, () => ensure(60)));
    await listed(ALL);
    expect((await sweep().describe()).spec.intervals).toMatchObject([{ every: 60_000 }]);
  });
});

describe('keepSchedules', () => {
  it('makes a Schedule again that was deleted', async () => {
    await ensure(60);
    const end = new AbortController();
    const log = { warn: (...line: unknown[]) => expect(line).toEqual([]) };
    const keeping = keepSchedules(client, { sweepIntervalSeconds: 60, log }, end.signal, 50);
    await sweep().delete();
    const interval = () =>
      sweep()
        .describe()
        .then(
          ({ spec }) => spec.intervals,
          () => undefined,
        );
    await expect.poll(interval, { timeout: 20_000 }).toMatchObject([{ every: 60_000 }]);
    end.abort();
    await keeping;
  });
});
