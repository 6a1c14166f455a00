import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createRedemptionMailActivities } from '../../../activities/redemptions/mails.ts';
import { follow } from '../../../db/redemptions/following.ts';
import * as closing from '../../../db/redemptions/lifecycle.ts';
import type { RedemptionId } from '../../../domain/ids.ts';
import { createMailer } from '../../../gateways/mail/mailer.ts';
import { startMailSink } from '../../../sandbox/mail/sink.ts';
import { aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aRedemption, expiresIn, redemptionRow } from '../../support/points/redemptions.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;
const dir = await mkdtemp(join(tmpdir(), 'loyalty-mails-'));
const sink = await startMailSink({ port: 0, webPort: 0, dir });
const mailer = createMailer({ url: sink.smtpUrl, from: 'Loyalty <loyalty@example.com>' });
afterAll(async () => {
  await mailer.close();
  await sink.stop();
  await rm(dir, { recursive: true, force: true });
});

let email: string;
beforeEach(() => {
  email = `${randomUUID()}@example.com`;
});
const activities = (deps = {}) =>
  createRedemptionMailActivities(activityDeps(db, { mailer, ...deps }));
const SENT = { sent: 1, undeliverable: 0 };
const UNDELIVERABLE = { sent: 0, undeliverable: 1 };
const UNNEEDED = { sent: 0, undeliverable: 0 };
/** A run that follows one redemption. */
const followed = async (id: RedemptionId) => {
  const batch = { runId: randomUUID(), ids: [id] };
  await follow(db, batch);
  return batch;
};
const mails = () => sink.mails().filter(({ recipients }) => recipients.includes(email));

