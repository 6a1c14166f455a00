import { ERASURES_WORKFLOW_ID } from './ids.ts';
import { BACKGROUND, TIMEOUTS } from './start-policies.ts';
import type { RunStart } from './starts.ts';

/** Describes the run that erases the people whose time has come. */
export function erasuresStart(): RunStart<'erasePeople'> {
  return {
    workflowType: 'erasePeople',
    workflowId: ERASURES_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.erasures,
    priority: BACKGROUND,
    staticSummary: 'Erasures: erases the people whose time has come',
  };
}
