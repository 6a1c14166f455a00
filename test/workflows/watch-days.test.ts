import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Activities, type ComparedDay, createActivities } from '../../activities/index.ts';
import * as truthDays from '../../db/connections/truth-days.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import { dayBefore, dayTextOf } from '../../domain/intervals.ts';
import { ensureSchedule } from '../../worker/schedules.ts';
import { TASK_QUEUE, truthWorkflowId } from '../../workflows/ids.ts';
import { gapsStart, repairWake, watchDaysStart } from '../../workflows/truth-start.ts';
import { required } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { useSilentShop } from '../support/providers/silent-shop.ts';
import { expectDocumentedActions } from './actions.ts';

const { db } = await useDatabase();
const silent = useSilentShop(db);
const temporal = await useTemporal();
const { workflow } = temporal.client;

async function run(start: ReturnType<typeof watchDaysStart | typeof gapsStart>): Promise<unknown> {
  const { workflowType, ...options } = start;
  return workflow.execute(workflowType, { ...options, taskQueue: TASK_QUEUE });
}

async function stored(day: string) {
  const [found] = await truthDays.listDays(db, silent.shop.connectionIds.beta, {
    from: day,
    to: day,
  });
  return found;
}

it('compares each day that has ended, and brings in what somebody asks for', async () => {
  const { tenantId, connectionIds, merchantIds } = silent.shop;
  silent.sell('beta', 500);
  const { day } = silent;
  // Each account is compared from that day on.
  await db('account_tenures')
    .whereIn('merchantId', Object.values(merchantIds))
    .update({ earnsFrom: new Date(`${day}T00:00:00Z`) });
  const of = { connectionId: connectionIds.beta, tenantId, day };
  const handle = workflow.getHandle(truthWorkflowId(of.connectionId, day));
  await temporal.withWorker(silent.deps(), async () => {
    await run(watchDaysStart());
    // Before half past four it is not yet due.
    if (new Date().getUTCHours() >= 5) {
      await handle.result();
      expect((await handle.describe()).memo).toMatchObject({
        summary: 'differs: 1 missing, 0 changed, 0 unknown, 0 repaired',
      });
      const history = await temporal.history(handle.workflowId, 'compare-day');
      expectDocumentedActions('the comparison of a day of a connection', history);
      expect(await run(watchDaysStart())).toEqual({ started: 0 });
    }
    const { workflowType, ...wake } = repairWake(of, []);
    await workflow.signalWithStart(workflowType, wake);
    await handle.result();
  });
  expect(await stored(day)).toMatchObject({ status: 'repaired', missing: 1, repaired: 1 });
  expect(await silent.balance()).toBe(500);
});

it('brings in what is asked for while a comparison is under way', async () => {
  const { tenantId, connectionIds } = silent.shop;
  silent.sell('beta', 500);
  const { day } = silent;
  const { workflowType, ...wake } = repairWake(
    { connectionId: connectionIds.beta, tenantId, day },
    [],
  );
  const { signal, ...start } = wake;
  const handle = await workflow.start(workflowType, start);
  await handle.signal(signal);
  await temporal.withWorker(silent.deps(), () => handle.result());
  expect(await silent.balance()).toBe(500);
});

it('goes on, in the next run, where one has started as many as it may', async () => {
  const { tenantId, connectionIds } = silent.shop;
  const { day } = silent;
  const due = { connectionId: connectionIds.beta, tenantId, day };
  const asked: (ConnectionId | null)[] = [];
  let end = () => {};
  const held = new Promise<ComparedDay>((resolve) => {
    end = () => resolve({ status: 'away' });
  });
  const activities: Activities = {
    ...createActivities(silent.deps()),
    compareDay: () => held,
    async listDueDays(after) {
      asked.push(after);
      const isFirst = after === null;
      return isFirst
        ? { due: Array.from({ length: 1_000 }, () => due), next: connectionIds.alpha }
        : { due: [], next: null };
    },
  };
  const scheduleId = `truth/${randomUUID()}`;
  const schedule = temporal.client.schedule.getHandle(scheduleId);
  await temporal.withActivities(activities, async () => {
    await ensureSchedule(temporal.client, {
      scheduleId,
      spec: { intervals: [{ every: '1 day' }] },
      policies: { overlap: 'SKIP', catchupWindow: '1 minute' },
      run: watchDaysStart(),
    });
    const results: unknown[] = [];
    for (const nth of [1, 2]) {
      // As its ticks do: the server passes on no result to runs that may be beside others.
      await schedule.trigger('SKIP');
      const actions = async () => (await schedule.describe()).info.recentActions;
      await expect.poll(actions, { timeout: 20_000 }).toHaveLength(nth);
      const { workflowId } = required((await actions()).at(-1)).action.workflow;
      results.push(await workflow.getHandle(workflowId).result());
    }
    end();
    expect(results).toEqual([{ started: 1, next: connectionIds.alpha }, { started: 0 }]);
    await workflow.getHandle(truthWorkflowId(due.connectionId, day)).result();
    await schedule.delete();
  });
  expect(asked).toEqual([null, connectionIds.alpha]);
}, 60_000);

it('asks about silent accounts, and costs as many actions as is said', async () => {
  await temporal.withWorker(silent.deps(), () => run(gapsStart()));
  const history = await temporal.history(gapsStart().workflowId, 'check-gaps');
  expectDocumentedActions('the look for accounts that are silent, with its Schedule', history);
});

it('costs as many actions as is said while no day has ended', async () => {
  await db('posConnections').update({ status: 'disconnected' });
  await temporal.withWorker(silent.deps(), async () => {
    expect(await run(watchDaysStart())).toEqual({ started: 0 });
  });
  const history = await temporal.history(watchDaysStart().workflowId, 'watch-days');
  expectDocumentedActions('the look for days that have ended, with its Schedule', history);
  expect(dayBefore(dayTextOf(new Date(), 'UTC'), 1)).toBe(silent.day);
});
