import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { RedemptionId, TenantId } from '../../domain/ids.ts';
import { reconciledRedemptionsStart, redemptionsStart } from '../../workflows/redemption-starts.ts';
import { TENANT_IDS } from '../../workflows/search-attributes.ts';

const ID = '7c7cf5ac-9d0b-4f0d-8f51-7f5b6f0c9d01';
const TENANT = 'a1f4c1d2-3b4e-4a5b-9c6d-0e1f2a3b4c5d';
const tenantId = TenantId.parse(TENANT);

it.each([
  {
    what: 'redemptions',
    start: () =>
      redemptionsStart([
        { id: RedemptionId.parse(ID), tenantId },
        { id: RedemptionId.parse(TENANT), tenantId },
      ]),
    expected: {
      workflowType: 'followRedemptions',
      workflowId: `redemption/${ID}`,
      args: [[ID, TENANT]],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      priority: { priorityKey: 1 },
      workflowExecutionTimeout: '2 days',
      staticSummary: 'Redemption, 2 codes: mailed, and expired if unused',
    },
  },
  {
    what: 'redemptions by reconcile',
    start: () =>
      reconciledRedemptionsStart([{ id: RedemptionId.parse(ID), tenantId }], {
        runId: 'run',
        nth: 3,
      }),
    expected: {
      workflowType: 'followRedemptions',
      workflowId: 'redemption/reconcile/run/3',
      args: [[ID]],
      priority: { priorityKey: 1 },
      workflowExecutionTimeout: '2 days',
      staticSummary: 'Redemption, 1 code: mailed, and expired if unused; found by reconcile',
    },
  },
])('$what: names its run, its policies and its tenants', ({ start, expected }) => {
  const typedSearchAttributes = [{ key: TENANT_IDS, value: [TENANT] }];
  expect(start()).toEqual({ ...expected, typedSearchAttributes });
});

it('names another run for each time that a mail is sent again', () => {
  const start = redemptionsStart([{ id: RedemptionId.parse(ID), tenantId, resent: 2 }]);
  expect(start.workflowId).toBe(`redemption/${ID}/again/2`);
});

it('names each tenant of a batch once, and no more than an attribute holds', () => {
  const issued = Array.from({ length: 60 }, () => {
    return { id: RedemptionId.parse(randomUUID()), tenantId: TenantId.parse(randomUUID()) };
  });
  const { args, typedSearchAttributes } = redemptionsStart([...issued, ...issued]);
  expect(args[0]).toHaveLength(120);
  const named = issued.slice(0, 40).map((each) => each.tenantId);
  expect(typedSearchAttributes).toEqual([{ key: TENANT_IDS, value: named }]);
});
