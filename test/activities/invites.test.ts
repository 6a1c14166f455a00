import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createInviteActivities } from '../../activities/invites.ts';
import * as invites from '../../db/users/invites.ts';
import type { InviteId } from '../../domain/ids.ts';
import type { InviteEmailStatus } from '../../domain/invitation.ts';
import { createDirectory } from '../../gateways/identity/create-directory.ts';
import type { IdentityDirectory } from '../../gateways/identity/directory.ts';
import { DirectoryError } from '../../gateways/identity/directory-request.ts';
import { type Mail, MailError, type Mailer } from '../../gateways/mail/mailer.ts';
import { aTenant, aUser } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

let mails: Mail[];
let mailer: Mailer;
let email: string;
beforeEach(() => {
  mails = [];
  mailer = {
    async send(mail) {
      mails.push(mail);
    },
    async close() {},
  };
  email = `${randomUUID()}@example.com`;
});

async function anInvite(emailStatus: InviteEmailStatus = 'sent'): Promise<invites.Invite> {
  const tenantId = await aTenant(db, { name: 'Café' });
  const invitedBy = await aUser(db, { role: 'client' });
  return db.transaction((tx) => invites.create(tx, { tenantId, email, emailStatus, invitedBy }));
}

const frontendUrl = 'https://app.shop.example';
const activities = (directory: IdentityDirectory = createDirectory({ kind: 'mail' }, mailer)) =>
  createInviteActivities({ db, directory, mailer, frontendUrl });
const directoryThat = (invite: IdentityDirectory['invite']): IdentityDirectory => ({
  isKnown: async () => false,
  invite,
});
const rowOf = (id: InviteId) => db('invites').where({ id }).first();

describe('sendInvite', () => {
  it('mails the sign-in address to the invited person, once', async () => {
    const { id } = await anInvite();
    const { sendInvite } = activities();
    expect(await sendInvite(id)).toBe('sent');
    expect(await sendInvite(id)).toBe('unneeded');
    expect(mails).toMatchObject([{ to: email, text: expect.stringContaining(frontendUrl) }]);
    expect(await rowOf(id)).toMatchObject({ emailStatus: 'sent', sentAt: expect.any(Date) });
  });

  it('sends the same mail again when it was killed before it stored sentAt', async () => {
    const { id } = await anInvite();
    const { sendInvite } = activities();
    await sendInvite(id);
    await db('invites').where({ id }).update({ sentAt: null });
    await sendInvite(id);
    expect(mails).toHaveLength(2);
    expect(mails[1]).toEqual(mails[0]);
  });

  it('stores that the person is known, and mails unless the directory has', async () => {
    const { id } = await anInvite();
    const isMailed = [false, true];
    const directory = directoryThat(async () => ({
      emailStatus: 'existing_auth_user',
      isMailed: isMailed.shift() ?? true,
    }));
    expect(await activities(directory).sendInvite(id)).toBe('sent');
    expect(mails).toMatchObject([{ to: email }]);
    expect(await rowOf(id)).toMatchObject({ emailStatus: 'existing_auth_user' });

    const other = await anInvite();
    await activities(directory).sendInvite(other.id);
    expect(mails).toHaveLength(1);
  });

  it('keeps the status of a person who is already known', async () => {
    const { id } = await anInvite('existing_auth_user');
    await activities().sendInvite(id);
    expect(await rowOf(id)).toMatchObject({ emailStatus: 'existing_auth_user' });
    expect(mails).toHaveLength(1);
  });

  it('passes the invite, the tenant and the redirect address to the directory', async () => {
    const { id } = await anInvite();
    const invitations: unknown[] = [];
    const directory = directoryThat(async (invitation) => {
      invitations.push(invitation);
      return { emailStatus: 'sent', isMailed: true };
    });
    await activities(directory).sendInvite(id);
    expect(invitations).toMatchObject([{ id, email, tenantName: 'Café', redirectTo: frontendUrl }]);
    expect(mails).toEqual([]);
  });

  it('sends no mail for a revoked invite', async () => {
    const { id, tenantId } = await anInvite();
    await invites.revoke(db, tenantId, id);
    expect(await activities().sendInvite(id)).toBe('unneeded');
    expect(mails).toEqual([]);
  });

  it.each([
    ['the mail server', new MailError('refused', false)],
    ['the directory', new DirectoryError('refused', 400)],
  ])('returns undeliverable when %s refuses the address, and does not retry', async (_, error) => {
    const { id } = await anInvite();
    const { sendInvite } = activities(directoryThat(() => Promise.reject(error)));
    expect(await sendInvite(id)).toBe('undeliverable');
    expect(await sendInvite(id)).toBe('unneeded');
    expect(await rowOf(id)).toMatchObject({ status: 'pending', undeliverableAt: expect.any(Date) });
  });

  it.each([
    ['the mail server', new MailError('away', true)],
    ['the directory', new DirectoryError('away', 500)],
    ['unexpected code', new Error('bug')],
  ])('throws an error of %s, and the mail stays due', async (_, error) => {
    const { id } = await anInvite();
    const failing = activities(directoryThat(() => Promise.reject(error)));
    await expect(failing.sendInvite(id)).rejects.toBe(error);
    expect(await activities().sendInvite(id)).toBe('sent');
  });
});

describe('listOverdueInvites', () => {
  it('lists pending invites without a sent mail', async () => {
    const { id, tenantId } = await anInvite();
    await db('invites')
      .where({ id })
      .update({ createdAt: db.raw(`now() - interval '1 minute'`) });
    const { sendInvite, listOverdueInvites } = activities();
    expect(await listOverdueInvites(null)).toContainEqual({ id, tenantId });
    expect(await listOverdueInvites(id)).not.toContainEqual({ id, tenantId });
    await sendInvite(id);
    expect(await listOverdueInvites(null)).not.toContainEqual({ id, tenantId });
  });
});
