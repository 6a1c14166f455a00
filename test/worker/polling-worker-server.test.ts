import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { PollResult } from '../../activities/polling/poll-connection.ts';
import { ConnectionId, TenantId } from '../../domain/ids.ts';
import { followRate } from '../../worker/polling-worker.ts';
import { createPollingWorker, createWorkers } from '../../worker/worker.ts';
import { TASK_QUEUE } from '../../workflows/ids.ts';
import { pollConnection } from '../../workflows/poll-connection.ts';
import { pollStart } from '../../workflows/starts.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const { client, connection, namespace } = await useTemporal();

const DONE: PollResult = {
  status: 'done',
  payments: 0,
  news: 0,
  pages: 1,
  errors: 0,
  retryAfterMs: 0,
};

it('ends the polls of the worker before, while the next one takes what follows', async () => {
  const [held, next] = [ConnectionId.parse(randomUUID()), ConnectionId.parse(randomUUID())];
  const begun: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const activities = {
    ...createActivities(activityDeps(db)),
    async pollPayments(id: ConnectionId) {
      begun.push(id);
      if (id === held) await released;
      return DONE;
    },
  };
  const options = {
    connection,
    namespace,
    activities,
    reporter: { report: () => undefined },
    workflowSlots: 4,
    activitySlots: 4,
    pollers: 2,
    cachedWorkflows: 4,
    graceSeconds: 60,
  };
  const made: number[] = [];
  let rate = 100;
  const polling = followRate({
    create: (perSecond) => {
      made.push(perSecond);
      return createPollingWorker(options, { slots: 1, perSecond });
    },
    wanted: async () => rate,
    initial: rate,
    lookEveryMs: 50,
  });
  const poll = (id: ConnectionId) => {
    const tenantId = TenantId.parse(randomUUID());
    const { args, workflowId } = pollStart({ id, tenantId, provider: 'alpha' });
    return client.workflow.start(pollConnection, { taskQueue: TASK_QUEUE, workflowId, args });
  };
  const work = async () => {
    const first = await poll(held);
    await expect.poll(() => begun, { timeout: 15_000 }).toEqual([held]);
    rate = 10;
    await expect.poll(() => made).toEqual([100, 10]);
    // The only slot of the worker before is taken.
    expect(await (await poll(next)).result()).toEqual(DONE);
    release();
    expect(await first.result()).toEqual(DONE);
    expect(begun).toEqual([held, next]);
  };
  const workers = [...(await createWorkers(options)), polling];
  await workers.reduce<() => Promise<void>>((run, worker) => () => worker.runUntil(run), work)();
}, 90_000);
