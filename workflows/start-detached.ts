import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { type ChildWorkflowOptions, ParentClosePolicy, startChild } from '@temporalio/workflow';
import type { RunStart } from './starts.ts';

/** Starts a run that outlives this one. Returns false when its id is taken. */
export async function startDetached({
  workflowType,
  ...options
}: RunStart & Pick<ChildWorkflowOptions, 'cancellationType'>): Promise<boolean> {
  try {
    const parentClosePolicy = ParentClosePolicy.ABANDON;
    await startChild(workflowType, { ...options, parentClosePolicy });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
