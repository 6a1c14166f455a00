import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import { notePoints, tellOfPoints } from '../../../activities/telling/points.ts';
import * as choices from '../../../db/notices/choices.ts';
import type { PaymentId, TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import { type Mail, MailError, type Mailer } from '../../../gateways/mail/mailer.ts';
import { aDebit, aTenant, aUser, aWallet, postByHand } from '../../support/factories.ts';
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
const deps = activityDeps(db, { mailer });

/** Looks at once, at what was written milliseconds ago. */
async function look() {
  await sleep(5);
  await notePoints(db, 0);
}
const tell = () => doWork(deps, tellOfPoints(deps));
const minutePasses = () =>
  db('due_work').where({ kind: 'tell_of_points' }).update({ dueAt: db.fn.now() });
async function tick() {
  await look();
  await minutePasses();
  await tell();
}

let email: string;
let userId: UserId;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  await db('due_work').delete();
  await tick();
  mails.length = 0;
  isAway = false;
  email = `ada-${crypto.randomUUID()}@example.com`;
  tenantId = await aTenant(db, { name: 'Corner Café' });
  userId = await aUser(db, { email });
  walletId = await aWallet(db, { tenantId, userId });
});
const earn = (points: number) => aCreditedPayment(db, walletId, points);
const due = () => db('due_work').where({ kind: 'tell_of_points' });

describe('somebody who has chosen nothing', () => {
  it('is told of their first points at a shop, and of no others', async () => {
    await earn(125);
    await tick();
    expect(mails).toMatchObject([{ to: email, subject: 'You got 125 points at Corner Café' }]);
    expect(mails[0]?.text).toContain(`https://app.shop.example/wallet/wallets/${walletId}`);
    expect(mails[0]?.stopUrl).toContain(`/api/v1/notices/stop?token=points.${userId}.`);
    await earn(10);
    await tick();
    expect(mails).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it('is told of what came within a minute at once', async () => {
    await earn(100);
    await look();
    await tell();
    await earn(20);
    await look();
    await tell();
    expect(mails).toEqual([]);
    await minutePasses();
    await tell();
    expect(mails).toMatchObject([{ subject: 'You got 120 points at Corner Café' }]);
  });
});

describe('somebody who wants to be told each time', () => {
  beforeEach(() => choices.change(db, userId, { points: 'each' }));

  it('is told of sales less what was refunded at once, and of none that was void', async () => {
    await earn(50);
    await tick();
    const refund = (id: PaymentId, points: number) =>
      db.transaction(async (tx) => {
        const refunded = { refundedMinorUnits: points, pointsReversed: points };
        await tx('payments').where({ id }).update(refunded);
        const of = { reason: 'payment_refunded', sourceType: 'payment', sourceId: id } as const;
        await postByHand(tx, [{ ...aDebit(walletId, points), ...of }]);
      });
    await refund(await earn(100), 100);
    await refund(await earn(80), 20);
    await tick();
    await refund(await earn(30), 30);
    await tick();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'You got 50 points at Corner Café',
      'You got 60 points at Corner Café',
    ]);
  });

  it('is told each time, once', async () => {
    await earn(100);
    await tick();
    await earn(20);
    await tick();
    await tick();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'You got 100 points at Corner Café',
      'You got 20 points at Corner Café',
    ]);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2);
  });

  it('is told of what came while they were being told, and of nothing twice', async () => {
    await earn(100);
    await look();
    await minutePasses();
    const send = mailer.send;
    const slow: Mailer = {
      ...mailer,
      async send(mail) {
        await earn(20);
        await look();
        await send(mail);
      },
    };
    await doWork(deps, tellOfPoints({ ...deps, mailer: slow }));
    expect(mails).toHaveLength(1);
    await tick();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'You got 100 points at Corner Café',
      'You got 20 points at Corner Café',
    ]);
  });

  it('gets the same mail again where the worker was killed before it was recorded', async () => {
    await earn(100);
    await look();
    await minutePasses();
    const killed: Mailer = {
      ...mailer,
      async send(mail) {
        await mailer.send(mail);
        throw new Error('Killed.');
      },
    };
    await doWork(deps, tellOfPoints({ ...deps, mailer: killed }));
    await tick();
    await tick();
    expect(mails).toHaveLength(2);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('is told once the mail server is back', async () => {
    isAway = true;
    await earn(100);
    await tick();
    isAway = false;
    await tick();
    expect(mails).toHaveLength(1);
  });
});

describe('nothing is told', () => {
  const setUser = (columns: object) => db('users').where({ id: userId }).update(columns);
  it.each([
    ['who wants no mails', () => choices.change(db, userId, { points: 'never' })],
    ['whose address is not verified', () => setUser({ emailVerified: false })],
    ['who is suspended', () => setUser({ status: 'suspended' })],
    ['whose wallet is frozen', () => db('wallets').where({ userId }).update({ status: 'frozen' })],
    [
      'whose shop is suspended',
      () => db('tenants').where({ id: tenantId }).update({ suspendedAt: db.fn.now() }),
    ],
  ])('to somebody %s', async (_, happen) => {
    await earn(100);
    await look();
    await happen();
    await minutePasses();
    await tell();
    expect(mails).toEqual([]);
    expect(await due()).toEqual([]);
  });
});

it('of several that look at once, one notes each entry', async () => {
  await choices.change(db, userId, { points: 'each' });
  await earn(100);
  await Promise.all(Array.from({ length: 5 }, look));
  await tick();
  expect(mails).toHaveLength(1);
});
