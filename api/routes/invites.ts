import { z } from 'zod';
import type { Tx } from '../../db/connection.ts';
import * as decisions from '../../db/users/invite-decisions.ts';
import * as users from '../../db/users/users.ts';
import { TenantId, type UserId } from '../../domain/ids.ts';
import { INVITE_STATUSES } from '../../domain/invitation.ts';
import { ROLES } from '../../domain/roles.ts';
import { actingBy } from '../http/access/acting.ts';
import { route } from '../http/route.ts';
import { inviteAnswerOf, PendingInviteSchema } from '../resources/invite.ts';

const DecidedSchema = z
  .object({
    ok: z.literal(true),
    role: z.enum(ROLES),
    tenantIds: z.array(TenantId).describe('The shops of an operator, else those with a wallet.'),
  })
  .meta({ id: 'InviteDecision' });

const tenantId = '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42';

const OwnInvite = PendingInviteSchema.extend({
  status: z.enum(INVITE_STATUSES).describe('Only a pending one can be accepted or declined.'),
}).meta({ id: 'OwnInvite' });

export const showInvite = route({
  method: 'GET',
  path: '/auth/invites/:inviteId',
  access: 'active-user',
  tag: 'Auth',
  summary: 'Show one of one’s own invites, whatever became of it',
  description:
    'An invite to the verified e-mail of the person, or one that they accepted, also by their ' +
    'first sign-in. Another person’s is not found.',
  roles: ['consumer', 'pos_operator'],
  scopes: ['wallet', 'till'],
  response: OwnInvite,
  examples: {
    response: {
      inviteId: '4f1d2c3e-7b5a-4f6e-9a3b-0c1f5b2f0d3e',
      tenantId,
      tenantName: 'Corner Café',
      createdAt: '2026-01-15T10:00:00.000Z',
      status: 'accepted',
    },
  },

  async handle({ user, params: { inviteId }, db }) {
    const invite = await decisions.getOwn(db, user.id, inviteId);
    return { ...inviteAnswerOf(invite), status: invite.status };
  },
});

export const acceptInvite = route({
  method: 'POST',
  path: '/auth/invites/:inviteId/accept',
  access: 'active-user',
  idempotent: true,
  tag: 'Auth',
  summary: 'Accept an invite to work at a till',
  description:
    'An active consumer or operator with the invited e-mail, verified, works at that shop from ' +
    'here on. Accepting it again changes nothing. An invite that was withdrawn or declined, or ' +
    'has lapsed, is not found.',
  refusals: ['FORBIDDEN'],
  issues: ['tenant_suspended'],
  roles: ['consumer', 'pos_operator'],
  scopes: ['wallet', 'till'],
  response: DecidedSchema,
  examples: { response: { ok: true, role: 'pos_operator', tenantIds: [tenantId] } },

  async handle({ tx, params: { inviteId }, ...request }) {
    const userId = request.user.id;
    await decisions.accept(tx, { userId, inviteId, by: actingBy(request) });
    return answerOf(tx, userId);
  },
});

export const declineInvite = route({
  method: 'POST',
  path: '/auth/invites/:inviteId/decline',
  access: 'active-user',
  idempotent: true,
  tag: 'Auth',
  summary: 'Decline an invite to work at a till',
  description: 'Nothing of the person changes. Declining it again changes nothing.',
  refusals: ['FORBIDDEN'],
  roles: ['consumer', 'pos_operator'],
  scopes: ['wallet', 'till'],
  response: DecidedSchema,
  examples: { response: { ok: true, role: 'consumer', tenantIds: [] } },

  async handle({ tx, params: { inviteId }, user }) {
    await decisions.decline(tx, { userId: user.id, inviteId });
    return answerOf(tx, user.id);
  },
});

/** What the user is now. */
async function answerOf(tx: Tx, userId: UserId) {
  const user = await users.find(tx, userId);
  if (user === undefined) throw new Error('The user of a request does not exist.');
  return { ok: true, role: user.role, tenantIds: user.tenantIds } as const;
}
