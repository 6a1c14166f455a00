import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import { createPollingActivities } from '../../../activities/polling/index.ts';
import { updatePollSchedule } from '../../../activities/polling/poll-schedules.ts';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import { ConnectionId } from '../../../domain/ids.ts';
import { RECONNECT_NOTE } from '../../../domain/poll-schedules.ts';
import type { AlphaSimulator } from '../../../sandbox/providers/alpha/simulator.ts';
import { createPollSchedules } from '../../../worker/poll-schedules.ts';
import { pollScheduleId } from '../../../workflows/ids.ts';
import { useDatabase, useTemporal } from '../../support/fixtures.ts';
import {
  aPolledShop,
  buyersPoints,
  type PolledShop,
  pollingDeps,
  startPolledAlpha,
  storeValidToken,
} from '../../support/providers/polled-shop.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const PATIENT = { timeout: 20_000 };
let alpha: AlphaSimulator;
let shop: PolledShop;
const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
const pollSchedules = createPollSchedules(temporal.client, () => ({ base: 300, backup: 3600 }));
beforeEach(async () => {
  alpha = await startPolledAlpha();
  shop = await aPolledShop(db, alpha);
});
afterEach(async () => {
  await db('pos_connections').update({ status: 'disconnected', needsReconnectSince: null });
  await repair();
  await alpha.stop();
});

const activities = () => createPollingActivities(activityDeps(db, { pollSchedules }));
const repair = (schedules = pollSchedules) => {
  const deps = activityDeps(db, { pollSchedules: schedules });
  return doWork(deps, updatePollSchedule(deps));
};
const change = (values: object) =>
  db('pos_connections').where({ id: shop.connectionId }).update(values);
const describeSchedule = (id: ConnectionId = shop.connectionId) =>
  temporal.client.schedule.getHandle(pollScheduleId(id)).describe();
const listedIds = async () => (await pollSchedules.list()).map(({ connectionId }) => connectionId);

describe('pollPayments', () => {
  it('heartbeats after each page, and a retry continues with the remaining pages', async () => {
    const { merchantId, buyer } = shop;
    for (let n = 0; n < 250; n++) {
      alpha.ring({ merchantId, amount: 1, buyerEmail: buyer.email, capture: 'at-once' });
    }
    await storeValidToken(db, alpha, shop);
    const { pollPayments } = createPollingActivities({
      ...pollingDeps(db, alpha.url),
      pollSchedules,
    });
    const lastHeartbeat = { payments: 2300, news: 40, pages: 23, errors: 0 };
    const attempt = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: lastHeartbeat });
    const beats: unknown[] = [];
    attempt.on('heartbeat', (details) => beats.push(details));
    const done = { payments: 0, news: 0, pages: 0, errors: 0 };
    expect(await attempt.run(pollPayments, shop.connectionId, done)).toMatchObject({
      status: 'capped',
      payments: 2500,
      news: 240,
      pages: 25,
    });
    expect(beats).toMatchObject([{ pages: 24 }, { pages: 25 }]);
    expect(await buyersPoints(db, shop)).toBe(200);
  });

  it('ignores a heartbeat that it cannot read, and continues from what the run did', async () => {
    await storeValidToken(db, alpha, shop);
    const { pollPayments } = createPollingActivities({
      ...pollingDeps(db, alpha.url),
      pollSchedules,
    });
    const attempt = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: { pages: 'one' } });
    const done = { payments: 7, news: 2, pages: 3, errors: 1 };
    expect(await attempt.run(pollPayments, shop.connectionId, done)).toMatchObject({
      status: 'done',
      payments: 7,
      news: 2,
      pages: 4,
      errors: 1,
    });
  });
});

