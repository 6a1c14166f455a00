import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOrchestrator } from '../../../api/temporal/orchestrator.ts';
import { RedemptionId, TenantId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { redemptionWorkflowId } from '../../../workflows/ids.ts';
import { required } from '../../support/factories.ts';
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
    const { memo, searchAttributes, priority, type } = await handleOf(issued.id).describe();
    expect(type).toBe('followRedemptions');
    expect(memo).toEqual({ correlationIds: ['the-request'] });
    expect(searchAttributes.TenantIds).toEqual([issued.tenantId]);
    expect(priority).toMatchObject({ priorityKey: 1 });
    expect(log.join()).not.toContain('redemptions_not_followed');
  });

  it('starts one run for redemptions that are issued together, named after the first', async () => {
    const own = orchestratorOf(temporal.address);
    await vi.waitUntil(() => own.isReachable(), { timeout: 20_000 });
    // The first is followed at once.
    own.followRedemptionLater(someRedemption());
    const together = Array.from({ length: 50 }, someRedemption);
    for (const issued of together) own.followRedemptionLater(issued);
    const [first, ...others] = together;
    await started(required(first).id);
    const history = await handleOf(required(first).id).fetchHistory();
    const attributes = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    const ids = JSON.parse(String(attributes?.input?.payloads?.[0]?.data));
    expect(ids).toEqual(together.map(({ id }) => id));
    for (const { id } of others.slice(0, 2)) {
      await expect(handleOf(id).describe()).rejects.toThrow();
    }
    await own.close();
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

  it('starts what waits when the API stops', async () => {
    const own = orchestratorOf(temporal.address);
    await vi.waitUntil(() => own.isReachable(), { timeout: 20_000 });
    own.followRedemptionLater(someRedemption());
    const last = someRedemption();
    own.followRedemptionLater(last);
    expect(own.waiting()).toBe(1);
    await own.close();
    await handleOf(last.id).describe();
  });
});

it('does not throw or wait while Temporal is unreachable', async () => {
  const alone = orchestratorOf('127.0.0.1:9');
  for (let count = 0; count < 100; count++) alone.followRedemptionLater(someRedemption());
  await expect.poll(() => log.join()).toContain('redemptions_not_followed');
  await alone.close();
});
