import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedemptionMailActivities } from '../../../activities/redemptions/mails.ts';
import * as following from '../../../db/redemptions/following.ts';
import * as resending from '../../../db/redemptions/resending.ts';
import type { Mail } from '../../../gateways/mail/mailer.ts';
import { aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aRedemption, expiresIn, type Issued } from '../../support/points/redemptions.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

/** A code whose run has mailed it, some time ago. */
async function aMailedCode() {
  const issued = await aRedemption(db, { email: `${randomUUID()}@example.com` });
  const first = { runId: randomUUID(), ids: [issued.id] };
  await following.follow(db, first);
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), async close() {} };
  const { mailCodes } = createRedemptionMailActivities(activityDeps(db, { mailer }));
  await mailCodes(first);
  return { issued, first, sent, mailCodes };
}
const twoMinutesLater = (id: string) =>
  db('redemptions')
    .where({ id })
    .update({ codeMailedAt: db.raw(`now() - interval '2 minutes'`) });
const state = ({ id, tenantId }: Issued) =>
  db.transaction((tx) => resending.lock(tx, tenantId, id));
const again = ({ id, tenantId }: Issued) =>
  db.transaction((tx) => resending.mailAgain(tx, tenantId, id));

describe('a code whose mail is sent again', () => {
  it('is mailed by another run, as another message, also once the first has ended', async () => {
    const { issued, first, sent, mailCodes } = await aMailedCode();
    expect(await state(issued)).toMatchObject({ isMailed: true, isMailedLately: true, resent: 0 });
    await twoMinutesLater(issued.id);
    expect(await state(issued)).toMatchObject({ isMailed: true, isMailedLately: false });
    expect(await again(issued)).toBe(1);
    expect(await state(issued)).toMatchObject({ status: 'issued', isMailed: false, resent: 1 });

    expect(await mailCodes(first)).toEqual({ sent: 0, undeliverable: 0 });
    expect(await following.findBatchProgress(db, first)).toMatchObject({ open: 0, expired: 0 });
    const second = { runId: randomUUID(), ids: [issued.id] };
    expect(await following.follow(db, second)).toMatchObject({ open: 1 });
    expect(await mailCodes(second)).toEqual({ sent: 1, undeliverable: 0 });
    expect(await mailCodes(second)).toEqual({ sent: 0, undeliverable: 0 });
    expect(sent.map(({ messageId }) => messageId)).toEqual([
      `redemption-code-${issued.id}`,
      `redemption-code-${issued.id}-again-1`,
    ]);
    expect(sent[1]?.text).toContain(issued.code);
  });

  it('is found by reconcile when the start of its run was lost', async () => {
    const { issued } = await aMailedCode();
    await twoMinutesLater(issued.id);
    await again(issued);
    await db('redemptions')
      .where({ id: issued.id })
      .update({ createdAt: db.raw(`now() - interval '3 minutes'`) });
    const unfollowed = await following.listUnfollowed(db, { after: null, limit: 100 });
    expect(unfollowed.map(({ id }) => id)).toContain(issued.id);
  });

  it('says what keeps it from that, and is found in its own shop only', async () => {
    const { issued } = await aMailedCode();
    await db('users').where({ id: issued.userId }).update({ emailVerified: false });
    expect(await state(issued)).toMatchObject({ hasAddress: false });
    await expiresIn(db, [issued.id], -1);
    expect(await state(issued)).toMatchObject({ status: 'expired', cancelled: false });
    const elsewhere = { ...issued, tenantId: await aTenant(db) };
    await expect(state(elsewhere)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