describe('startPolling', () => {
  it('creates the Schedule and triggers a run, again for each call', async () => {
    for (const runs of [1, 2]) {
      await activities().startPolling(shop.connectionId);
      const taken = async () => (await describeSchedule()).info;
      await expect.poll(taken, PATIENT).toMatchObject({ recentActions: { length: runs } });
      const { recentActions } = await taken();
      const { workflowId = '' } = recentActions.at(-1)?.action.workflow ?? {};
      await temporal.client.workflow.getHandle(workflowId).terminate();
    }
  });

  it('creates no Schedule when the connection is not active', async () => {
    await change({ status: 'disconnected' });
    await activities().startPolling(shop.connectionId);
    await expect(describeSchedule()).rejects.toThrow();
  });
});

describe('updatePollSchedule', () => {
  it('creates the Schedules of connected merchants and removes those of others, once', async () => {
    const gone = shop.connectionId;
    await repair();
    await change({ status: 'disconnected' });
    const { connectionId: missing } = await aPolledShop(db, alpha);
    await expect.poll(listedIds, PATIENT).toContain(gone);

    expect(await repair()).toBeGreaterThanOrEqual(2);
    expect((await describeSchedule(missing)).state.paused).toBe(false);
    await expect(describeSchedule(gone)).rejects.toThrow();
    await expect.poll(listedIds, PATIENT).toEqual([missing]);
    expect(await repair()).toBe(0);
  });

  it('a Schedule that cannot be repaired holds up no other, and is tried again later', async () => {
    await change({ status: 'disconnected' });
    const made: string[] = [];
    const [bad, good] = [await aPolledShop(db, alpha), await aPolledShop(db, alpha)];
    const half = {
      ...pollSchedules,
      async ensure({ id }: { id: ConnectionId }) {
        if (id === bad.connectionId) throw new Error('It is refused.');
        made.push(id);
      },
    };
    await repair(half);
    expect(made).toEqual([good.connectionId]);
    // It is due again in a minute.
    expect(await repair(half)).toBe(0);
    expect(await db('due_work').where({ kind: 'update_poll_schedule' })).toMatchObject([
      { subjectId: bad.connectionId, attempts: 1 },
    ]);
  });

  it('pauses the Schedule while the merchant has to connect again, then resumes it', async () => {
    await repair();
    await change({ needsReconnectSince: new Date() });
    await repair();
    expect((await describeSchedule()).state).toMatchObject({ paused: true, note: RECONNECT_NOTE });

    await change({ needsReconnectSince: null });
    await repair();
    expect((await describeSchedule()).state.paused).toBe(false);
  });

  it('changes the interval once webhooks cover the connection, and back at trouble', async () => {
    const everyMs = async () => (await describeSchedule()).spec.intervals?.[0]?.every;
    const endedWith = async (coveredPolls: number) => {
      const lease = { connectionId: shop.connectionId, holder: crypto.randomUUID() };
      await pollLeases.takeLease(db, lease, 'run');
      await pollLeases.releaseLease(db, lease, { error: null, isComplete: true, coveredPolls });
      return repair();
    };
    await repair();
    expect(await everyMs()).toBe(300_000);
    expect(await endedWith(3)).toBe(1);
    expect(await everyMs()).toBe(3_600_000);
    expect(await endedWith(0)).toBe(1);
    expect(await everyMs()).toBe(300_000);
  });
});

describe('comparePollSchedules', () => {
  it('makes due what no change has told: one deleted by hand, and one of nobody', async () => {
    await repair();
    const orphan = ConnectionId.parse(crypto.randomUUID());
    const { tenantId } = shop;
    await pollSchedules.ensure({
      id: orphan,
      tenantId,
      provider: 'alpha',
      coveredPolls: 0,
    });
    await pollSchedules.remove(shop.connectionId);
    await expect.poll(listedIds, PATIENT).toEqual([orphan]);
    expect(await activities().comparePollSchedules()).toBe(2);
    expect(await repair()).toBe(2);
    await expect.poll(listedIds, PATIENT).toEqual([shop.connectionId]);
    expect(await activities().comparePollSchedules()).toBe(0);
  });
});
