import { randomUUID } from 'node:crypto';
import { ScheduleNotFoundError } from '@temporalio/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { createOrchestrator, type Orchestrator } from '../../../api/temporal/orchestrator.ts';
import { ConnectionId, TenantId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { createPollSchedules } from '../../../worker/poll-schedules.ts';
import { pollScheduleId } from '../../../workflows/ids.ts';
import { useTemporal } from '../../support/fixtures.ts';

const PATIENT = { timeout: 20_000 };
let orchestrator: Orchestrator;
let log: string[];
const temporal = await useTemporal();
beforeEach(async () => {
  log = [];
  orchestrator = createOrchestrator({
    namespace: temporal.namespace,
    temporal: { address: temporal.address, tls: false },
    log: createLogger({ level: 'warn', service: 'test' }, { write: (line) => log.push(line) }),
  });
  await expect.poll(() => orchestrator.isReachable(), PATIENT).toBe(true);
});

describe('stopPollingLater', () => {
  it('removes the Schedule, and does nothing when there is none', async () => {
    const id = ConnectionId.parse(randomUUID());
    const schedules = createPollSchedules(temporal.client, () => ({ base: 300, backup: 3600 }));
    const tenantId = TenantId.parse(randomUUID());
    await schedules.ensure({
      id,
      tenantId,
      provider: 'alpha',
      coveredPolls: 0,
    });
    orchestrator.stopPollingLater(id);
    // A question that meets the removal halfway is never answered, only asked again.
    const described = () =>
      temporal.client
        .withDeadline(Date.now() + 1_000, () =>
          temporal.client.schedule.getHandle(pollScheduleId(id)).describe(),
        )
        .then(() => 'there')
        .catch((error: unknown) => error);
    await expect.poll(described, PATIENT).toBeInstanceOf(ScheduleNotFoundError);
    orchestrator.stopPollingLater(id);
    await orchestrator.close();
    expect(log).toEqual([]);
  });
});
