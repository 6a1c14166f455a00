import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { RedemptionId } from '../../../domain/ids.ts';
import { createMailer } from '../../../gateways/mail/mailer.ts';
import { letCodesRunOut, listOpenCodes } from '../../../sandbox/developer/codes.ts';
import { startMailSink } from '../../../sandbox/mail/sink.ts';
import { followRedemptions } from '../../../workflows/follow-redemptions.ts';
import { redemptionWorkflowId, TASK_QUEUE } from '../../../workflows/ids.ts';
import { useDatabase, useTemporal } from '../../support/fixtures.ts';
import { aRedemption, balanceOf, redemptionRow } from '../../support/points/redemptions.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();
const place = { db, temporal, namespace: temporal.namespace };
const dir = await mkdtemp(join(tmpdir(), 'loyalty-codes-'));
const sink = await startMailSink({ port: 0, webPort: 0, dir });
const mailer = createMailer({ url: sink.smtpUrl, from: 'Loyalty <loyalty@example.com>' });
afterAll(async () => {
  await mailer.close();
  await sink.stop();
  await rm(dir, { recursive: true, force: true });
});

const SOON = { timeout: 30_000, interval: 50 };
const idsOf = (codes: readonly { id: string }[]) => codes.map(({ id }) => id);

it('codes run out at once, and the service returns points and mails owners as usual', async () => {
  const one = await aRedemption(db, { email: 'one@example.com' });
  const other = await aRedemption(db, { email: 'other@example.com' });
  expect(idsOf(await listOpenCodes(db))).toEqual([one.id, other.id]);

  await temporal.withWorker(activityDeps(db, { mailer }), async () => {
    // The run that followed the codes when they were issued, which sleeps for a quarter of an hour.
    const sleeping = await temporal.client.workflow.start(followRedemptions, {
      taskQueue: TASK_QUEUE,
      workflowId: redemptionWorkflowId(one.id),
      args: [[one.id, other.id]],
    });
    const mailedAt = async () => (await redemptionRow(db, other.id)).codeMailedAt;
    await expect.poll(mailedAt, SOON).not.toBeNull();

    expect(await letCodesRunOut(place, one.id)).toBe(1);
    expect(await letCodesRunOut(place, one.id)).toBe(0);
    const toldAt = (id: RedemptionId) => async () => (await redemptionRow(db, id)).expiryToldAt;
    await expect.poll(toldAt(one.id), SOON).not.toBeNull();
    expect(await balanceOf(db, one.walletId)).toBe(100);
    expect(await balanceOf(db, other.walletId)).toBe(70);
    expect(idsOf(await listOpenCodes(db))).toEqual([other.id]);

    expect(await letCodesRunOut(place)).toBe(1);
    await expect.poll(() => balanceOf(db, other.walletId), SOON).toBe(100);
    // The mail follows the points.
    await expect.poll(toldAt(other.id), SOON).not.toBeNull();
    await sleeping.terminate();
  });
  const told = sink.mails().filter(({ subject }) => subject.endsWith('are back'));
  expect(told.map(({ recipients }) => recipients[0]).sort()).toEqual([
    'one@example.com',
    'other@example.com',
  ]);
});

it('no code that can be used: nothing is started', async () => {
  expect(await letCodesRunOut({ db, temporal: { address: '127.0.0.1:9' } })).toBe(0);
});
