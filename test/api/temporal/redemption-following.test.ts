import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOrchestrator } from '../../../api/temporal/orchestrator.ts';
import { RedemptionId, TenantId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { redemptionWorkflowId } from '../../../workflows/ids.ts';
import { useTemporal } from '../../support/fixtures.ts';

const log: string[] = [];
const logger = createLogger({ level: 'info', service: 'api' }, { write: (line) => log.push(line) });
const orchestratorOf = (address: string) =>
  createOrchestrator({
    temporal: { address, tls: false },
    namespace: temporal.namespace,
    log: logger,
  });
const temporal = await useTemporal();
const orchestrator = orchestratorOf(temporal.address);
await vi.waitUntil(() => orchestrator.isReachable(), { timeout: 20_000 });
afterAll(() => orchestrator.close());
beforeEach(() => {
  log.length = 0;
});

const someRedemption = () => ({
  id: RedemptionId.parse(randomUUID()),
  tenantId: TenantId.parse(randomUUID()),
  correlationId: 'the-request',
});
const handleOf = (id: RedemptionId) => temporal.client.workflow.getHandle(redemptionWorkflowId(id));
const started = async (id: RedemptionId) => {
  const described = () =>
    handleOf(id)
      .describe()
      .catch(() => undefined);
  await expect.poll(described, { timeout: 10_000 }).toBeDefined();
};

describe('followRedemptionLater', () => {
  it('starts one run, with its tenant and its request, however often it is called', async () => {
    const issued = someRedemption();
    for (let time = 0; time < 3; time++) orchestrator.followRedemptionLater(issued);
    await started(issued.id);
    const { memo, searchAttributes, priority } = await handleOf(issued.id).describe();
    expect(memo).toEqual({ correlationIds: ['the-request'] });
    expect(searchAttributes.TenantIds).toEqual([issued.tenantId]);
    expect(priority).toMatchObject({ priorityKey: 1 });
    expect(log.join()).not.toContain('background_work_dropped');
  });

  it('starts a terminated run again', async () => {
    const issued = someRedemption();
    await temporal.client.workflow.start('ends', {
      taskQueue: 'nobody',
      workflowId: redemptionWorkflowId(issued.id),
    });
    await handleOf(issued.id).terminate();
    orchestrator.followRedemptionLater(issued);
    await expect
      .poll(async () => (await handleOf(issued.id).describe()).status.name, { timeout: 10_000 })
      .toBe('RUNNING');
  });
});

describe('closeRedemptionLater', () => {
  it('signals the run', async () => {
    const issued = someRedemption();
    orchestrator.followRedemptionLater(issued);
    await started(issued.id);
    orchestrator.closeRedemptionLater(issued.id);
    const signals = async () =>
      (await handleOf(issued.id).fetchHistory()).events?.flatMap(
        (event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? [],
      );
    await expect.poll(signals, { timeout: 10_000 }).toEqual(['redemptionClosed']);
  });

  it('logs nothing about a run that was never started', async () => {
    const own = orchestratorOf(temporal.address);
    await vi.waitUntil(() => own.isReachable(), { timeout: 20_000 });
    own.closeRedemptionLater(someRedemption().id);
    await own.close();
    expect(log.join()).not.toContain('background_work_dropped');
  });
});

it('does not throw or wait while Temporal is unreachable', async () => {
  const alone = orchestratorOf('127.0.0.1:9');
  for (let count = 0; count < 100; count++) alone.followRedemptionLater(someRedemption());
  alone.closeRedemptionLater(someRedemption().id);
  await expect.poll(() => log.join()).toContain('background_work_dropped');
  await alone.close();
});
