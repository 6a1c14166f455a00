import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as lifecycle from '../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../db/redemptions/redemptions.ts';
import { createMailer, type Mailer } from '../../gateways/mail/mailer.ts';
import { startMailSink } from '../../sandbox/mail/sink.ts';
import { redemptionWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import { redemptionClosed } from '../../workflows/messages.ts';
import { redemption } from '../../workflows/redemption.ts';
import { activityDeps } from '../support/activity-deps.ts';
import { aUser } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  type Issued,
  redemptionRow,
  testCodes,
} from '../support/redemptions.ts';
import { payloadsOf } from '../support/temporal.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
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

const start = ({ id }: Issued) =>
  temporal.client.workflow.start(redemption, {
    taskQueue: TASK_QUEUE,
    workflowId: redemptionWorkflowId(id),
    args: [id],
  });
const handleOf = ({ id }: Issued) =>
  temporal.client.workflow.getHandle<typeof redemption>(redemptionWorkflowId(id));

const working = <T>(work: () => Promise<T>, deps = {}) =>
  temporal.withWorker(activityDeps(db, { mailer, ...deps }), work);

const burn = (issued: Issued) =>
  db.transaction(async (tx) =>
    redemptions.burn(tx, {
      tenantId: issued.tenantId,
      hmacs: testCodes.hmacsOf(issued.code),
      operatorId: await aUser(tx),
    }),
  );
const subjects = () =>
  sink
    .mails()
    .filter(({ recipients }) => recipients.includes(email))
    .map(({ subject }) => subject)
    .toReversed();
const mailed = (issued: Issued) =>
  expect
    .poll(async () => (await redemptionRow(db, issued.id)).codeMailedAt, { timeout: 10_000 })
    .not.toBeNull();

describe('redemption', () => {
  it('used: mails the code, and ends when the till burns it', async () => {
    const issued = await aRedemption(db, { email });
    const summary = await working(async () => {
      const handle = await start(issued);
      await mailed(issued);
      await burn(issued);
      await handle.signal(redemptionClosed);
      return handle.result();
    });
    expect(summary).toEqual({ status: 'used', codeMail: 'sent', expiryMail: null });
    expect(subjects()).toEqual(['Your redemption code for Shop']);
    expect(await balanceOf(db, issued.walletId)).toBe(70);

    const history = await temporal.history(redemptionWorkflowId(issued.id), 'redemption.used');
    const said = `${payloadsOf(history)} ${history}`;
    expect(said).toContain(issued.id);
    expect(said.toUpperCase()).not.toContain(issued.code);
    expect(said).not.toContain(email);
    const described = await handleOf(issued).describe();
    expect(described.memo).toEqual({ summary: 'Code mail sent; code used.' });
  });

  it('expired: refunds the points at the expiry, and informs the owner', async () => {
    const issued = await aRedemption(db, { email });
    const summary = await working(async () => {
      // Long enough for the mail to be sent first, even on a busy machine.
      await expiresIn(db, [issued.id], 6);
      return (await start(issued)).result();
    });
    expect(summary).toEqual({ status: 'expired', codeMail: 'sent', expiryMail: 'sent' });
    expect(subjects()).toEqual([
      'Your redemption code for Shop',
      'Your 30 points for Shop are back',
    ]);
    expect(await balanceOf(db, issued.walletId)).toBe(100);
    const row = await redemptionRow(db, issued.id);
    expect(row.expiredAt?.getTime()).toBeGreaterThanOrEqual(row.expiresAt.getTime());

    const history = await temporal.history(redemptionWorkflowId(issued.id), 'redemption.expired');
    expect(`${payloadsOf(history)} ${history}`.toUpperCase()).not.toContain(issued.code);
  });

  it('started late: expires an overdue code without mailing it', async () => {
    const issued = await aRedemption(db, { email });
    await expiresIn(db, [issued.id], -60);
    const summary = await working(async () => (await start(issued)).result());
    expect(summary).toEqual({ status: 'expired', codeMail: 'stopped', expiryMail: 'sent' });
    expect(await balanceOf(db, issued.walletId)).toBe(100);
    await temporal.history(redemptionWorkflowId(issued.id), 'redemption.late');
  });

  it('already refunded by reconcile: only informs the owner', async () => {
    const issued = await aRedemption(db, { email });
    await expiresIn(db, [issued.id], -60);
    await lifecycle.expireOverdue(db, 'refund', 100);
    const summary = await working(async () => (await start(issued)).result());
    expect(summary).toEqual({ status: 'expired', codeMail: 'stopped', expiryMail: 'sent' });
    expect(await balanceOf(db, issued.walletId)).toBe(100);
  });

  it('continues after a signal without a burn', async () => {
    const issued = await aRedemption(db, { email });
    const summary = await working(async () => {
      const handle = await start(issued);
      await handle.signal(redemptionClosed);
      await mailed(issued);
      await handle.signal(redemptionClosed);
      await burn(issued);
      await handle.signal(redemptionClosed);
      return handle.result();
    });
    expect(summary).toMatchObject({ status: 'used', codeMail: 'sent' });
  });

  it('mail server down: stops mailing a code once it is used', async () => {
    const issued = await aRedemption(db, { email });
    const away = createMailer({ url: 'smtp://127.0.0.1:9', from: 'loyalty@example.com' });
    const summary = await working(
      async () => {
        const handle = await start(issued);
        const attempts = async () => (await handle.describe()).raw.pendingActivities?.[0]?.attempt;
        await expect.poll(attempts, { timeout: 15_000 }).toBeGreaterThan(1);
        await burn(issued);
        await handle.signal(redemptionClosed);
        return handle.result();
      },
      { mailer: away },
    );
    await away.close();
    expect(summary).toEqual({ status: 'used', codeMail: 'stopped', expiryMail: null });
    const history = await temporal.history(
      redemptionWorkflowId(issued.id),
      'redemption.no-mail-server',
    );
    expect(`${payloadsOf(history)} ${history}`).not.toContain(email);
  });

  it('Postgres down at the expiry: continues when it is back', async () => {
    const issued = await aRedemption(db, { email });
    let failures = 0;
    const flaky = new Proxy(db, {
      get: (target, name, receiver) =>
        name === 'raw' && failures < 5 && hasFollowed
          ? () => {
              failures++;
              return Promise.reject(new Error('connect ECONNREFUSED'));
            }
          : Reflect.get(target, name, receiver),
    });
    let hasFollowed = false;
    const summary = await working(
      async () => {
        await expiresIn(db, [issued.id], 6);
        const handle = await start(issued);
        await mailed(issued);
        hasFollowed = true;
        return handle.result();
      },
      { db: flaky },
    );
    // Three by the worker's own retries, the others by the server's.
    expect(failures).toBe(5);
    expect(summary).toMatchObject({ status: 'expired', expiryMail: 'sent' });
    expect(await balanceOf(db, issued.walletId)).toBe(100);
    await temporal.history(redemptionWorkflowId(issued.id), 'redemption.outage');
  });

  it('is cancelled, not completed, when that happens during the mail of the expiry', async () => {
    const issued = await aRedemption(db, { email });
    await expiresIn(db, [issued.id], -1);
    let answer: (() => void) | undefined;
    const silent: Mailer = {
      send() {
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
      async close() {},
    };
    await working(
      async () => {
        const handle = await start(issued);
        await expect.poll(() => answer, { timeout: 20_000 }).toBeDefined();
        await handle.cancel();
        await expect(handle.result()).rejects.toThrow();
        expect((await handle.describe()).status.name).toBe('CANCELLED');
        answer?.();
      },
      { mailer: silent },
    );
  });
});
