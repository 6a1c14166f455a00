import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/connection.ts';
import * as invites from '../../../db/users/invites.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { aTenant, aUser } from '../factories.ts';

/** Creates an invite, by default of a new tenant to a new address, a minute ago. */
export async function anInvite(
  db: Db,
  options: { tenantId?: TenantId; email?: string; secondsAgo?: number } = {},
): Promise<invites.Invite> {
  const { email = `${randomUUID()}@example.com`, secondsAgo = 60 } = options;
  const tenantId = options.tenantId ?? (await aTenant(db, { name: 'Corner Café' }));
  const invitedBy = await aUser(db, { role: 'client' });
  const invite = await db.transaction((tx) =>
    invites.create(tx, { tenantId, email, emailStatus: 'sent', invitedBy }),
  );
  await db('invites')
    .where('id', invite.id)
    .update({ createdAt: db.raw('now() - make_interval(secs => ?)', [secondsAgo]) });
  return invite;
}

/** Moves an invite to the end of its time. */
export async function lapse(db: Db, { id }: Pick<invites.Invite, 'id'>): Promise<void> {
  await db('invites')
    .where({ id })
    .update({ lapsesAt: db.raw(`now() - interval '1 second'`) });
}

/** The stored status of an invite. */
export async function statusOf(db: Db, { id }: Pick<invites.Invite, 'id'>): Promise<string> {
  return (await db('invites').where({ id }).first('status'))?.status;
}
