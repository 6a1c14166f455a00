import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EventId } from '../../domain/ids.ts';
import { deploymentOf } from '../../worker/deployment.ts';
import { clientStart, ingestStart } from '../../workflows/starts.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();
const { version } = deploymentOf(true);

/** Starts a run that has nothing to do, and returns how it ended and who had it. */
async function ingestNothing() {
  const { workflow, workflowService } = temporal.client;
  const run = ingestStart({
    provider: 'alpha',
    eventIds: [EventId.parse(randomUUID())],
    tenantIds: [],
  });
  const { workflowType, ...options } = clientStart(run, []);
  const handle = await workflow.start(workflowType, options);
  return {
    handle,
    async described() {
      const execution = { workflowId: handle.workflowId };
      const { namespace } = temporal;
      const { workflowExecutionInfo } = await workflowService.describeWorkflowExecution({
        namespace,
        execution,
      });
      return workflowExecutionInfo;
    },
  };
}

describe('a worker', () => {
  it('names its release in each workflow task, also without versioning', async () => {
    await temporal.withOwnWorker(activityDeps(db), async () => {
      const { handle } = await ingestNothing();
      await handle.result();
      const { events } = await handle.fetchHistory();
      const tasks = events?.flatMap((event) => event.workflowTaskCompletedEventAttributes ?? []);
      expect(
        tasks?.map((task) => task.deploymentVersion?.buildId ?? task.workerVersion?.buildId),
      ).toEqual([version.buildId]);
    });
  });

  it('takes new runs with versioning once it is the current release, and keeps them', async () => {
    const { workflowService } = temporal.client;
    const { namespace } = temporal;
    await temporal.withOwnWorker(
      activityDeps(db),
      async () => {
        const { handle, described } = await ingestNothing();
        const makeCurrent = () =>
          workflowService.setWorkerDeploymentCurrentVersion({
            namespace,
            deploymentName: version.deploymentName,
            buildId: version.buildId,
            identity: 'test',
          });
        await expect
          .poll(
            () =>
              makeCurrent().then(
                () => true,
                () => false,
              ),
            { timeout: 20_000 },
          )
          .toBe(true);
        await handle.result();
        expect(await described()).toMatchObject({
          versioningInfo: { behavior: 1, deploymentVersion: { buildId: version.buildId } },
        });
      },
      true,
    );
  });
});
