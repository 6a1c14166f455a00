import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import * as invites from '../../../db/users/invites.ts';
import * as users from '../../../db/users/users.ts';
import { InviteId } from '../../../domain/ids.ts';
import { INVITE_EMAIL_STATUSES, INVITE_STATUSES } from '../../../domain/invitation.ts';
import { MailAddress } from '../../../domain/mail-address.ts';
import type { Deps } from '../../http/deps.ts';
import { pageCursor, pageLimit, readPage } from '../../http/pagination.ts';
import { route } from '../../http/route.ts';

const InviteEmailStatus = z
  .enum(INVITE_EMAIL_STATUSES)
  .describe('`existing_auth_user` when the person already has an account.');

const Invite = z
  .object({
    id: InviteId,
    email: z.string(),
    status: z.enum(INVITE_STATUSES),
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
    'The person accepts by signing in with that e-mail, verified. Administrators and merchants ' +
    'keep their role. Inviting a person whose invite is pending returns that invite.',
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

  async handle({ tx, afterCommit, tenant, user, body, correlationId, ...deps }) {
    const isKnown = await isKnownSomewhere(tx, body.email, deps);
    const invite = await invites.create(tx, {
      tenantId: tenant.id,
      email: body.email,
      emailStatus: isKnown ? 'existing_auth_user' : 'sent',
      invitedBy: user.id,
    });
    const context = { tenantId: tenant.id, correlationId };
    afterCommit(() => deps.orchestrator.sendInviteLater(invite.id, context));
    const { id, emailStatus } = invite;
    return { ok: true, email: body.email, inviteEmailStatus: emailStatus, inviteId: id };
  },
});

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
      read: (limit) => invites.listPending(db, tenant.id, { limit, after }),
      show: ({ emailStatus, createdAt, ...invite }) => ({
        ...invite,
        inviteEmailStatus: emailStatus,
        createdAt: createdAt.toISOString(),
      }),
      position: ({ id }) => ['invite', id],
    });
  },
});

export const revokeStoreOperatorInvite = route({
  method: 'DELETE',
  path: '/client/tenants/:tenantId/store-operator-invites/:inviteId',
  access: 'TENANT_TEAM_INVITE',
  tag: 'Merchant',
  summary: 'Revoke a pending invite',
  description: 'Revoking it again changes nothing. An accepted invite is not found.',
  response: z.object({
    ok: z.literal(true),
    inviteId: InviteId,
    status: z.literal('revoked'),
  }),
  examples: { response: { ok: true, inviteId, status: 'revoked' } },

  async handle({ tenant, params, db }) {
    await invites.revoke(db, tenant.id, params.inviteId);
    return { ok: true, inviteId: params.inviteId, status: 'revoked' };
  },
});

/** False while the directory is unavailable: it is asked again when the mail is sent. */
async function isKnownSomewhere(
  db: Db,
  email: string,
  { directory, log }: Pick<Deps, 'directory' | 'log'>,
): Promise<boolean> {
  if (await users.isKnown(db, email)) return true;
  try {
    return await directory.isKnown(email);
  } catch (error) {
    log.warn(
      { event: 'directory_lookup_failed', err: error },
      'The identity directory did not say whether a person is known; the mail asks it again',
    );
    return false;
  }
}
