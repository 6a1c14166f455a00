import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as inviteMails from '../../../db/users/invite-mails.ts';
import * as invites from '../../../db/users/invites.ts';
import type { InviteId } from '../../../domain/ids.ts';
import { aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

async function anInvite(seconds = 60): Promise<invites.Invite> {
  const tenantId = await aTenant(db, { name: 'Café' });
  const email = `${randomUUID()}@example.com`;
  const invitedBy = await aUser(db, { role: 'client' });
  const invite = await db.transaction((tx) =>
    invites.create(tx, { tenantId, email, emailStatus: 'sent', invitedBy }),
  );
  await db('invites')
    .where('id', invite.id)
    .update({ createdAt: db.raw('now() - make_interval(secs => ?)', [seconds]) });
  return invite;
}

const overdue = async () =>
  (await inviteMails.listOverdue(db, { after: null, limit: 99 })).map(({ id }) => id);

describe('an invite’s mail', () => {
  it('is due, with its content, until it is sent', async () => {
    const { id, email } = await anInvite();
    expect(await inviteMails.findDue(db, id)).toEqual({
      id,
      email,
      emailStatus: 'sent',
      tenantName: 'Café',
    });
    expect(await overdue()).toContain(id);
    await inviteMails.recordSent(db, id, 'existing_auth_user');
    expect(await inviteMails.findDue(db, id)).toBeUndefined();
    expect(await overdue()).not.toContain(id);
    expect(await db('invites').where({ id }).first()).toMatchObject({
      emailStatus: 'existing_auth_user',
      sentAt: expect.any(Date),
      status: 'pending',
    });
  });

  it('keeps the first result that was recorded', async () => {
    const { id } = await anInvite();
    await inviteMails.recordSent(db, id, 'sent');
    const row = () => db('invites').where({ id }).first();
    const before = await row();
    await inviteMails.recordSent(db, id, 'existing_auth_user');
    await inviteMails.recordUndeliverable(db, id);
    expect(await row()).toEqual(before);
  });

  it.each<[string, (invite: invites.Invite) => Promise<unknown>]>([
    ['is undeliverable', ({ id }) => inviteMails.recordUndeliverable(db, id)],
    ['belongs to a revoked invite', ({ tenantId, id }) => invites.revoke(db, tenantId, id)],
    [
      'belongs to an accepted invite',
      async ({ email }) => invites.acceptAll(db, await aUser(db, { email })),
    ],
  ])('is not due when it %s', async (_, close) => {
    const invite = await anInvite();
    await close(invite);
    expect(await inviteMails.findDue(db, invite.id)).toBeUndefined();
    expect(await overdue()).not.toContain(invite.id);
  });

  it('is not overdue right away', async () => {
    const { id } = await anInvite(0);
    expect(await inviteMails.findDue(db, id)).toBeDefined();
    expect(await overdue()).not.toContain(id);
  });
});

it('listOverdue continues after an id', async () => {
  const made = new Set<InviteId>();
  for (let n = 0; n < 3; n++) made.add((await anInvite()).id);
  const found: InviteId[] = [];
  for (let after: InviteId | null = null; ; ) {
    const [next]: inviteMails.OverdueInvite[] = await inviteMails.listOverdue(db, {
      after,
      limit: 1,
    });
    if (next === undefined) break;
    found.push(next.id);
    after = next.id;
  }
  expect(found.filter((id) => made.has(id))).toHaveLength(3);
  expect(found).toEqual([...new Set(found)].sort());
});
