import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { createNoticeActivities } from '../../../activities/connections/notices.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { type Mail, MailError } from '../../../gateways/mail/mailer.ts';
import { anAlphaConnection, aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

let mails: Mail[];
let failures: Map<string, MailError>;
beforeEach(async () => {
  mails = [];
  failures = new Map();
  await db('pos_connections').update({ noticeDueSince: null });
});

const send = () =>
  createNoticeActivities({
    db,
    frontendUrl: 'https://app.shop.example',
    objectsUrl: 'https://api.shop.example/objects',
    mailer: {
      async send(mail) {
        const failure = failures.get(mail.to);
        if (failure !== undefined) throw failure;
        mails.push(mail);
      },
      async close() {},
    },
  }).sendConnectionNotices();

async function aConnected(email: string, emailVerified = true): Promise<TenantId> {
  const ownerId = await aUser(db, { role: 'client', email, emailVerified });
  const tenantId = await aTenant(db, { name: 'Corner\nCafé', ownerId });
  const merchantId = `ML-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  await db('pos_connections')
    .where({ tenantId })
    .update({ noticeDueSince: db.fn.now(), accountName: 'Vera’s shop' });
  return tenantId;
}
const dueOf = async (tenantId: TenantId) =>
  (await db('pos_connections').where({ tenantId }).first()).noticeDueSince;

it('tells the owner once which account was connected', async () => {
  const tenantId = await aConnected('owner@example.com');
  expect(await send()).toBe(1);
  expect(await send()).toBe(0);
  const { merchantId } = await db('pos_connections').where({ tenantId }).first();
  expect(mails).toMatchObject([
    { to: 'owner@example.com', subject: 'An account was connected to Corner Café' },
  ]);
  expect(mails[0]?.text).toContain(`The account Vera’s shop (${merchantId}) at alpha`);
  expect(mails[0]?.text).toContain('https://app.shop.example/pos');
});

it('goes on while mails are due', async () => {
  for (let nth = 0; nth < 21; nth++) await aConnected(`owner-${nth}@example.com`);
  expect(await send()).toBe(21);
  expect(mails).toHaveLength(21);
});

it('writes to verified addresses only', async () => {
  const tenantId = await aConnected('somebody@example.com', false);
  expect(await send()).toBe(0);
  expect(mails).toEqual([]);
  expect(await dueOf(tenantId)).toBeNull();
});

it('sends a mail that the server did not take again later, and the others now', async () => {
  const away = await aConnected('away@example.com');
  const refused = await aConnected('refused@example.com');
  await aConnected('other@example.com');
  failures.set('away@example.com', new MailError('The mail server is away.', true));
  failures.set('refused@example.com', new MailError('There is no such address.', false));
  expect(await send()).toBe(1);
  expect(mails.map(({ to }) => to)).toEqual(['other@example.com']);
  expect(await dueOf(refused)).toBeNull();

  failures.clear();
  expect(await send()).toBe(0);
  await db('pos_connections')
    .where({ tenantId: away })
    .update({ noticeDueSince: db.raw(`notice_due_since - interval '5 minutes'`) });
  expect(await send()).toBe(1);
  expect(mails.at(-1)?.to).toBe('away@example.com');
});
