import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventId, TenantId } from '../../domain/ids.ts';
import { NO_COUNTS } from '../../domain/ingest-counts.ts';
import { createAlpha } from '../../gateways/providers/alpha/client.ts';
import { startAlpha } from '../../sandbox/providers/alpha/simulator.ts';
import { ingestWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import type { ingestEvents } from '../../workflows/ingest-events.ts';
import { ingestStart } from '../../workflows/starts.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { payloadsOf } from '../support/temporal/test-temporal.ts';
import { expectDocumentedActions } from './actions.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
const alpha = await startAlpha({
  port: 0,
  appId: 'app',
  appSecret: 'app-secret',
  signatureKey: 'key',
  webhookUrl: 'http://127.0.0.1:1/unused',
  seed: 1,
});
afterAll(() => alpha.stop());

let tenantId: TenantId;
let merchantId: string;
let email: string;
beforeEach(async () => {
  tenantId = await aTenant(db);
  merchantId = alpha.addMerchant({ name: 'Shop' }).id;
  const { accessToken } = alpha.issueToken(merchantId);
  await anAlphaConnection(db, { tenantId, merchantId, accessToken });
  await aRule(db, tenantId);
  email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
});

const deps = () =>
  activityDeps(db, { alpha: createAlpha({ environment: 'sandbox', origin: alpha.url }) });

const start = (eventIds: EventId[]) => {
  const batch = { provider: 'alpha', eventIds, tenantIds: [tenantId] } as const;
  const { workflowType, ...options } = ingestStart(batch);
  const taskQueue = TASK_QUEUE;
  return temporal.client.workflow.start<typeof ingestEvents>(workflowType, {
    ...options,
    taskQueue,
  });
};

const workflowIdOf = (eventIds: EventId[]) => ingestWorkflowId('alpha', required(eventIds[0]));

const run = (eventIds: EventId[]) =>
  temporal.withWorker(deps(), async () => (await start(eventIds)).result());

describe('ingestEvents', () => {
  it('credits a batch and shows what it did, in its memo and to a search by tenant', async () => {
    const ids = await storedEvents(db, merchantId, [
      anAlphaEvent(merchantId, { email, amount: 40 }),
      anAlphaEvent(merchantId, { email, amount: 2 }),
    ]);

    const summary = await temporal.withWorker(deps(), async () => {
      const handle = await start(ids);
      const summary = await handle.result();
      const description = await handle.describe();
      expect(description.memo).toEqual({ summary: '2 credited with 42 points' });
      expect(await description.staticSummary()).toBe('alpha ingest, 2 events');
      return summary;
    });

    expect(summary).toEqual({ ...NO_COUNTS, events: 2, credited: 2, points: 42 });
    const query = `TenantIds = "${tenantId}" and Provider = "alpha"`;
    const found = async () => {
      const ids: string[] = [];
      for await (const run of temporal.client.workflow.list({ query })) ids.push(run.workflowId);
      return ids;
    };
    await expect.poll(found, { timeout: 20_000 }).toEqual([workflowIdOf(ids)]);
    const history = await temporal.history(workflowIdOf(ids), 'ingest-events.plain');
    expectDocumentedActions('a sale, known at once', history);
  });

  it('asks the provider for the customer, and again after a rate limit', async () => {
    const customer = alpha.addCustomer({ merchantId, email });
    alpha.fail({ path: '/v2/customers', status: 429, code: 'RATE_LIMITED', times: 1 });
    const ids = await storedEvents(db, merchantId, [
      anAlphaEvent(merchantId, { customerId: customer.id, amount: 7 }),
      anAlphaEvent(merchantId, { customerId: 'NOBODY', amount: 7 }),
    ]);

    const counts = { credited: 1, points: 7, stored_anonymous: 1, failed: 0 };
    expect(await run(ids)).toMatchObject(counts);
    await temporal.history(workflowIdOf(ids), 'ingest-events.retried-customer');
  });

  it('completes although an event fails, which is left to the sweep', async () => {
    const broken = Buffer.from(
      JSON.stringify({ merchant_id: merchantId, type: 'payment.created' }),
    );
    const ids = await storedEvents(db, merchantId, [broken, anAlphaEvent(merchantId, { email })]);
    expect(await run(ids)).toMatchObject({ credited: 1, failed: 1 });
    await temporal.history(workflowIdOf(ids), 'ingest-events.failed-event');
  });

  it('survives an outage of Postgres in which the worker loses its connections', async () => {
    const ids = await storedEvents(db, merchantId, [
      anAlphaEvent(merchantId, { email, amount: 9 }),
    ]);
    let isDown = true;
    const flaky = new Proxy(db, {
      get: (target, name, receiver) =>
        name === 'transaction' && isDown
          ? () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }))
          : Reflect.get(target, name, receiver),
    });

    const summary = await temporal.withWorker({ ...deps(), db: flaky }, async () => {
      const handle = await start(ids);
      // The worker's quick attempts are used up once a steady one is pending.
      await expect
        .poll(async () => (await handle.describe()).raw.pendingActivities?.length, {
          timeout: 20_000,
        })
        .toBe(1);
      isDown = false;
      return handle.result();
    });

    expect(summary).toMatchObject({ credited: 1, points: 9 });
    await temporal.history(workflowIdOf(ids), 'ingest-events.outage');
  });

  it('keeps no personal data in its history', async () => {
    const customer = alpha.addCustomer({ merchantId, email, phone: '+12125550199' });
    const ids = await storedEvents(db, merchantId, [
      anAlphaEvent(merchantId, { email }),
      anAlphaEvent(merchantId, { customerId: customer.id }),
    ]);
    await run(ids);
    const history = await temporal.history(workflowIdOf(ids), 'ingest-events.customer');
    expectDocumentedActions('a sale whose customer the provider is asked for', history);
    const text = payloadsOf(history);
    expect(text).toContain(required(ids[0]));
    for (const secret of [email, '+12125550199', customer.id]) {
      expect(text).not.toContain(secret);
    }
  });
});
