import type { TenantMonth } from '../activities/index.ts';
import type { TenantId } from '../domain/ids.ts';
import { EXPIRY_WORKFLOW_ID, expiryWorkflowId, noticesWorkflowId } from './ids.ts';
import { tenantAttributes } from './search-attributes.ts';
import { BACKGROUND, TIMEOUTS } from './start-policies.ts';
import type { RunStart } from './starts.ts';

/** Describes the run that takes a month; it can be started again, since it goes on where it was. */
export function expiryStart({ tenantId, month }: TenantMonth): RunStart<'expirePoints'> {
  return {
    workflowType: 'expirePoints',
    workflowId: expiryWorkflowId(tenantId, month),
    args: [{ tenantId, month }],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: 'Expiry: takes the points that were due by the end of a month',
    ...ofTenant(tenantId),
  };
}

/** Describes the run that mails who will lose points; started again, it mails nobody twice. */
export function noticesStart({ tenantId, month }: TenantMonth): RunStart<'tellExpiry'> {
  return {
    workflowType: 'tellExpiry',
    workflowId: noticesWorkflowId(tenantId, month),
    args: [{ tenantId, month }],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: 'Expiry: tells whose points the end of a month will take',
    ...ofTenant(tenantId),
  };
}

/** Describes the run that finds the months that have ended, and those of which people are told. */
export function watchMonthsStart(): RunStart<'watchMonths'> {
  return {
    workflowType: 'watchMonths',
    workflowId: EXPIRY_WORKFLOW_ID,
    args: [],
    workflowExecutionTimeout: TIMEOUTS.watch,
    priority: BACKGROUND,
    staticSummary: 'Expiry: finds the months that have ended',
  };
}

function ofTenant(tenantId: TenantId) {
  return {
    workflowExecutionTimeout: TIMEOUTS.expiry,
    priority: { ...BACKGROUND, fairnessKey: tenantId },
    typedSearchAttributes: tenantAttributes(tenantId),
  };
}
