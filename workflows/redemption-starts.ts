import type { RedemptionId, TenantId } from '../domain/ids.ts';
import { reconciledRedemptionWorkflowId, redemptionWorkflowId } from './ids.ts';
import { tenantsAttributes } from './search-attributes.ts';
import { TIMEOUTS, URGENT } from './start-policies.ts';
import type { RunStart } from './starts.ts';

// How the runs that follow redemptions are started.

/** `resent`: how often its mail was sent again, if this is for another time. */
type IssuedRedemption = { id: RedemptionId; tenantId: TenantId; resent?: number };

/**
 * Describes the run that follows redemptions just issued; it can be started again only if it
 * failed.
 */
export function redemptionsStart(
  redemptions: readonly IssuedRedemption[],
): RunStart<'followRedemptions'> {
  const [first] = redemptions;
  return {
    ...redemptionBatchStart(redemptions),
    workflowId: redemptionWorkflowId(first?.id ?? '', first?.resent),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  };
}

/** Describes the run that follows redemptions which no run follows, as reconcile's nth child. */
export function reconciledRedemptionsStart(
  redemptions: readonly IssuedRedemption[],
  reconcile: { runId: string; nth: number },
): RunStart<'followRedemptions'> {
  const start = redemptionBatchStart(redemptions);
  return {
    ...start,
    workflowId: reconciledRedemptionWorkflowId(reconcile.runId, reconcile.nth),
    staticSummary: `${start.staticSummary}; found by reconcile`,
  };
}

function redemptionBatchStart(redemptions: readonly IssuedRedemption[]) {
  const codes = redemptions.length === 1 ? '1 code' : `${redemptions.length} codes`;
  const tenantIds = [...new Set(redemptions.map(({ tenantId }) => tenantId))];
  return {
    workflowType: 'followRedemptions',
    args: [redemptions.map(({ id }) => id)],
    workflowExecutionTimeout: TIMEOUTS.redemption,
    priority: URGENT,
    staticSummary: `Redemption, ${codes}: mailed, and expired if unused`,
    typedSearchAttributes: tenantsAttributes(tenantIds),
  } satisfies Omit<RunStart<'followRedemptions'>, 'workflowId'>;
}
