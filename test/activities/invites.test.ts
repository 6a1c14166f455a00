import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createInviteActivities } from '../../activities/invites.ts';
import * as invites from '../../db/users/invites.ts';
import type { InviteId } from '../../domain/ids.ts';
import { createDirectory } from '../../gateways/identity/create-directory.ts';
import type { IdentityDirectory } from '../../gateways/identity/directory.ts';
import { DirectoryError } from '../../gateways/identity/directory-request.ts';
import { type Mail, MailError, type Mailer } from '../../gateways/mail/mailer.ts';
import { aUser } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { anInvite } from '../support/people/invites.ts';

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

const frontendUrl = 'https://app.shop.example';
const activities = (directory: IdentityDirectory = createDirectory({ kind: 'mail' })) =>
  createInviteActivities({ db, directory, mailer, frontendUrl });
const directoryThat = (invite: IdentityDirectory['invite']): IdentityDirectory => ({
  invite,
  async check() {},
});
const invited = () => anInvite(db, { email });
const rowOf = (id: InviteId) => db('invites').where({ id }).first();

describe('sendInvite', () => {
  it('mails the address where the invited person decides, once', async () => {
    const { id } = await invited();
    const { sendInvite } = activities();
    expect(await sendInvite(id)).toBe('sent');
    expect(await sendInvite(id)).toBe('unneeded');
    expect(mails).toMatchObject([
      {
        to: email,
        subject: 'You are invited to work at Corner Café',
        text: expect.stringContaining(`\n${frontendUrl}/invites/${id}\n`),
      },
    ]);
    expect(await rowOf(id)).toMatchObject({ sentAt: expect.any(Date) });
  });

  it.each([
    [null, undefined, 'You are invited to work at Corner Café'],
    ['de', undefined, 'Einladung an die Kasse: Corner Café'],
    ['en', 'de', 'Einladung an die Kasse: Corner Café'],
    ['de', 'en', 'You are invited to work at Corner Café'],
  ] as const)('in the language of the inviter, %s, or of whose it is, %s', async (...of) => {
    const [inviters, own, subject] = of;
    const { id } = await invited();
    await db('users')
      .where('id', db('invites').where({ id }).select('invitedBy'))
      .update({ language: inviters });
    if (own !== undefined) await aUser(db, { email, language: own });
    await activities().sendInvite(id);
    expect(mails).toMatchObject([{ to: email, subject }]);
  });

  it('sends the same mail again when it was killed before it stored sentAt', async () => {
    const { id } = await invited();
    const { sendInvite } = activities();
    await sendInvite(id);
    await db('invites').where({ id }).update({ sentAt: null });
    await sendInvite(id);
    expect(mails).toHaveLength(2);
    expect(mails[1]).toEqual(mails[0]);
  });

  it('mails unless the directory has, and keeps what the merchant was told', async () => {
    for (const isMailed of [false, true]) {
      const { id } = await invited();
      await db('invites').where({ id }).update({ emailStatus: 'existing_auth_user' });
      mails.length = 0;
      expect(await activities(directoryThat(async () => ({ isMailed }))).sendInvite(id)).toBe(
        'sent',
      );
      expect(mails).toHaveLength(isMailed ? 0 : 1);
      expect(await rowOf(id)).toMatchObject({ emailStatus: 'existing_auth_user' });
    }
  });

  it('asks the directory once, however often our own mail fails', async () => {
    const { id } = await invited();
    let asked = 0;
    const directory = directoryThat(async () => {
      asked += 1;
      return { isMailed: false };
    });
    const away = { ...mailer, send: () => Promise.reject(new MailError('away', true)) };
    const failing = createInviteActivities({ db, directory, mailer: away, frontendUrl });
    for (let time = 0; time < 5; time++) await expect(failing.sendInvite(id)).rejects.toThrow();
    expect(await activities(directory).sendInvite(id)).toBe('sent');
    expect([asked, mails.length]).toEqual([1, 1]);
  });

  it('asks the directory once when it was killed while it asked', async () => {
    const { id } = await invited();
    const killed = activities(directoryThat(() => Promise.reject(new Error('killed'))));
    await expect(killed.sendInvite(id)).rejects.toThrow('killed');
    const again = directoryThat(() => Promise.reject(new Error('asked again')));
    expect(await activities(again).sendInvite(id)).toBe('sent');
    expect(mails).toHaveLength(1);
  });

  it('sends our own mail, once, when the directory may have sent one', async () => {
    const { id } = await invited();
    const unclear = directoryThat(() => Promise.reject(new DirectoryError('late', null, true)));
    expect(await activities(unclear).sendInvite(id)).toBe('sent');
    expect(await activities(unclear).sendInvite(id)).toBe('unneeded');
    expect(mails).toHaveLength(1);
  });

  it('passes the address, the tenant and the page to the directory', async () => {
    const { id } = await invited();
    const invitations: unknown[] = [];
    const directory = directoryThat(async (invitation) => {
      invitations.push(invitation);
      return { isMailed: true };
    });
    await activities(directory).sendInvite(id);
    const inviteUrl = `${frontendUrl}/invites/${id}`;
    expect(invitations).toEqual([{ email, tenantName: 'Corner Café', inviteUrl }]);
    expect(mails).toEqual([]);
  });

  it('sends no mail for a withdrawn invite, and one a day for an address', async () => {
    const { id, tenantId } = await invited();
    await activities().sendInvite(id);
    await invites.withdraw(db, tenantId, id);
    expect(await activities().sendInvite(id)).toBe('unneeded');
    const again = await anInvite(db, { email, tenantId });
    expect(await activities().sendInvite(again.id)).toBe('deferred');
    expect(mails).toHaveLength(1);
  });

  it.each([
    ['the mail server', new MailError('refused', false)],
    ['the directory', new DirectoryError('refused', 400)],
  ])('returns undeliverable when %s refuses the address, and does not retry', async (_, error) => {
    const { id } = await invited();
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
    const { id } = await invited();
    const failing = activities(directoryThat(() => Promise.reject(error)));
    await expect(failing.sendInvite(id)).rejects.toBe(error);
    expect(await activities().sendInvite(id)).toBe('sent');
  });
});

describe('listOverdueInvites', () => {
  it('lists pending invites without a sent mail', async () => {
    const { id, tenantId } = await invited();
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
