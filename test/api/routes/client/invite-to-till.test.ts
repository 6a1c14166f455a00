import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createOrchestrator } from '../../../../api/temporal/orchestrator.ts';
import type { InviteId, TenantId } from '../../../../domain/ids.ts';
import { createDirectory } from '../../../../gateways/identity/create-directory.ts';
import { createMailer } from '../../../../gateways/mail/mailer.ts';
import { createLogger } from '../../../../gateways/telemetry/logger.ts';
import { startMailSink } from '../../../../sandbox/mail/sink.ts';
import { inviteMailWorkflowId, TASK_QUEUE } from '../../../../workflows/ids.ts';
import { reconcile } from '../../../../workflows/reconcile.ts';
import { aTenant } from '../../../support/factories.ts';
import { useApp, useTemporal } from '../../../support/fixtures.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

// An invite end to end: the API, Temporal, a worker, a mail server, and the person.

const SOON = { timeout: 20_000, interval: 100 };
let isAway = false;
const dir = await mkdtemp(join(tmpdir(), 'invite-'));
const sink = await startMailSink({ port: 0, webPort: 0, dir });
const mailer = createMailer({ url: sink.smtpUrl, from: 'Loyalty <loyalty@loyalty.example>' });
const temporal = await useTemporal();
const orchestrator = createOrchestrator({
  temporal: { address: temporal.address, tls: false },
  namespace: temporal.namespace,
  log: createLogger({ level: 'silent', service: 'test' }),
});
const app = await useApp({
  orchestrator: {
    sendInviteLater: (...mail) => {
      if (!isAway) orchestrator.sendInviteLater(...mail);
    },
  },
});
afterAll(async () => {
  await orchestrator.close();
  await mailer.close();
  await sink.stop();
  await rm(dir, { recursive: true });
});

let tenantId: TenantId;
let email: string;
beforeEach(async () => {
  isAway = false;
  await expect.poll(() => orchestrator.isReachable(), SOON).toBe(true);
  tenantId = await aTenant(app.db, { name: 'Corner Café' });
  email = `${randomUUID()}@example.com`;
});

async function invite(): Promise<string> {
  const { token } = await app.signIn({ role: 'client', member: tenantId });
  const path = `/api/v1/client/tenants/${tenantId}/store-operator-invites`;
  const answer = await app.call({
    method: 'POST',
    path,
    token,
    body: { email },
    headers: { 'x-correlation-id': 'request-7' },
  });
  expect(answer.status).toBe(200);
  return answer.json<{ inviteId: InviteId }>().inviteId;
}

const working = <T>(work: () => Promise<T>) =>
  temporal.withWorker(
    activityDeps(app.db, { mailer, directory: createDirectory({ kind: 'mail' }) }),
    work,
  );
const mailsToThem = () => sink.mails().filter(({ recipients }) => recipients.includes(email));

describe('an invite', () => {
  it('reaches the person by mail, who signs in as an operator', async () => {
    await working(async () => {
      const id = await invite();
      await expect.poll(mailsToThem, SOON).toHaveLength(1);
      const handle = temporal.client.workflow.getHandle(inviteMailWorkflowId(id));
      expect(await handle.result()).toBe('sent');
      expect((await handle.describe()).memo).toMatchObject({ correlationIds: ['request-7'] });
      // A repeated invite is the same invite, without a second mail.
      expect(await invite()).toBe(id);
    });
    expect(mailsToThem()).toMatchObject([
      { subject: 'You are invited to work at Corner Café', to: [email] },
    ]);
    const [{ id }] = await app.db('invites').where({ email }).select('id');
    expect(mailsToThem()[0]?.text).toContain(`https://app.shop.example/invites/${id}\n`);

    const token = await app.newcomer(email);
    const context = await app.call({ path: '/api/v1/pos/context', token });
    expect(context).toMatchObject({ status: 200, body: { tenantId, name: 'Corner Café' } });
  });

  it('can be found by its tenant in Temporal', async () => {
    await working(async () => {
      await invite();
      const query = `TenantIds = "${tenantId}" and WorkflowType = "notify"`;
      await expect
        .poll(() => temporal.client.workflow.count(query), SOON)
        .toMatchObject({ count: 1 });
    });
  });

  it('is sent by reconcile if it was committed while Temporal was unreachable', async () => {
    isAway = true;
    const id = await invite();
    const longAgo = app.db.raw(`now() - interval '1 minute'`);
    await app.db('invites').where({ id }).update({ createdAt: longAgo });
    await working(async () => {
      await temporal.client.workflow.execute(reconcile, {
        taskQueue: TASK_QUEUE,
        workflowId: `reconcile/${randomUUID()}`,
      });
      await expect.poll(mailsToThem, SOON).toHaveLength(1);
    });
  });
});
