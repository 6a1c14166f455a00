import type { TenantId } from '../domain/ids.ts';
import { deliveryWorkflowId } from './ids.ts';
import { eventsWait } from './messages.ts';
import { tenantAttributes } from './search-attributes.ts';
import { TIMEOUTS } from './start-policies.ts';
import { clientStart, type RunStart } from './starts.ts';

/** Describes the run that delivers a tenant's events; one at a time, as often as there are any. */
export function deliveryStart(tenantId: TenantId): RunStart<'deliverEvents'> {
  return {
    workflowType: 'deliverEvents',
    workflowId: deliveryWorkflowId(tenantId),
    args: [tenantId],
    workflowExecutionTimeout: TIMEOUTS.delivery,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    priority: { fairnessKey: tenantId },
    staticSummary: "Delivery: sends the tenant's events to its endpoints",
    typedSearchAttributes: tenantAttributes(tenantId),
  };
}

/** What tells that run that there are more events, and starts it if need be. */
export function deliveryWake(tenantId: TenantId, correlationIds: readonly string[]) {
  return { ...clientStart(deliveryStart(tenantId), correlationIds), signal: eventsWait };
}
