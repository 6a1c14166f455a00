import { z } from 'zod';
import { one } from '../../../db/one.ts';
import * as tenantStatus from '../../../db/tenants/status.ts';
import * as operations from '../../../db/users/operations.ts';
import { Refusal } from '../../../domain/errors.ts';
import { TenantId } from '../../../domain/ids.ts';
import { type ActingRequest, actingBy } from '../../http/access/acting.ts';
import type { Deps } from '../../http/deps.ts';
import { route } from '../../http/route.ts';
import { ShopStatus } from '../../resources/tenant-overview.ts';
import { foundUserExample, UserStandingSchema, WithReason } from './users.ts';

const { userId } = foundUserExample;

export const suspendUser = route({
  method: 'POST',
  path: '/admin/users/:userId/suspend',
  access: 'ADMIN_USER_MANAGE',
  tag: 'Admin',
  summary: 'Suspend a user',
  description:
    'Every request of theirs is refused from now on, and their open codes are cancelled: the ' +
    "points return. A suspended user stays suspended. One's own account is refused, and so is " +
    'the last active administrator.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ['own_account', 'last_admin'],
  body: WithReason,
  response: UserStandingSchema.omit({ tenantId: true }),
  examples: {
    body: { reason: 'The device was stolen.' },
    response: { userId, role: 'consumer', status: 'suspended' },
  },

  async handle({ db, params, body, settings, metrics, ...request }) {
    if (params.userId === request.user.id) {
      throw new Refusal(
        'FORBIDDEN',
        'This is your own account. Ask another administrator to suspend it.',
        'own_account',
      );
    }
    const act = { ...actOf(request, body), adminEmailDomain: () => settings.adminEmailDomain };
    return changedBy(operations.suspend(db, { id: params.userId }, act), metrics);
  },
});

export const reinstateUser = route({
  method: 'POST',
  path: '/admin/users/:userId/reinstate',
  access: 'ADMIN_USER_MANAGE',
  tag: 'Admin',
  summary: 'Lift the suspension of a user',
  description:
    'The user has the status from before again, but no code of before. Any other user is left ' +
    'unchanged.',
  refusals: ['NOT_FOUND', 'FORBIDDEN'],
  issues: ['erased'],
  body: WithReason,
  response: UserStandingSchema.omit({ tenantId: true }),
  examples: {
    body: { reason: 'The device was found.' },
    response: { userId, role: 'consumer', status: 'active' },
  },

  handle: ({ db, params, body, metrics, ...request }) =>
    changedBy(operations.reinstate(db, { id: params.userId }, actOf(request, body)), metrics),
});

function actOf(request: ActingRequest, body: { reason?: string | undefined }): operations.Act {
  return { acting: actingBy(request), reason: body.reason ?? null };
}

async function changedBy(
  changing: Promise<operations.ChangedUser[]>,
  metrics: Pick<Deps['metrics'], 'codesExpired'>,
) {
  const { id, role, status, cancelledCodes } = one(await changing, 'user');
  metrics.codesExpired(cancelledCodes, 'returned');
  return { userId: id, role, status };
}

const ShopStanding = z
  .object({ tenantId: TenantId, status: ShopStatus })
  .meta({ id: 'ShopStanding' });

const tenantId = '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42';

export const suspendTenant = route({
  method: 'POST',
  path: '/admin/tenants/:tenantId/suspend',
  access: 'ADMIN_USER_MANAGE',
  tag: 'Admin',
  summary: 'Suspend a shop',
  description:
    'Nobody earns or redeems points there from now on, its tills use no code, and its systems ' +
    'are told nothing. Open codes run out, and their points return. Refunds go on, and rules can ' +
    'be published. A suspended shop stays suspended.',
  body: WithReason,
  response: ShopStanding,
  examples: {
    body: { reason: 'The account was taken over.' },
    response: { tenantId, status: 'suspended' },
  },

  async handle({ db, tenant, body, ...request }) {
    await tenantStatus.suspend(db, tenant.id, actOf(request, body));
    return { tenantId: tenant.id, status: 'suspended' };
  },
});

export const reinstateTenant = route({
  method: 'POST',
  path: '/admin/tenants/:tenantId/reinstate',
  access: 'ADMIN_USER_MANAGE',
  tag: 'Admin',
  summary: 'Lift the suspension of a shop',
  description:
    'What was sold meanwhile is decided again within minutes, oldest first, by the rule in ' +
    'effect then, less what was refunded. A shop that was closed is refused; any other is left ' +
    'unchanged.',
  refusals: ['RULE_REJECTED'],
  body: WithReason,
  response: ShopStanding,
  examples: {
    body: { reason: 'The owner has the account back.' },
    response: { tenantId, status: 'active' },
  },

  async handle({ db, tenant, body, ...request }) {
    await tenantStatus.reinstate(db, tenant.id, actOf(request, body));
    return { tenantId: tenant.id, status: 'active' };
  },
});
