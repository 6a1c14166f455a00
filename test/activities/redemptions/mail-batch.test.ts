import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedemptionActivities } from '../../../activities/redemptions/index.ts';
import { createRedemptionMailActivities } from '../../../activities/redemptions/mails.ts';
import type { Db } from '../../../db/connection.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import type { UserId } from '../../../domain/ids.ts';
import { type Mail, MailError } from '../../../gateways/mail/mailer.ts';
import { aUser, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  aRedemption,
  expiresIn,
  type Issued,
  testCodes,
} from '../../support/points/redemptions.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

type Behaviour = (mail: Mail) => Promise<void> | void;

function mailing(behaviour: Behaviour = () => undefined, on: Db = db) {
  const sent: Mail[] = [];
  let atOnce = 0;
  let most = 0;
  const mailer = {
    async send(mail: Mail) {
      most = Math.max(most, ++atOnce);
      try {
        await new Promise((resolve) => setTimeout(resolve, 2));
        await behaviour(mail);
        sent.push(mail);
      } finally {
        atOnce--;
      }
    },
    async close() {},
  };
  const activities = createRedemptionMailActivities(activityDeps(on, { mailer }));
  return { sent, most: () => most, ...activities };
}

async function aBatch(size: number) {
  const issued: Issued[] = [];
  for (let nth = 0; nth < size; nth++) {
    issued.push(await aRedemption(db, { email: `${randomUUID()}@example.com` }));
  }
  const batch = { runId: randomUUID(), ids: issued.map(({ id }) => id) };
  const { followRedemptions } = createRedemptionActivities(activityDeps(db));
  await followRedemptions(batch);
  return { issued, batch };
}
const emailOf = async (id: UserId): Promise<string> =>
  required(await db('users').where({ id }).first<{ email: string }>('email')).email;
const mailedCount = async (ids: readonly string[]) =>
  (await db('redemptions').whereIn('id', ids).whereNotNull('codeMailedAt')).length;
const burn = (issued: Issued) =>
  db.transaction(async (tx) =>
    redemptions.burn(tx, {
      tenantId: issued.tenantId,
      hmacs: testCodes.hmacsOf(issued.code),
      operatorId: await aUser(tx),
    }),
  );

