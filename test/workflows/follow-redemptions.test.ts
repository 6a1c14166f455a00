import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Db } from '../../db/connection.ts';
import * as lifecycle from '../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../db/redemptions/redemptions.ts';
import { createMailer, type Mailer } from '../../gateways/mail/mailer.ts';
import { startMailSink } from '../../sandbox/mail/sink.ts';
import { followRedemptions } from '../../workflows/follow-redemptions.ts';
import { redemptionWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import { aUser, required } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  type Issued,
  redemptionRow,
  testCodes,
} from '../support/points/redemptions.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { payloadsOf } from '../support/temporal/test-temporal.ts';
import { expectDocumentedActions } from './actions.ts';

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

type Followed = Issued & { email: string };

async function someRedemptions(count: number): Promise<Followed[]> {
  const issued: Followed[] = [];
  for (let nth = 0; nth < count; nth++) {
    const email = `${randomUUID()}@example.com`;
    issued.push({ ...(await aRedemption(db, { email })), email });
  }
  return issued;
}
const idsOf = (issued: readonly Issued[]) => issued.map(({ id }) => id);
const idOf = (issued: readonly Issued[]) => redemptionWorkflowId(required(issued[0]).id);
const start = (issued: readonly Issued[], workflowId = idOf(issued)) =>
  temporal.client.workflow.start(followRedemptions, {
    taskQueue: TASK_QUEUE,
    workflowId,
    args: [idsOf(issued)],
  });

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
const subjectsTo = ({ email }: Followed) =>
  sink
    .mails()
    .filter(({ recipients }) => recipients.includes(email))
    .map(({ subject }) => subject)
    .toReversed();
const CODE = 'Your code for Shop';
const BACK = 'Your 30 points for Shop are back';

const eachMailed = async (issued: readonly Issued[], timeout = 30_000) => {
  const unmailed = () => db('redemptions').whereIn('id', idsOf(issued)).whereNull('codeMailedAt');
  await expect.poll(async () => (await unmailed()).length, { timeout }).toBe(0);
};
const expectNothingPersonal = (history: string, issued: readonly Followed[]) => {
  const said = `${payloadsOf(history)} ${history}`;
  expect(said).toContain(issued[0]?.id);
  for (const { code, email } of issued) {
    expect(said.toUpperCase()).not.toContain(code);
    expect(said).not.toContain(email);
  }
};

