import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { RedemptionId } from '../../domain/ids.ts';
import type { Mail, Mailer } from '../../gateways/mail/mailer.ts';
import { followRedemptions } from '../../workflows/follow-redemptions.ts';
import { redemptionWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import { required } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { aRedemption } from '../support/points/redemptions.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();

it('a worker that is killed in a batch: another mails the rest, none twice', async () => {
  const emails = Array.from({ length: 12 }, () => `${randomUUID()}@example.com`);
  const ids: RedemptionId[] = [];
  for (const email of emails) ids.push((await aRedemption(db, { email })).id);
  const sent: string[] = [];
  const recording = (behaviour: (mail: Mail) => Promise<void>): Mailer => ({
    async send(mail) {
      await behaviour(mail);
      sent.push(mail.to);
    },
    async close() {},
  });
  const working = (mailer: Mailer, work: () => Promise<unknown>) =>
    temporal.withOwnWorker(activityDeps(db, { mailer }), work);
  let isStuck = false;
  const stuck = recording(async () => {
    if (sent.length < 4) return;
    isStuck = true;
    await new Promise(() => undefined);
  });
  const handle = await temporal.client.workflow.start(followRedemptions, {
    taskQueue: TASK_QUEUE,
    workflowId: redemptionWorkflowId(required(ids[0])),
    args: [ids],
  });
  // Its grace ends before the mails do, as if it was killed.
  const untilStuck = () => expect.poll(() => isStuck, { timeout: 30_000 }).toBe(true);
  await working(stuck, untilStuck).catch(() => undefined);
  // The server waits for its heartbeat first.
  const unmailed = () => db('redemptions').whereIn('id', ids).whereNull('codeMailedAt');
  const untilMailed = () =>
    expect.poll(async () => (await unmailed()).length, { timeout: 90_000 }).toBe(0);
  await working(
    recording(async () => undefined),
    untilMailed,
  );
  expect(sent.toSorted()).toEqual(emails.toSorted());
  await handle.terminate();
}, 180_000);
