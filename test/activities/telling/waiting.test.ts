import { beforeEach, expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import { tellOfWaiting } from '../../../activities/telling/waiting.ts';
import * as goodwill from '../../../db/goodwill.ts';
import * as choices from '../../../db/notices/choices.ts';
import type { UserId } from '../../../domain/ids.ts';
import { type Mail, MailError, type Mailer } from '../../../gateways/mail/mailer.ts';
import { aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aGoodwillRequest } from '../../support/points/goodwill.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const mails: Mail[] = [];
let isAway = false;
const mailer: Mailer = {
  async send(mail) {
    if (isAway) throw new MailError('Away.', true);
    mails.push(mail);
  },
  async close() {},
};
const tell = () => doWork(activityDeps(db), tellOfWaiting(activityDeps(db, { mailer })));
const due = () => db('due_work').where({ kind: 'tell_of_waiting' });
const hourPasses = () => due().update({ dueAt: db.fn.now() });
const apply = () => aUser(db, { role: 'client', status: 'pending_approval' });

let admin: UserId;
beforeEach(async () => {
  await db('users').where({ role: 'admin' }).update({ role: 'consumer' });
  await db('due_work').delete();
  admin = await aUser(db, { role: 'admin', email: `${crypto.randomUUID()}@staff.example` });
  mails.length = 0;
  isAway = false;
});

it('administrators are told of all who applied within an hour, by one mail', async () => {
  await aUser(db, { role: 'admin', email: `${crypto.randomUUID()}@elsewhere.example` });
  await apply();
  await apply();
  const rows = await due().select<{ dueAt: Date }[]>('dueAt');
  expect(rows.map(({ dueAt }) => dueAt.getTime() % 3_600_000)).toEqual([0, 0]);
  await tell();
  expect(mails).toEqual([]);
  await hourPasses();
  await tell();
  expect(mails).toMatchObject([{ subject: '2 merchants wait for approval' }]);
  expect(mails[0]?.stopUrl).toContain(`token=waiting.${admin}.`);
  await hourPasses();
  await tell();
  expect(mails).toHaveLength(1);
});

it('they are told of points that shops asked for, in the same mail, unless answered', async () => {
  const tenantId = await aTenant(db, { name: 'Corner Café' });
  const answered = await aGoodwillRequest(db, tenantId);
  await aGoodwillRequest(db, tenantId);
  await db.transaction((tx) => goodwill.close(tx, answered, { status: 'granted' }));
  await hourPasses();
  await tell();
  expect(mails).toMatchObject([{ subject: 'A shop asks for points' }]);
  expect(await due()).toEqual([]);
  await aGoodwillRequest(db, tenantId);
  await apply();
  await hourPasses();
  await tell();
  expect(mails.slice(1)).toMatchObject([
    { subject: 'Applications, and points for goodwill, wait for you' },
  ]);
});

it('nobody is told of who waits no more', async () => {
  const id = await apply();
  await db('users').where({ id }).update({ status: 'active' });
  await hourPasses();
  await tell();
  expect([mails, await due()]).toEqual([[], []]);
});

it('who wants no such mails gets none', async () => {
  await choices.change(db, admin, { waiting: false });
  await apply();
  await hourPasses();
  await tell();
  expect([mails, await due()]).toEqual([[], []]);
});

it('they are told once the mail server is back', async () => {
  await apply();
  isAway = true;
  await hourPasses();
  await tell();
  isAway = false;
  await hourPasses();
  await tell();
  expect(mails).toHaveLength(1);
});

it('a customer who signs up makes no work', async () => {
  await aUser(db);
  expect(await due()).toEqual([]);
});
