import { beforeEach, expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import { tellOfWeek } from '../../../activities/telling/week.ts';
import * as choices from '../../../db/notices/choices.ts';
import type { TenantId, UserId } from '../../../domain/ids.ts';
import { type Mail, MailError, type Mailer } from '../../../gateways/mail/mailer.ts';
import { anAlphaConnection, aTenant, aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
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
const MONDAY = new Date('2026-03-16T08:00:00Z');
const NEXT = new Date('2026-03-23T08:00:00Z');

let tenantId: TenantId;
let ownerId: UserId;
let email: string;
beforeEach(async () => {
  await db('due_work').delete();
  mails.length = 0;
  isAway = false;
  email = `owner-${crypto.randomUUID()}@shop.example`;
  ownerId = await aUser(db, { role: 'client', email });
  tenantId = await aTenant(db, { name: 'Corner Café', ownerId });
  await db('tenants').where({ id: tenantId }).update({ timeZone: 'UTC' });
  await db('due_work').whereNot({ subjectId: tenantId }).delete();
});
const work = () => db('due_work').where({ kind: 'tell_of_week', subjectId: tenantId });
const dueAt = async () => (await work().first<{ dueAt: Date }>('dueAt'))?.dueAt;
async function tell(now = MONDAY) {
  await work().update({ dueAt: db.fn.now() });
  await doWork(
    activityDeps(db),
    tellOfWeek(activityDeps(db, { mailer }), () => now),
  );
}
async function sell(points: number) {
  const paymentId = await aCreditedPayment(db, await aWallet(db, { tenantId }), points);
  await db('payments').where({ id: paymentId }).update({ occurredAt: '2026-03-12T10:00:00Z' });
}
async function loseConnection() {
  await anAlphaConnection(db, { tenantId, merchantId: crypto.randomUUID() });
  await db('pos_connections').where({ tenantId }).update({ needsReconnectSince: db.fn.now() });
}

it('a shop is due from its first day on', async () => {
  expect(await work()).toHaveLength(1);
});

it('owners are told of the week, and again on the next Monday', async () => {
  await sell(1_000);
  await sell(250);
  await tell();
  expect(mails).toMatchObject([{ to: email, subject: 'Your week at Corner Café' }]);
  expect(mails[0]?.text).toContain('From 9 March 2026 to 15 March 2026 you had 2 sales');
  expect(mails[0]?.text).toContain('1,250 points');
  expect(mails[0]?.stopUrl).toContain(`token=weekly.${ownerId}.`);
  expect(await dueAt()).toEqual(NEXT);
});

it('on other days the work only becomes due on Monday', async () => {
  await sell(100);
  await tell(new Date('2026-03-20T08:00:00Z'));
  expect([mails, await dueAt()]).toEqual([[], NEXT]);
});

it('a week without sales is told of only where something does not work', async () => {
  await tell();
  expect(mails).toEqual([]);
  await loseConnection();
  await tell();
  expect(mails[0]?.text).toContain('Sales at Alpha earn no points');
});

it.each([
  ['who has switched it off', () => choices.change(db, ownerId, { weekly: false })],
  [
    'of a shop that is suspended',
    () => db('tenants').where({ id: tenantId }).update({ suspendedAt: db.fn.now() }),
  ],
  [
    'who is no merchant any more',
    () => db('users').where({ id: ownerId }).update({ role: 'consumer' }),
  ],
  [
    'without a verified address',
    () => db('users').where({ id: ownerId }).update({ emailVerified: false }),
  ],
])('an owner is not told: %s', async (_, happen) => {
  await sell(100);
  await happen();
  await tell();
  expect([mails, await dueAt()]).toEqual([[], NEXT]);
});

it('of a shop that was closed there is no work any more', async () => {
  await db('tenants')
    .where({ id: tenantId })
    .update({ suspendedAt: db.fn.now(), closedAt: db.fn.now() });
  await tell();
  expect(await work()).toEqual([]);
});

it('owners are told once the mail server is back, by mails with the same ids', async () => {
  await sell(100);
  isAway = true;
  await tell();
  expect(await dueAt()).not.toEqual(NEXT);
  isAway = false;
  await tell();
  await tell();
  expect(mails).toHaveLength(2);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
});
