import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, expect, it } from 'vitest';
import { healingStart } from '../../workflows/healing-start.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import {
  hasEvents,
  onStage,
  replays,
  starting,
  unending,
} from '../support/temporal/staged-runs.ts';
import { countActions } from './actions.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();

const LATER = { timeout: 60_000, interval: 200 };
const STARTED = 'CHILD_WORKFLOW_EXECUTION_STARTED';
const countOf = (event: string, history: string) =>
  history.split(`EVENT_TYPE_${event}"`).length - 1;

describe('keepHealing', () => {
  it('starts a run again and again, which costs as much as a Schedule would', async () => {
    const run = starting(healingStart('reconcile', 1));
    const history = await onStage(
      { temporal, db },
      { ...run, activities: { listDueRepairs: async () => [] } },
      async () => {
        await hasEvents(temporal, run.workflowId, [STARTED, STARTED, STARTED, 'TIMER_FIRED']);
        return temporal.history(run.workflowId, 'keep-healing.ticks');
      },
    );
    const events = historyFromJSON(JSON.parse(history)).events ?? [];
    const [timers, children] = [countOf('TIMER_STARTED', history), countOf(STARTED, history)];
    expect(countActions(events)).toBe(1 + timers + children);
    expect(children - timers).toBeLessThanOrEqual(1);
  });

  it('goes on by the current release after twenty', async () => {
    const run = starting(healingStart('sweep', 0.1));
    const stage = { ...run, activities: { beginSweep: unending } };
    const parts = await onStage({ temporal, db }, stage, async () => {
      const handle = temporal.client.workflow.getHandle(run.workflowId);
      const { runId } = await handle.describe();
      await expect.poll(async () => (await handle.describe()).runId, LATER).not.toBe(runId);
      await hasEvents(temporal, run.workflowId, ['TIMER_STARTED']);
      return [
        await temporal.history(run.workflowId, 'keep-healing.continued', runId),
        await temporal.history(run.workflowId, 'keep-healing.open-continuing'),
      ];
    });
    expect(countOf('TIMER_STARTED', parts[0] ?? '')).toBe(20);
    for (const part of parts) await replays(part);
    await temporal.client.workflow.getHandle('sweep/pending').terminate();
  });

  it('starts none beside one that is open, which outlives it', async () => {
    const run = starting(healingStart('sweep', 1));
    const refused = 'START_CHILD_WORKFLOW_EXECUTION_FAILED';
    const stage = { ...run, activities: { beginSweep: unending } };
    const history = await onStage({ temporal, db }, stage, async () => {
      await hasEvents(temporal, run.workflowId, [STARTED, refused, refused]);
      return temporal.history(run.workflowId, 'keep-healing.refused');
    });
    expect(countOf(STARTED, history)).toBe(1);
    // It was ended by hand.
    const swept = temporal.client.workflow.getHandle('sweep/pending');
    expect((await swept.describe()).status.name).toBe('RUNNING');
    await swept.terminate();
  });
});
