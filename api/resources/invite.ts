import { z } from 'zod';
import type { PendingInvite } from '../../db/users/invite-decisions.ts';
import { InviteId, TenantId } from '../../domain/ids.ts';
import { nameInMail } from '../../domain/invitation.ts';

/** An invite as the person sees it who may decide about it. */
export const PendingInviteSchema = z
  .object({
    inviteId: InviteId,
    tenantId: TenantId,
    tenantName: z
      .string()
      .describe('The name of the shop that invites; `a shop` where it holds more than a name.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'PendingInvite' });

/** Builds what a person sees of an invite to them. */
export function inviteAnswerOf({ id, tenantId, tenantName, createdAt }: PendingInvite) {
  return {
    inviteId: id,
    tenantId,
    // Whoever has a shop can invite anybody: its name must not carry a message to strangers.
    tenantName: nameInMail(tenantName),
    createdAt: createdAt.toISOString(),
  };
}
