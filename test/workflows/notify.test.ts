import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as invites from '../../db/users/invites.ts';
import type { InviteId, TenantId } from '../../domain/ids.ts';
import { createDirectory } from '../../gateways/identity/create-directory.ts';
import { type Mail, MailError, type Mailer } from '../../gateways/mail/mailer.ts';
import { inviteMailWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import { notify } from '../../workflows/notify.ts';
import { reconcile } from '../../workflows/reconcile.ts';
import { aTenant } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { anInvite as madeInvite } from '../support/people/invites.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { payloadsOf } from '../support/temporal/test-temporal.ts';
import { expectDocumentedActions } from './actions.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();

let mails: Mail[];
let failures: MailError[];
beforeEach(() => {
  mails = [];
  failures = [];
});

const mailer: Mailer = {
  async send(mail) {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    mails.push(mail);
  },
  async close() {},
};

const anInvite = async (like: { tenantId?: TenantId; email?: string } = {}) =>
  madeInvite(db, { tenantId: await aTenant(db, { name: 'Secret Café' }), ...like });

const working = <T>(work: () => Promise<T>) =>
  temporal.withWorker(
    activityDeps(db, { mailer, directory: createDirectory({ kind: 'mail' }) }),
    work,
  );
const start = (id: InviteId) =>
  temporal.client.workflow.start(notify, {
    taskQueue: TASK_QUEUE,
    workflowId: inviteMailWorkflowId(id),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [id],
  });

describe('notify', () => {
  it('sends the mail of an invite and records it; another run has nothing to do', async () => {
    const { id, email } = await anInvite();
    await working(async () => {
      const handle = await start(id);
      expect(await handle.result()).toBe('sent');
      expect((await handle.describe()).memo).toEqual({ summary: 'sent' });
      const history = await temporal.history(inviteMailWorkflowId(id), 'notify.sent');
      expectDocumentedActions('an invite', history);
      expect(await (await start(id)).result()).toBe('unneeded');
    });
    expect(mails.map(({ to }) => to)).toEqual([email]);
  });

  it('retries while the mail server is down, and keeps no personal data', async () => {
    const { id, email } = await anInvite();
    failures = [new MailError('The mail server could not be reached.', true)];
    expect(await working(async () => (await start(id)).result())).toBe('sent');
    expect(mails).toHaveLength(1);
    const history = await temporal.history(inviteMailWorkflowId(id), 'notify.retried');
    expect(payloadsOf(history)).toContain(id);
    for (const secret of [email, 'Secret Café', 'invited to work']) {
      expect(history + payloadsOf(history)).not.toContain(secret);
    }
  });

  it('gives up on an address that is refused permanently', async () => {
    const { id } = await anInvite();
    failures = [new MailError('The mail server answered 550 to RCPT TO.', false)];
    expect(await working(async () => (await start(id)).result())).toBe('undeliverable');
    await temporal.history(inviteMailWorkflowId(id), 'notify.undeliverable');
  });
});

describe('reconcile', () => {
  const tick = () =>
    temporal.client.workflow.execute(reconcile, {
      taskQueue: TASK_QUEUE,
      workflowId: `reconcile/${randomUUID()}`,
    });

  it('starts the mails that were committed but never started, once', async () => {
    await db('invite_mails').delete();
    await db('invites').delete();
    const made = [await anInvite(), await anInvite(), await anInvite()];
    await working(async () => {
      expect(await tick()).toMatchObject({ noticesStarted: 3 });
      for (const { id } of made) {
        const handle = temporal.client.workflow.getHandle<typeof notify>(inviteMailWorkflowId(id));
        expect(await handle.result()).toBe('sent');
      }
      expect(await tick()).toMatchObject({ noticesStarted: 0 });
    });
    expect(mails.map(({ to }) => to).sort()).toEqual(made.map(({ email }) => email).sort());
  });

  it('starts a deferred mail when its address may get one again', async () => {
    await db('invite_mails').delete();
    await db('invites').delete();
    const first = await anInvite();
    await working(async () => {
      expect(await (await start(first.id)).result()).toBe('sent');
      await invites.withdraw(db, first.tenantId, first.id);
      const { id } = await anInvite(first);
      expect(await (await start(id)).result()).toBe('deferred');
      expect(await tick()).toMatchObject({ noticesStarted: 0 });
      await db('invite_mails').update({ triedAt: db.raw(`now() - interval '1 day'`) });
      expect(await tick()).toMatchObject({ noticesStarted: 1 });
      const handle = temporal.client.workflow.getHandle<typeof notify>(inviteMailWorkflowId(id));
      expect(await handle.result()).toBe('sent');
    });
    expect(mails).toHaveLength(2);
  });

  it('leaves a run alone that is waiting for the mail server', async () => {
    await db('invite_mails').delete();
    await db('invites').delete();
    const { id } = await anInvite();
    failures = [new MailError('The mail server could not be reached.', true)];
    await working(async () => {
      const handle = await start(id);
      expect(await tick()).toMatchObject({ noticesStarted: 0 });
      expect(await handle.result()).toBe('sent');
    });
    expect(mails).toHaveLength(1);
  });

  it('starts a failed run again', async () => {
    await db('invite_mails').delete();
    await db('invites').delete();
    const { id } = await anInvite();
    await (await start(id)).terminate('as after a day without a mail server');
    await working(async () => {
      expect(await tick()).toMatchObject({ noticesStarted: 1 });
      const handle = temporal.client.workflow.getHandle<typeof notify>(inviteMailWorkflowId(id));
      expect(await handle.result()).toBe('sent');
    });
  });
});
