import { healingWorkflowId } from './ids.ts';
import { BACKGROUND, TIMEOUTS } from './start-policies.ts';
import { type RunStart, reconcileStart, sweepStart } from './starts.ts';

/** What runs every minute, whatever else does: it heals what an outage has left. */
export type Healing = 'sweep' | 'reconcile';

/** Describes one run of it. */
export function healingTick(job: Healing): RunStart {
  return job === 'sweep' ? sweepStart() : reconcileStart();
}

/** Describes the run that starts those, which its Schedule only begins again when it is gone. */
export function healingStart(job: Healing, everySeconds: number): RunStart<'keepHealing'> {
  return {
    workflowType: 'keepHealing',
    workflowId: healingWorkflowId(job),
    args: [job, everySeconds],
    workflowExecutionTimeout: TIMEOUTS.healing,
    priority: BACKGROUND,
    staticSummary: `Healing: starts a ${job} every ${everySeconds} seconds`,
  };
}
