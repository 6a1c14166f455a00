import type { RehearsalId, TenantId } from '../domain/ids.ts';
import { rehearsalWorkflowId } from './ids.ts';
import { tenantAttributes } from './search-attributes.ts';
import { BACKGROUND, TIMEOUTS } from './start-policies.ts';
import type { RunStart } from './starts.ts';

/** Describes the run of a rehearsal; it can be started again, since it then finds it ended. */
export function rehearsalStart({
  id,
  tenantId,
}: {
  id: RehearsalId;
  tenantId: TenantId;
}): RunStart<'rehearseRule'> {
  return {
    workflowType: 'rehearseRule',
    workflowId: rehearsalWorkflowId(id),
    args: [id],
    workflowExecutionTimeout: TIMEOUTS.rehearsal,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    priority: { ...BACKGROUND, fairnessKey: tenantId },
    staticSummary: 'Rehearsal: tries a rule over sales of the past',
    typedSearchAttributes: tenantAttributes(tenantId),
  };
}
