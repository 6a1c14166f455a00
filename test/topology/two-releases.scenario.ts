import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { afterAll, expect, it } from 'vitest';
import { connectTemporal } from '../../gateways/temporal/connection.ts';
import { readTemporalPlace } from '../../gateways/temporal/settings.ts';
import { startMailSink } from '../../sandbox/mail/sink.ts';
import { deploymentOf } from '../../worker/deployment.ts';
import { required } from '../support/factories.ts';
import { quietRuntime } from '../support/temporal/test-temporal.ts';
import { createClient } from './client.ts';
import { makeOtherRelease } from './other-release.ts';
import { createRedeemers, redeem } from './traffic.ts';
import { expectIntact, useTopology } from './use-topology.ts';

quietRuntime();
const topology = await useTopology({ settings: { WORKER_VERSIONING: 'true' } });
const place = required(readTemporalPlace(topology.env, []));
const connection = await connectTemporal(place.connection);
afterAll(() => connection.close());
const { namespace } = place;
const { workflow, workflowService } = new Client({ connection, namespace });
const { version } = deploymentOf(true);

/** As `temporal worker deployment set-current-version` does. */
async function makeCurrent(buildId: string): Promise<void> {
  const { deploymentName } = version;
  const current = { namespace, deploymentName, buildId, identity: 'the operator' };
  await expect
    .poll(
      () => workflowService.setWorkerDeploymentCurrentVersion(current).then(() => 'done', String),
      { timeout: 30_000, interval: 500 },
    )
    .toBe('done');
}

/** The runs that follow codes, oldest first, with the releases that had their tasks. */
async function followingRuns() {
  const runs = [];
  for await (const run of workflow.list({ query: 'WorkflowType = "followRedemptions"' })) {
    const history = await workflow.getHandle(run.workflowId, run.runId).fetchHistory();
    const events = history.events ?? [];
    const tasks = events.flatMap((event) => event.workflowTaskCompletedEventAttributes ?? []);
    runs.push({
      runId: run.runId,
      startedAt: run.startTime.getTime(),
      history,
      builds: [...new Set(tasks.map((task) => task.deploymentVersion?.buildId))],
      tasks: tasks.length,
      failedTasks: events.filter((event) => event.workflowTaskFailedEventAttributes != null).length,
    });
  }
  return runs.sort((a, b) => a.startedAt - b.startedAt);
}

it('a run stays with the release that began it, while another one takes new runs', async () => {
  await makeCurrent(version.buildId);
  const client = createClient(topology.port, 8);
  const redeemers = await createRedeemers(topology, client, 20);
  const once = { perSecond: 20, shouldContinue: (seconds: number) => seconds < 0.05, retry: true };

  // Codes cannot be mailed for now, so that their runs still have something to do.
  const { port } = new URL(topology.mail.smtpUrl);
  await topology.mail.stop();
  await redeem(client, redeemers, once);
  await expect.poll(async () => (await followingRuns()).length, { timeout: 30_000 }).toBe(1);

  // It takes another step at the beginning, as it must never do: it cannot continue the first run.
  const other = await makeOtherRelease(topology, {
    file: 'workflows/follow-redemptions.ts',
    after: 'export async function followRedemptions(ids: RedemptionId[]): Promise<FollowSummary> {',
    insert: '  await sleep(1);',
  });
  const worker = other.member('worker-of-the-other');
  afterAll(async () => {
    await worker.stop();
    other.remove();
  });
  await worker.start();
  await makeCurrent(other.buildId);
  await redeem(client, redeemers.slice(5), once);
  await expect.poll(async () => (await followingRuns()).length, { timeout: 30_000 }).toBe(2);
  const [before] = await followingRuns();

  const mail = await startMailSink({
    port: Number(port),
    webPort: 0,
    dir: join(topology.folder, 'mail-again'),
  });
  afterAll(() => mail.stop());
  await expect.poll(() => mail.mails().length, { timeout: 120_000 }).toBeGreaterThan(1);
  await expect
    .poll(async () => (await followingRuns())[0]?.tasks, { timeout: 60_000 })
    .toBeGreaterThan(required(before).tasks);
  const runs = await followingRuns();
  expect(runs.map(({ builds }) => builds)).toEqual([[version.buildId], [other.buildId]]);
  expect(runs.map(({ failedTasks }) => failedTasks)).toEqual([0, 0]);

  // What would have happened without: the other release cannot continue the first run.
  const workflowsPath = join(other.root, 'workflows/index.ts');
  const workflowBundle = await bundleWorkflowCode({ workflowsPath });
  const replay = Worker.runReplayHistory({ workflowBundle }, required(runs[0]).history);
  await expect(replay).rejects.toThrow(/nondeterminism|Nondeterminism/i);
  client.close();
  await expectIntact(topology);
});
