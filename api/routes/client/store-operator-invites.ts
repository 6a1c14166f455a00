import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import type { Tx } from '../../../db/connection.ts';
import * as invites from '../../../db/users/invites.ts';
import * as users from '../../../db/users/users.ts';
import { InviteId } from '../../../domain/ids.ts';
import {
  INVITE_EMAIL_STATUSES,
  INVITE_STATUSES,
  INVITES_PER_HOUR,
  secondsUntilNextInvite,
} from '../../../domain/invitation.ts';
import { MailAddress } from '../../../domain/mail-address.ts';
import { requireActiveShop } from '../../../domain/tenant-status.ts';
import { type ActingRequest, actingBy } from '../../http/access/acting.ts';
import { HttpRefusal } from '../../http/replies/errors.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';

const InviteEmailStatus = z
  .enum(INVITE_EMAIL_STATUSES)
  .describe('`existing_auth_user` when a user has this e-mail, verified.');

const Invite = z
  .object({
    id: InviteId,
    email: z.string(),
    status: z.enum(INVITE_STATUSES).describe('What became of the invite.'),
    inviteEmailStatus: InviteEmailStatus,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'StoreOperatorInvite' });

const inviteId = 'b0a6d1c4-58e2-4f3b-9c7d-1e2f3a4b5c6d';
const email = 'operator@example.com';

/** Where a page starts: after an invite. */
const Position = z.tuple([z.literal('invite'), InviteId]);

export const inviteStoreOperator = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/store-operator-invites',
  access: 'TENANT_TEAM_INVITE',
  idempotent: true,
  tag: 'Merchant',
  summary: 'Invite a store operator by e-mail',
  description:
    'Somebody without an account accepts with the first sign-in, if the e-mail is verified and ' +
    'the invite the only one. Everybody else finds it in `GET /auth/me`, to accept or decline. ' +
    'It lapses after 30 days. Inviting a person whose invite is pending returns that invite. An ' +
    'address gets one mail from a shop in 24 hours.',
  refusals: ['FORBIDDEN', 'RULE_REJECTED'],
  issues: ['tenant_suspended', 'too_many_invites'],
  body: z.object({ email: MailAddress }),
  response: z.object({
    ok: z.literal(true),
    email: z.string(),
    inviteEmailStatus: InviteEmailStatus,
    inviteId: InviteId,
  }),
  examples: {
    body: { email },
    response: { ok: true, email, inviteEmailStatus: 'sent', inviteId },
  },

  async handle({ tx, afterCommit, tenant, body: { email }, orchestrator, ...request }) {
    requireActiveShop(tenant);
    await invites.lockTenant(tx, tenant.id);
    const open = await invites.findOpen(tx, tenant.id, email);
    if (open !== undefined) return answerOf(open);

    const seconds = secondsUntilNextInvite(await invites.useOf(tx, tenant.id));
    if (seconds > 0) throw tooManyThisHour(seconds);
    const isKnown = await users.isKnown(tx, email);
    const emailStatus = isKnown ? 'existing_auth_user' : 'sent';
    const invitedBy = request.user.id;
    const invite = await invites.create(tx, { tenantId: tenant.id, email, emailStatus, invitedBy });
    await audit(tx, request, {
      action: 'operator.invite',
      targetId: invite.id,
      tenantId: tenant.id,
      before: {},
      after: { status: 'pending' },
    });
    const context = { tenantId: tenant.id, correlationId: request.correlationId };
    afterCommit(() => orchestrator.sendInviteLater(invite.id, context));
    return answerOf(invite);
  },
});

function answerOf({ id, email, emailStatus }: invites.Invite) {
  return { ok: true, email, inviteEmailStatus: emailStatus, inviteId: id } as const;
}

function tooManyThisHour(seconds: number): HttpRefusal {
  return new HttpRefusal(
    'RATE_LIMITED',
    `Limit reached: ${INVITES_PER_HOUR} invites an hour per shop. Try again later.`,
    429,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

export const listStoreOperatorInvites = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/store-operator-invites',
  access: 'TENANT_TEAM_INVITE',
  tag: 'Merchant',
  summary: 'List the pending invites of the tenant, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(Invite),
  examples: {
    response: [
      {
        id: inviteId,
        email,
        status: 'pending',
        inviteEmailStatus: 'sent',
        createdAt: '2026-01-15T10:00:00.000Z',
      },
    ],
  },

  handle({ tenant, query, db }) {
    const after = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => invites.listOpen(db, tenant.id, { limit, after }),
      show: ({ emailStatus, createdAt, ...invite }) => ({
        ...invite,
        inviteEmailStatus: emailStatus,
        createdAt: createdAt.toISOString(),
      }),
      position: ({ id }) => ['invite', id],
    });
  },
});

export const withdrawStoreOperatorInvite = route({
  method: 'DELETE',
  path: '/client/tenants/:tenantId/store-operator-invites/:inviteId',
  access: 'TENANT_TEAM_INVITE',
  tag: 'Merchant',
  summary: 'Withdraw a pending invite',
  description:
    'Withdrawing it again changes nothing. An invite that was decided or has lapsed is not found.',
  response: z.object({
    ok: z.literal(true),
    inviteId: InviteId,
    status: z.literal('withdrawn').describe('It can no longer be accepted.'),
  }),
  examples: { response: { ok: true, inviteId, status: 'withdrawn' } },

  async handle({ tenant, params: { inviteId }, db, ...request }) {
    await db.transaction(async (tx) => {
      const isNew = await invites.withdraw(tx, tenant.id, inviteId);
      if (!isNew) return;
      await audit(tx, request, {
        action: 'operator.withdraw_invite',
        targetId: inviteId,
        tenantId: tenant.id,
        before: { status: 'pending' },
        after: { status: 'withdrawn' },
      });
    });
    return { ok: true, inviteId, status: 'withdrawn' };
  },
});

type Change = Pick<auditLog.NewAuditEntry, 'targetId' | 'tenantId' | 'before' | 'after'> & {
  action: 'operator.invite' | 'operator.withdraw_invite';
};

/** The entry is for ever, and the address is not: it is found by the invite while it is kept. */
async function audit(tx: Tx, request: ActingRequest, change: Change): Promise<void> {
  const acting = actingBy(request);
  await auditLog.insert(tx, { ...acting, ...change, targetType: 'invite', reason: null });
}
