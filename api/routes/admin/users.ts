import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import type { Tx } from '../../../db/connection.ts';
import * as tenants from '../../../db/tenants/tenants.ts';
import * as userAdmin from '../../../db/users/admin.ts';
import { requireNotErased } from '../../../db/users/members.ts';
import * as memberships from '../../../db/users/memberships.ts';
import * as operations from '../../../db/users/operations.ts';
import { Reason } from '../../../domain/adjustment.ts';
import { Application } from '../../../domain/application.ts';
import { Refusal } from '../../../domain/errors.ts';
import { TenantId, UserId } from '../../../domain/ids.ts';
import { ROLES, type Role, USER_STATUSES, type UserStatus } from '../../../domain/roles.ts';
import { actingBy } from '../../http/access/acting.ts';
import { ABOUT_CSV, csvAnswer, csvParameters } from '../../http/replies/table-answer.ts';
import { searchParameter } from '../../http/requests/filters.ts';
import { route } from '../../http/route.ts';
import { personColumns } from '../../resources/table-columns.ts';
import { applicationExample } from '../auth.ts';

const MAX_SEARCH_LENGTH = 320;

export const FoundUserSchema = z
  .object({
    userId: UserId,
    name: z.string().nullable().describe('As the identity provider says.'),
    email: z.string().nullable(),
    emailVerified: z.boolean().describe('Whether the identity provider vouches for it.'),
    phone: z.string().nullable(),
    phoneVerified: z.boolean().describe('Whether the identity provider vouches for it.'),
    role: z.enum(ROLES),
    status: z.enum(USER_STATUSES),
    tenantIds: z.array(TenantId),
    shop: z
      .object({ tenantId: TenantId, name: z.string(), country: z.string().nullable() })
      .nullable()
      .describe('The tenant for which a client or operator has worked for longest.'),
    application: Application.nullable().describe(
      'What somebody says of their shop who asks to become a merchant, until that is decided.',
    ),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'FoundUser' });

export const foundUserExample: z.input<typeof FoundUserSchema> = {
  userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
  name: 'Mary Somerville',
  email: 'merchant@example.com',
  emailVerified: true,
  phone: null,
  phoneVerified: false,
  role: 'client',
  status: 'pending_approval',
  tenantIds: [],
  shop: null,
  application: applicationExample,
  createdAt: '2026-01-15T10:00:00.000Z',
};

export const UserStandingSchema = z
  .object({
    userId: UserId,
    role: z.enum(ROLES),
    status: z.enum(USER_STATUSES),
    tenantId: TenantId.optional().describe("The client's workspace, if there is one."),
  })
  .meta({ id: 'UserStanding' });

export const WithReason = z.object({
  reason: Reason.optional().describe('Why; kept in the audit log.'),
});

const { userId } = foundUserExample;
const tenantId = '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42';

export const searchUsers = route({
  method: 'GET',
  path: '/admin/users/search',
  access: 'ADMIN_USER_SEARCH',
  csv: true,
  tag: 'Admin',
  summary: 'Search users by part of their e-mail or phone',
  description:
    'Case is ignored. Without `q`, lists users who wait for approval, the longest waiting first. ' +
    'Returns at most 50 users, those who wait for approval first. A text without three letters ' +
    `or digits in a row is only looked for among the newest ten thousand users. ${ABOUT_CSV}`,
  query: z.object({
    q: searchParameter(MAX_SEARCH_LENGTH).describe('Part of an e-mail or a phone number.'),
    ...csvParameters,
  }),
  response: z.array(FoundUserSchema),
  examples: { response: [foundUserExample] },

  async handle({ query, db, wantsCsv, language, tenant, now }) {
    const found = await userAdmin.search(db, query.q);
    if (wantsCsv) {
      return csvAnswer<userAdmin.FoundUser>(
        { ...query, language, tenant, now },
        {
          name: 'people',
          columns: personColumns,
          row: FoundUserSchema,
          read: async (_, last) => (last === undefined ? found : []),
          show: foundUserOf,
        },
      );
    }
    return found.map(foundUserOf);
  },
});

/** Returns a user as administrators see it in a search. */
export function foundUserOf({ id, createdAt, ...user }: userAdmin.FoundUser) {
  return { ...user, userId: id, createdAt: createdAt.toISOString() };
}