describe('mailCodes', () => {
  it('mails every code once to its owner, a few at a time, however often it runs', async () => {
    const { issued, batch } = await aBatch(60);
    const { sent, most, mailCodes } = mailing();
    expect(await mailCodes(batch)).toEqual({ sent: 60, undeliverable: 0 });
    expect(await mailCodes(batch)).toEqual({ sent: 0, undeliverable: 0 });
    expect(most()).toBe(5);
    expect(new Set(sent.map(({ messageId }) => messageId))).toHaveProperty('size', 60);
    for (const { id, userId, code } of issued) {
      const mail = required(sent.find(({ messageId }) => messageId === `redemption-code-${id}`));
      expect(mail.to).toBe(await emailOf(userId));
      expect(mail.text).toContain(code);
    }
    expect(await mailedCount(batch.ids)).toBe(60);
  });

  it('mails neither used codes, nor expired ones, nor those of another run', async () => {
    const { issued, batch } = await aBatch(3);
    await burn(required(issued[0]));
    await expiresIn(db, batch.ids.slice(1, 2), -1);
    const { sent, mailCodes } = mailing();
    expect(await mailCodes({ ...batch, runId: randomUUID() })).toEqual({
      sent: 0,
      undeliverable: 0,
    });
    expect(await mailCodes(batch)).toEqual({ sent: 1, undeliverable: 0 });
    expect(sent[0]?.text).toContain(issued[2]?.code);
  });

  it('mails no code that was used while the ones before it were mailed', async () => {
    const { issued, batch } = await aBatch(40);
    const last = required(issued.at(-1));
    let isBurned = false;
    const { sent, mailCodes } = mailing(async () => {
      if (isBurned) return;
      isBurned = true;
      await burn(last);
    });
    expect(await mailCodes(batch)).toEqual({ sent: 39, undeliverable: 0 });
    expect(sent.map(({ text }) => text).join()).not.toContain(last.code);
  });

  it.each([
    ['refuses an address for good', new MailError('550', false), 1],
    ['refuses an address for now', new MailError('450', true, true), 0],
  ])('a server that %s: mails the others', async (_, error, undeliverable) => {
    const { issued, batch } = await aBatch(12);
    const refused = await emailOf(required(issued[3]).userId);
    const { sent, mailCodes } = mailing(({ to }) => {
      if (to === refused) throw error;
    });
    const outcome = mailCodes(batch);
    if (undeliverable === 1) expect(await outcome).toEqual({ sent: 11, undeliverable });
    else await expect(outcome).rejects.toBe(error);
    expect(sent).toHaveLength(11);
    expect(await mailedCount(batch.ids)).toBe(11 + undeliverable);
    // Tried again, only the one that is left is sent.
    const again = mailing();
    expect(await again.mailCodes(batch)).toEqual({ sent: 1 - undeliverable, undeliverable: 0 });
  });

  it('a code that cannot be read any more: mails the others', async () => {
    const { batch } = await aBatch(8);
    const [unreadable] = batch.ids;
    await db('redemptions').where({ id: unreadable }).update({ sealedCode: 'v1.k1.altered' });
    const { sent, mailCodes } = mailing();
    await expect(mailCodes(batch)).rejects.toThrow();
    expect(sent).toHaveLength(7);
  });

  it('a server that is away: asks it for no other mail, and goes on where it stopped', async () => {
    const { batch } = await aBatch(40);
    let asked = 0;
    const away = mailing(() => {
      asked++;
      if (asked > 10) throw new MailError('The mail server could not be reached.', true);
    });
    await expect(away.mailCodes(batch)).rejects.toThrow('could not be reached');
    expect(asked).toBeLessThanOrEqual(15);
    expect(await mailedCount(batch.ids)).toBe(away.sent.length);
    const back = mailing();
    expect(await back.mailCodes(batch)).toEqual({ sent: 40 - away.sent.length, undeliverable: 0 });
  });

  it('a database that cannot record what was sent: gives up after few mails', async () => {
    const { batch } = await aBatch(60);
    const readOnly = new Proxy(db, {
      get: (target, name, receiver) =>
        name === 'raw'
          ? (sql: string, ...others: []) =>
              sql.includes('code_mailed_at =')
                ? Promise.reject(new Error('connect ECONNREFUSED'))
                : target.raw(sql, ...others)
          : Reflect.get(target, name, receiver),
    });
    const { sent, mailCodes } = mailing(undefined, readOnly);
    await expect(mailCodes(batch)).rejects.toThrow('ECONNREFUSED');
    expect(sent.length).toBeLessThanOrEqual(25);
  });
});

describe('mailExpiries', () => {
  it('mails the owners of expired codes only, once, and keeps them with its run', async () => {
    const { issued, batch } = await aBatch(5);
    await burn(required(issued[0]));
    await expiresIn(db, batch.ids.slice(1, 4), -1);
    const { expireRedemptions, followRedemptions } = createRedemptionActivities(activityDeps(db));
    await expireRedemptions(batch);
    await db.raw(`update redemptions set followed_at = now() - interval '1 hour'`);
    const others: unknown[] = [];
    const { sent, mailExpiries } = mailing(async () => {
      // Another run that comes while this one mails finds that it is there.
      others.push(await followRedemptions({ ...batch, runId: randomUUID() }));
    });
    expect(await mailExpiries(batch)).toEqual({ sent: 3, undeliverable: 0 });
    expect(await mailExpiries(batch)).toEqual({ sent: 0, undeliverable: 0 });
    expect(sent.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 3 }, () => 'Your 30 points for Shop are back'),
    );
    for (const other of others) expect(other).toMatchObject({ expired: 0, uninformed: 0 });
    expect(others).toHaveLength(3);
  });
});