describe('followRedemptions', () => {
  it('mails each code, refunds unused ones at their expiry, and informs their owners', async () => {
    const issued = await someRedemptions(6);
    const [used, open] = [issued.slice(0, 2), issued.slice(2)];
    const summary = await working(async () => {
      // Long enough for the mails to be sent first, even on a busy machine.
      await expiresIn(db, idsOf(issued), 8);
      const handle = await start(issued);
      await eachMailed(issued);
      for (const one of used) await burn(one);
      return handle.result();
    });
    expect(summary).toEqual({
      used: 2,
      expired: 4,
      codeMails: { sent: 6, undeliverable: 0 },
      expiryMails: { sent: 4, undeliverable: 0 },
    });
    for (const one of used) {
      expect(subjectsTo(one)).toEqual([CODE]);
      expect(await balanceOf(db, one.walletId)).toBe(70);
    }
    for (const one of open) {
      expect(subjectsTo(one)).toEqual([CODE, BACK]);
      expect(await balanceOf(db, one.walletId)).toBe(100);
      const row = await redemptionRow(db, one.id);
      expect(row.expiredAt?.getTime()).toBeGreaterThanOrEqual(row.expiresAt.getTime());
    }
    const history = await temporal.history(idOf(issued), 'follow-redemptions.mixed');
    expectNothingPersonal(history, issued);
    const { memo } = await temporal.client.workflow.getHandle(idOf(issued)).describe();
    expect(memo).toEqual({
      summary: '2 codes used, 4 expired. Code mails 6 sent, expiry mails 4 sent.',
    });
  });

  it('ends at the expiry without another mail when every code was used', async () => {
    const issued = await someRedemptions(1);
    const summary = await working(async () => {
      await expiresIn(db, idsOf(issued), 5);
      const handle = await start(issued);
      await eachMailed(issued);
      for (const one of issued) await burn(one);
      return handle.result();
    });
    expect(summary).toMatchObject({ used: 1, expired: 0, expiryMails: { sent: 0 } });
    expect(subjectsTo(required(issued[0]))).toEqual([CODE]);
    const history = await temporal.history(idOf(issued), 'follow-redemptions.used');
    expectDocumentedActions('a code: its mail, and the end of its life', history);
  });

  it('mails nothing about the expiry of a code that its owner cancelled', async () => {
    const issued = await someRedemptions(2);
    const [cancelled, open] = [required(issued[0]), required(issued[1])];
    const summary = await working(async () => {
      await expiresIn(db, idsOf(issued), 6);
      const handle = await start(issued);
      await eachMailed(issued);
      await db.transaction((tx) => lifecycle.cancel(tx, cancelled));
      return handle.result();
    });
    expect(summary).toMatchObject({ used: 0, expired: 2, expiryMails: { sent: 1 } });
    expect(subjectsTo(cancelled)).toEqual([CODE]);
    expect(subjectsTo(open)).toEqual([CODE, BACK]);
    expect(await balanceOf(db, cancelled.walletId)).toBe(100);
  });

  it('expires each code at its own time', async () => {
    const issued = await someRedemptions(2);
    const [first, second] = [required(issued[0]), required(issued[1])];
    await working(async () => {
      await expiresIn(db, [first.id], 2);
      await expiresIn(db, [second.id], 60);
      const handle = await start(issued);
      const told = async () => (await redemptionRow(db, first.id)).expiryToldAt;
      await expect.poll(told, { timeout: 30_000 }).not.toBeNull();
      expect(await redemptionRow(db, second.id)).toMatchObject({ status: 'issued' });
      await handle.terminate();
    });
    expect(subjectsTo(first).at(-1)).toBe(BACK);
    expect(subjectsTo(second)).toEqual([CODE]);
  });

  it('started late: expires overdue codes without mailing them', async () => {
    const issued = await someRedemptions(2);
    await expiresIn(db, idsOf(issued), -60);
    // Reconcile was there first for one of them.
    await lifecycle.expireGiven(db, 'refund', idsOf(issued).slice(0, 1));
    const summary = await working(async () => (await start(issued)).result());
    expect(summary).toMatchObject({ expired: 2, codeMails: { sent: 0 }, expiryMails: { sent: 2 } });
    for (const one of issued) {
      expect(subjectsTo(one)).toEqual([BACK]);
      expect(await balanceOf(db, one.walletId)).toBe(100);
    }
    await temporal.history(idOf(issued), 'follow-redemptions.late');
  });

  it('several runs for the same redemptions at once: mails each code and expiry once', async () => {
    const issued = await someRedemptions(10);
    await working(async () => {
      await expiresIn(db, idsOf(issued), 6);
      const runs = await Promise.all(
        [issued, issued.toReversed(), issued.slice(3)].map((some) =>
          start(some, `redemption/test/${randomUUID()}`),
        ),
      );
      await Promise.all(runs.map((handle) => handle.result()));
    });
    for (const one of issued) {
      expect(subjectsTo(one)).toEqual([CODE, BACK]);
      expect(await balanceOf(db, one.walletId)).toBe(100);
    }
  });

  it('mail server down: has points refunded on time, and informs the owners later', async () => {
    const issued = await someRedemptions(3);
    let isBack = false;
    const flaky: Mailer = {
      send: (mail) => (isBack ? mailer.send(mail) : Promise.reject(new Error('no server'))),
      async close() {},
    };
    const summary = await working(
      async () => {
        await expiresIn(db, idsOf(issued), 4);
        const handle = await start(issued);
        const expired = () =>
          db('redemptions').whereIn('id', idsOf(issued)).where({ status: 'expired' });
        await expect.poll(async () => (await expired()).length, { timeout: 30_000 }).toBe(3);
        isBack = true;
        return handle.result();
      },
      { mailer: flaky },
    );
    expect(summary).toMatchObject({ expired: 3, codeMails: null, expiryMails: { sent: 3 } });
    for (const one of issued) expect(subjectsTo(one)).toEqual([BACK]);
    const history = await temporal.history(idOf(issued), 'follow-redemptions.no-mail-server');
    expectNothingPersonal(history, issued);
  });

  it('Postgres down at the expiry: continues when it is back', async () => {
    const issued = await someRedemptions(2);
    let failures = 0;
    let isAway = false;
    const flaky: Db = new Proxy(db, {
      get: (target, name, receiver) =>
        name === 'transaction' && failures < 5 && isAway
          ? () => {
              failures++;
              return Promise.reject(new Error('Connection terminated unexpectedly'));
            }
          : Reflect.get(target, name, receiver),
    });
    const summary = await working(
      async () => {
        await expiresIn(db, idsOf(issued), 5);
        const handle = await start(issued);
        await eachMailed(issued);
        isAway = true;
        return handle.result();
      },
      { db: flaky },
    );
    // Three by the worker's own retries, the others by the server's.
    expect(failures).toBe(5);
    expect(summary).toMatchObject({ expired: 2, expiryMails: { sent: 2 } });
    await temporal.history(idOf(issued), 'follow-redemptions.outage');
  });

  it('is cancelled, not completed, when that happens during the mails of the expiry', async () => {
    const issued = await someRedemptions(1);
    await expiresIn(db, idsOf(issued), -1);
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
