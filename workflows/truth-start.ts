import type { DueDay } from '../activities/index.ts';
import { GAPS_WORKFLOW_ID, TRUTH_WORKFLOW_ID, truthWorkflowId } from './ids.ts';
import { bringIn } from './messages.ts';
import { tenantAttributes } from './search-attributes.ts';
import { BACKGROUND, TIMEOUTS } from './start-policies.ts';
import { clientStart, type RunStart } from './starts.ts';

/** Describes the run that compares a day; it can be started again, and then compares again. */
export function truthStart({ connectionId, tenantId, day }: DueDay): RunStart<'compareDay'> {
  return {
    workflowType: 'compareDay',
    workflowId: truthWorkflowId(connectionId, day),
    args: [{ connectionId, day }],
    workflowExecutionTimeout: TIMEOUTS.truth,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    priority: { ...BACKGROUND, fairnessKey: tenantId },
    staticSummary: "Truth: compares a day with the provider's own list",
    typedSearchAttributes: tenantAttributes(tenantId),
  };
}

/** What has a day compared and what is missing brought in, also by the run that is under way. */
export function repairWake(day: DueDay, correlationIds: readonly string[]) {
  return { ...clientStart(truthStart(day), correlationIds), signal: bringIn };
}

/** Describes the run that starts those of the days that have ended. */
export function watchDaysStart(): RunStart<'watchDays'> {
  return {
    workflowType: 'watchDays',
    workflowId: TRUTH_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.watch,
    priority: BACKGROUND,
    staticSummary: 'Truth: finds the days that have ended where shops are',
  };
}

/** Describes the run that asks about accounts that are silent. */
export function gapsStart(): RunStart<'checkGaps'> {
  return {
    workflowType: 'checkGaps',
    workflowId: GAPS_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.truth,
    priority: BACKGROUND,
    staticSummary: 'Gaps: asks providers about accounts that have gone silent',
  };
}
