import type { TenantDay } from '../activities/index.ts';
import { TIERS_WORKFLOW_ID, tiersWorkflowId } from './ids.ts';
import { tenantAttributes } from './search-attributes.ts';
import { BACKGROUND, TIMEOUTS } from './start-policies.ts';
import type { RunStart } from './starts.ts';

/** Describes the run that decides the tiers for a day; it can be started again. */
export function tiersStart({ tenantId, day }: TenantDay): RunStart<'decideTiers'> {
  return {
    workflowType: 'decideTiers',
    workflowId: tiersWorkflowId(tenantId, day),
    args: [{ tenantId, day }],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowExecutionTimeout: TIMEOUTS.tiers,
    priority: { ...BACKGROUND, fairnessKey: tenantId },
    staticSummary: "Tiers: decides those of a shop's customers for a day",
    typedSearchAttributes: tenantAttributes(tenantId),
  };
}

/** Describes the run that starts those of the nights that are due. */
export function watchNightsStart(): RunStart<'watchNights'> {
  return {
    workflowType: 'watchNights',
    workflowId: TIERS_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.watch,
    priority: BACKGROUND,
    staticSummary: 'Tiers: finds the nights that are due where shops are',
  };
}
