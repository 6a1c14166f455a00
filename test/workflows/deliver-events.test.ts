import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { createWebhookSender } from '../../gateways/webhooks/sender.ts';
import { createWake, watchEvents } from '../../worker/event-watch.ts';
import { deliveryWorkflowId } from '../../workflows/ids.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { anEndpoint, untilSettled } from '../support/http/endpoints.ts';
import { type Receiver, startReceiver } from '../support/http/webhook-receiver.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { payloadsOf } from '../support/temporal/test-temporal.ts';
import { expectDocumentedActions } from './actions.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();
const log = createLogger({ level: 'silent', service: 'test' });
const webhooks = createWebhookSender({ allowsLoopback: true, withinMs: 2_000 });
const deps = activityDeps(db, { webhooks });

let receiver: Receiver;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  receiver = await startReceiver();
  tenantId = await aTenant(db);
  walletId = await aWallet(db, { tenantId });
  await anEndpoint(db, tenantId, { url: receiver.url });
});
afterEach(() => receiver.close());

const happens = async () => {
  await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));
  await untilSettled(db);
};
const wake = createWake(temporal.client);
const handle = () => temporal.client.workflow.getHandle(deliveryWorkflowId(tenantId));

describe('the run that delivers a tenant’s events', () => {
  it('delivers what happens within a second or two, and its history holds no address', async () => {
    await temporal.withWorker(deps, async () => {
      const end = new AbortController();
      const watch = watchEvents({ db, log, wake }, end.signal, 100);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const began = performance.now();
      await happens();
      await expect.poll(() => receiver.taken().length, { timeout: 20_000 }).toBe(1);
      const tookMs = performance.now() - began;
      end.abort();
      await watch;
      expect(await handle().result()).toEqual({ delivered: 1, failed: 0 });
      expect(tookMs).toBeLessThan(15_000);
      const id = deliveryWorkflowId(tenantId);
      const history = await temporal.history(id, 'deliver-events.delivered');
      expectDocumentedActions("an event sent to a merchant's system", history);
      expect(payloadsOf(history)).not.toMatch(/127\.0\.0\.1|whsec_/);
    });
  });

  it('waits for a delivery that is due again soon, and takes what happens meanwhile', async () => {
    receiver.answer(503);
    await happens();
    await temporal.withWorker(deps, async () => {
      await wake(tenantId);
      await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
      receiver.answer(200);
      await happens();
      await wake(tenantId);
      await expect.poll(() => receiver.taken().length, { timeout: 20_000 }).toBe(2);
      expect(await handle().result()).toEqual({ delivered: 2, failed: 1 });
      await temporal.history(deliveryWorkflowId(tenantId), 'deliver-events.due-again');
    });
  });

  it('leaves a delivery that is due in minutes to reconcile', async () => {
    receiver.answer(503);
    await happens();
    await temporal.withWorker(deps, async () => {
      await wake(tenantId);
      await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(2);
      expect(await handle().result()).toEqual({ delivered: 0, failed: 2 });
    });
  });
});
