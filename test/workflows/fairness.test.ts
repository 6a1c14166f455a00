import { expect, it } from 'vitest';
import type { TenantId } from '../../domain/ids.ts';
import { createDirectory } from '../../gateways/identity/create-directory.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { clientStart, inviteMailStart } from '../../workflows/starts.ts';
import { aTenant } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { anInvite } from '../support/people/invites.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();

/** More than the tests' worker has slots for runs. */
const BURST = 60;

/** An invite whose mail was asked for. */
async function invited(tenantId: TenantId) {
  const { id, email } = await anInvite(db, { tenantId });
  const { workflowType, ...options } = clientStart(inviteMailStart({ id, tenantId }), []);
  return { email, run: await temporal.client.workflow.start(workflowType, options) };
}

it('a tenant with one mail does not wait for all those of another tenant', async () => {
  const [large, small] = [await aTenant(db), await aTenant(db)];
  const mails: string[] = [];
  const mailer: Mailer = {
    async send({ to }) {
      mails.push(to);
    },
    async close() {},
  };

  // No worker runs yet, so that all of them wait, the small tenant's as the last one.
  const started = await Promise.all(Array.from({ length: BURST }, () => invited(large)));
  started.push(await invited(small));
  const deps = activityDeps(db, { mailer, directory: createDirectory({ kind: 'mail' }) });
  await temporal.withWorker(deps, async () => {
    for (const { run } of started) expect(await run.result()).toBe('sent');
  });

  expect(mails).toHaveLength(BURST + 1);
  expect(mails.indexOf(started.at(-1)?.email ?? '')).toBeLessThan(BURST / 2);
  // Each is a run of its own, and a busy machine has them all at once.
}, 120_000);
