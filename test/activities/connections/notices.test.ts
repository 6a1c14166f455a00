import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { tellOfConnection } from '../../../activities/connections/notices.ts';
import { doWork } from '../../../activities/due-work/worker.ts';
import * as dueWork from '../../../db/due-work.ts';
import type { ConnectionId, TenantId } from '../../../domain/ids.ts';
import { type Mail, MailError } from '../../../gateways/mail/mailer.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { anAlphaConnection, aTenant, aUser, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const log = createLogger({ level: 'silent', service: 'test' });
const database = await useDatabase();
const { db } = database;

let mails: Mail[];
let failures: Map<string, MailError>;
beforeEach(async () => {
  mails = [];
  failures = new Map();
  await db('due_work').delete();
});

const send = () =>
  doWork(
    { db, log },
    tellOfConnection({
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
    }),
  );

async function aConnected(email: string, emailVerified = true): Promise<TenantId> {
  const ownerId = await aUser(db, { role: 'client', email, emailVerified });
  const tenantId = await aTenant(db, { name: 'Corner\nCafé', ownerId });
  const merchantId = `ML-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  const [row] = await db('pos_connections')
    .where({ tenantId })
    .update({ accountName: 'Vera’s shop' })
    .returning<{ id: ConnectionId }[]>('id');
  await dueWork.note(db, 'tell_of_connection', [required(row).id]);
  return tenantId;
}
const dueOf = async (tenantId: TenantId) =>
  db('due_work')
    .where({ kind: 'tell_of_connection' })
    .whereIn('subjectId', db('pos_connections').where({ tenantId }).select('id'));

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
  expect(await dueOf(tenantId)).toEqual([]);
});

it('sends a mail that the server did not take again later, and the others now', async () => {
  const away = await aConnected('away@example.com');
  const refused = await aConnected('refused@example.com');
  await aConnected('other@example.com');
  failures.set('away@example.com', new MailError('The mail server is away.', true));
  failures.set('refused@example.com', new MailError('There is no such address.', false));
  await send();
  expect(mails.map(({ to }) => to)).toEqual(['other@example.com']);
  expect(await dueOf(refused)).toEqual([]);

  failures.clear();
  expect(await send()).toBe(0);
  expect(await dueOf(away)).toHaveLength(1);
  await db('due_work').update({ dueAt: db.raw(`due_at - interval '5 minutes'`) });
  expect(await send()).toBe(1);
  expect(mails.at(-1)?.to).toBe('away@example.com');
});