describe('mailCodes', () => {
  it('mails the code to its owner, once', async () => {
    const { id, code } = await aRedemption(db, { email });
    const batch = await followed(id);
    expect(await activities().mailCodes(batch)).toEqual(SENT);
    expect(await activities().mailCodes(batch)).toEqual(UNNEEDED);
    expect(mails()).toHaveLength(1);
    expect(mails()[0]?.text).toContain(code);
    expect(mails()[0]?.subject).not.toContain(code);
    expect((await redemptionRow(db, id)).codeMailedAt).not.toBeNull();
  });

  it('mails in the language of the owner', async () => {
    const userId = await aUser(db, { email, language: 'de' });
    const { id } = await aRedemption(db, { walletId: await aWallet(db, { userId, balance: 100 }) });
    await activities().mailCodes(await followed(id));
    expect(mails()[0]?.subject).toBe('Dein Code für Shop');
  });

  it('mails the first code at once, and those of the next minute in one mail', async () => {
    const first = await aRedemption(db, { email, points: 10 });
    const { walletId } = first;
    expect(await activities().mailCodes(await followed(first.id))).toEqual(SENT);

    // Each of the others is followed by a run of its own.
    const [second, third] = [
      await aRedemption(db, { walletId, points: 11 }),
      await aRedemption(db, { walletId, points: 12 }),
    ];
    const runs = [await followed(second.id), await followed(third.id)] as const;
    const tooSoon = { name: 'TooSoon', waitMs: expect.any(Number) };
    for (const run of runs) {
      await expect(activities().mailCodes(run)).rejects.toMatchObject(tooSoon);
    }
    expect(mails()).toHaveLength(1);

    await db('redemptions')
      .where({ id: first.id })
      .update({ codeMailedAt: db.raw(`now() - interval '61 seconds'`) });
    // The first of those that wait mails them all.
    await expect(activities().mailCodes(runs[1])).rejects.toMatchObject(tooSoon);
    expect(await activities().mailCodes(runs[0])).toEqual({ sent: 2, undeliverable: 0 });
    expect(await activities().mailCodes(runs[1])).toEqual(UNNEEDED);
    expect(mails()).toHaveLength(2);
    const both = mails().find(({ subject }) => subject.includes('2 codes'));
    expect(both?.text).toContain(second.code);
    expect(both?.text).toContain(third.code);
    expect(both?.text).not.toContain(first.code);
  });

  it('a code that cannot be mailed holds up the others of its wallet for two minutes', async () => {
    const stuck = await aRedemption(db, { email, points: 10 });
    const { walletId } = stuck;
    const run = await followed((await aRedemption(db, { walletId, points: 11 })).id);
    await expect(activities().mailCodes(run)).rejects.toMatchObject({ name: 'TooSoon' });
    await db('redemptions')
      .where({ id: stuck.id })
      .update({ createdAt: db.raw(`now() - interval '121 seconds'`) });
    expect(await activities().mailCodes(run)).toEqual(SENT);
  });

  it('mails codes of two shops to one person at once', async () => {
    const one = await aRedemption(db, { email });
    const walletId = await aWallet(db, { userId: one.userId, balance: 100 });
    const other = await aRedemption(db, { walletId });
    for (const { id } of [one, other]) {
      expect(await activities().mailCodes(await followed(id))).toEqual(SENT);
    }
    expect(mails()).toHaveLength(2);
  });

  it('says in text and in HTML what the code is worth, with the logo of the shop', async () => {
    const redeemed = { email, points: 50, currency: 'KWD' };
    const { id, tenantId, code } = await aRedemption(db, redeemed);
    const batch = await followed(id);
    await db('tenants').where({ id: tenantId }).update({
      name: 'Fish & <b>Chips</b>',
      logoPath: '5f0c6a1e9b7d4c3286a1d0e4f7b9c2a5.webp',
    });
    await activities().mailCodes(batch);
    const [mail] = mails();
    expect(mail?.text).toContain('It is worth KWD\u00a00.050 (50 points).');
    expect(mail?.text).toContain('Fish & <b>Chips</b>');
    expect(mail?.text).toContain('you get your 50 points back');
    expect(mail?.html?.replaceAll(/<[^>]*>/g, '')).toContain(code);
    expect(mail?.html).toContain('Fish &amp; &lt;b&gt;Chips&lt;/b&gt;');
    expect(mail?.html).toContain(
      'src="https://api.shop.example/objects/5f0c6a1e9b7d4c3286a1d0e4f7b9c2a5.webp"',
    );
  });

  it('says that the points will be lost where that is the policy', async () => {
    const { id } = await aRedemption(db, { email });
    const batch = await followed(id);
    await activities({ expiredCodes: 'forfeit' }).mailCodes(batch);
    expect(mails()[0]?.text).toContain('you lose its 30 points');
  });

  it('sends nothing when the code has expired, settled or not', async () => {
    const { id } = await aRedemption(db, { email });
    const batch = await followed(id);
    await expiresIn(db, [id], 0);
    expect(await activities().mailCodes(batch)).toEqual(UNNEEDED);
    await closing.expireOne(db, id, 'refund');
    expect(await activities().mailCodes(batch)).toEqual(UNNEEDED);
    expect(mails()).toEqual([]);
  });

  it('sends nothing when its owner has cancelled it, as for its expiry', async () => {
    const { id, userId } = await aRedemption(db, { email });
    const batch = await followed(id);
    await db.transaction((tx) => closing.cancel(tx, { id, userId }));
    expect(await activities().mailCodes(batch)).toEqual(UNNEEDED);
    expect(await activities().mailExpiries(batch)).toEqual(UNNEEDED);
    expect(mails()).toEqual([]);
  });

  it('counts as undeliverable without a verified address, and does not retry', async () => {
    const { id, userId } = await aRedemption(db, { email });
    const batch = await followed(id);
    await db('users').where({ id: userId }).update({ emailVerified: false });
    expect(await activities().mailCodes(batch)).toEqual(UNDELIVERABLE);
    expect(mails()).toEqual([]);
    expect((await redemptionRow(db, id)).codeMailedAt).not.toBeNull();
  });

  it('throws without naming the owner during an outage, then sends the mail', async () => {
    const { id, code } = await aRedemption(db, { email });
    const batch = await followed(id);
    const nowhere = createMailer({ url: 'smtp://127.0.0.1:9', from: 'loyalty@example.com' });
    const failure = await activities({ mailer: nowhere })
      .mailCodes(batch)
      .catch((error: unknown) => error);
    await nowhere.close();
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toContain(email);
    expect(String(failure)).not.toContain(code);
    expect(await activities().mailCodes(batch)).toEqual(SENT);
  });
});

describe('mailExpiries', () => {
  it.each([
    ['refund', 'Your 30 points for Shop are back'],
    ['forfeit', 'Your code for Shop has expired'],
  ] as const)('under the policy %s mails “%s”, once', async (policy, subject) => {
    const { id } = await aRedemption(db, { email });
    const batch = await followed(id);
    await expiresIn(db, [id], -1);
    expect(await activities().mailExpiries(batch)).toEqual(UNNEEDED);
    await closing.expireOne(db, id, policy);
    expect(await activities().mailExpiries(batch)).toEqual(SENT);
    expect(await activities().mailExpiries(batch)).toEqual(UNNEEDED);
    expect(mails()).toMatchObject([{ subject }]);
    expect((await redemptionRow(db, id)).expiryToldAt).not.toBeNull();
  });

  it('counts as undeliverable for an invalid address, and does not retry', async () => {
    const { id, userId } = await aRedemption(db, { email });
    const batch = await followed(id);
    await db('users').where({ id: userId }).update({ email: 'no address' });
    await expiresIn(db, [id], -1);
    await closing.expireOne(db, id, 'refund');
    expect(await activities().mailExpiries(batch)).toEqual(UNDELIVERABLE);
    expect((await redemptionRow(db, id)).expiryToldAt).not.toBeNull();
  });
});