export const approveUser = route({
  method: 'PATCH',
  path: '/admin/users/:userId/approve',
  access: 'ADMIN_USER_MANAGE',
  idempotent: true,
  tag: 'Admin',
  summary: 'Approve a pending user',
  description:
    'A client without a workspace gets one, named as their application says, and is told by ' +
    'mail. The application is kept no longer. An active user is left unchanged; a suspended user ' +
    'is refused.',
  refusals: ['NOT_FOUND', 'FORBIDDEN'],
  body: WithReason,
  response: UserStandingSchema,
  examples: {
    body: { reason: 'The papers are in order.' },
    response: { userId, role: 'client', status: 'active', tenantId },
  },

  async handle({ tx, params, body, ...request }) {
    const target = await userAdmin.lock(tx, params.userId);
    if (target.status === 'suspended') {
      throw new Refusal(
        'FORBIDDEN',
        'This account is suspended. Ask support to reinstate it.',
        'suspended',
      );
    }
    if (target.status === 'active') return standingOf(target);

    const isClient = target.role === 'client';
    const owner = { ...target, shopName: target.application?.shopName };
    const tenantId = isClient ? (await tenants.provision(tx, owner)).tenantId : null;
    await changeUser(tx, target, {
      role: target.role,
      status: 'active',
      tenantId,
      audit: { ...actingBy(request), action: 'user.approve', reason: body.reason ?? null },
    });
    return standingOf(await userAdmin.lock(tx, target.id));
  },
});

export const setUserRole = route({
  method: 'PATCH',
  path: '/admin/users/:userId/role',
  access: 'ADMIN_USER_MANAGE',
  idempotent: true,
  tag: 'Admin',
  summary: "Set a user's role",
  description:
    'A user who becomes a client then waits for approval, a suspended one too. Every other role ' +
    'leaves the status unchanged. An operator who gets another role works at no shop any more. ' +
    'The last active administrator stays one.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ['last_admin', 'erased'],
  body: WithReason.extend({ role: z.enum(ROLES) }),
  response: UserStandingSchema,
  examples: {
    body: { role: 'client' },
    response: { userId, role: 'client', status: 'pending_approval' },
  },

  async handle({ tx, params, body: { role, reason = null }, afterCommit, ...request }) {
    const target = await userAdmin.lock(tx, params.userId);
    await requireNotErased(tx, target.id);
    if (role !== 'admin' && operations.isActiveAdmin(target)) {
      const { adminEmailDomain } = request.settings;
      await operations.requireAnotherAdmin(tx, [target.id], adminEmailDomain);
    }
    const status = role === 'client' ? 'pending_approval' : target.status;
    const by = actingBy(request);
    const isReinstated = target.status === 'suspended' && status !== 'suspended';
    const cancelled = isReinstated ? await operations.cancelCodes(tx, [target.id]) : undefined;
    if (role !== 'pos_operator') await memberships.endAll(tx, target.id, { role, by });
    await changeUser(tx, target, {
      role,
      status,
      tenantId: null,
      ...(cancelled && { cancelledCodes: cancelled(target.id) }),
      audit: { ...by, action: 'user.role', reason },
    });
    afterCommit(() => request.announce({ accessOf: [target.id] }));
    return standingOf(await userAdmin.lock(tx, target.id));
  },
});

type Change = {
  role: Role;
  status: UserStatus;
  /** The workspace that the user was given. */
  tenantId: TenantId | null;
  /** How many open codes were cancelled, if it ended a suspension. */
  cancelledCodes?: number;
  audit: auditLog.Acting & Pick<auditLog.NewAuditEntry, 'action' | 'reason'>;
};

async function changeUser(
  tx: Tx,
  target: userAdmin.FoundUser,
  { role, status, tenantId, audit, ...codes }: Change,
): Promise<void> {
  await userAdmin.update(tx, target.id, { role, status });
  await auditLog.insert(tx, {
    ...audit,
    targetType: 'user',
    targetId: target.id,
    tenantId,
    before: { role: target.role, status: target.status },
    after: { role, status, ...codes },
  });
}

function standingOf({ id, role, status, tenantIds }: userAdmin.FoundUser) {
  const tenantId = role === 'client' ? tenantIds[0] : undefined;
  return { userId: id, role, status, ...(tenantId !== undefined && { tenantId }) };
}
