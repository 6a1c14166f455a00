import { beforeEach, describe, expect, it } from 'vitest';
import { byUser } from '../../../db/audit-log.ts';
import * as decisions from '../../../db/users/invite-decisions.ts';
import * as inviteMails from '../../../db/users/invite-mails.ts';
import * as invites from '../../../db/users/invites.ts';
import type { InviteId } from '../../../domain/ids.ts';
import { aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anInvite, lapse } from '../../support/people/invites.ts';

const database = await useDatabase();
const { db } = database;

const overdue = async () =>
  (await inviteMails.listOverdue(db, { after: null, limit: 99 })).map(({ id }) => id);

describe('an invite’s mail', () => {
  it('can be claimed, with its content, until it is sent', async () => {
    const { id, email } = await anInvite(db);
    const due = { id, email, tenantName: 'Corner Café', language: null, directoryAsked: false };
    expect(await inviteMails.claim(db, id)).toEqual(due);
    expect(await overdue()).toContain(id);
    expect(await inviteMails.claim(db, id)).toEqual(due);
    await inviteMails.recordSent(db, id);
    expect(await inviteMails.claim(db, id)).toBe('unneeded');
    expect(await overdue()).not.toContain(id);
    expect(await db('invites').where({ id }).first()).toMatchObject({
      sentAt: expect.any(Date),
      status: 'pending',
    });
  });

  it('is one a day to an address, whichever way its domain is written', async () => {
    const [name] = (await anInvite(db)).email.split('@');
    const { tenantId, id } = await anInvite(db, { email: `${name}@münchen.example` });
    expect(await inviteMails.claim(db, id)).toMatchObject({ email: `${name}@münchen.example` });
    await invites.withdraw(db, tenantId, id);
    const other = await anInvite(db, { tenantId, email: `${name}@xn--mnchen-3ya.example` });
    expect(await inviteMails.claim(db, other.id)).toBe('deferred');
    expect(await overdue()).not.toContain(other.id);
  });

  it('keeps the first result that was recorded', async () => {
    const { id } = await anInvite(db);
    await inviteMails.recordSent(db, id);
    const row = () => db('invites').where({ id }).first();
    const before = await row();
    await inviteMails.recordSent(db, id);
    await inviteMails.recordUndeliverable(db, id);
    expect(await row()).toEqual(before);
  });

  it('remembers that the directory was asked, until it certainly did nothing', async () => {
    const { id } = await anInvite(db);
    await inviteMails.claim(db, id);
    await inviteMails.noteAsked(db, id, true);
    expect(await inviteMails.claim(db, id)).toMatchObject({ directoryAsked: true });
    await inviteMails.noteAsked(db, id, false);
    expect(await inviteMails.claim(db, id)).toMatchObject({ directoryAsked: false });
  });

  it.each<[string, (invite: invites.Invite) => Promise<unknown>]>([
    ['is undeliverable', ({ id }) => inviteMails.recordUndeliverable(db, id)],
    ['belongs to a withdrawn invite', ({ tenantId, id }) => invites.withdraw(db, tenantId, id)],
    ['belongs to a lapsed invite', (invite) => lapse(db, invite)],
    [
      'belongs to an accepted invite',
      async ({ id: inviteId, email }) => {
        const userId = await aUser(db, { email });
        await db.transaction((tx) =>
          decisions.accept(tx, { userId, inviteId, by: byUser(userId, 'test') }),
        );
      },
    ],
  ])('is not due when it %s', async (_, close) => {
    const invite = await anInvite(db);
    await close(invite);
    expect(await inviteMails.claim(db, invite.id)).toBe('unneeded');
    expect(await overdue()).not.toContain(invite.id);
  });

  it('is not overdue right away', async () => {
    const { id } = await anInvite(db, { secondsAgo: 0 });
    expect(await overdue()).not.toContain(id);
    expect(await inviteMails.claim(db, id)).toMatchObject({ id });
  });
});

describe('the mails of one tenant to one address', () => {
  let first: invites.Invite;
  let second: invites.Invite;
  beforeEach(async () => {
    first = await anInvite(db);
    await inviteMails.claim(db, first.id);
    await inviteMails.noteAsked(db, first.id, true);
    await inviteMails.recordSent(db, first.id);
    await invites.withdraw(db, first.tenantId, first.id);
    second = await anInvite(db, first);
  });

  const sentAgo = (hours: number) =>
    db('invite_mails')
      .where({ inviteId: first.id })
      .update({ triedAt: db.raw('now() - make_interval(hours => ?)', [hours]) });

  it('are one in 24 hours, also when the invite was withdrawn', async () => {
    expect(await inviteMails.claim(db, second.id)).toBe('deferred');
    await sentAgo(23);
    expect(await inviteMails.claim(db, second.id)).toBe('deferred');
    expect(await overdue()).not.toContain(second.id);
  });

  it('include that of a new invite afterwards, with the directory asked anew', async () => {
    await sentAgo(24);
    expect(await overdue()).toContain(second.id);
    expect(await inviteMails.claim(db, second.id)).toMatchObject({ directoryAsked: false });
    expect(await overdue()).toContain(second.id);
  });

  it('do not defer those of another tenant, or to another address', async () => {
    const elsewhere = await anInvite(db, { email: first.email });
    const other = await anInvite(db, { tenantId: first.tenantId });
    for (const { id } of [elsewhere, other]) {
      expect(await inviteMails.claim(db, id)).toMatchObject({ id });
    }
  });
});

it('listOverdue continues after an id', async () => {
  const made = new Set<InviteId>();
  for (let n = 0; n < 3; n++) made.add((await anInvite(db)).id);
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
