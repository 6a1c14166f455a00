import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Activities, createActivities } from '../../activities/index.ts';
import type { AlphaSimulator } from '../../sandbox/providers/alpha/simulator.ts';
import { pollScheduleId, TASK_QUEUE } from '../../workflows/ids.ts';
import { pollConnection } from '../../workflows/poll-connection.ts';
import { connectionAttributes } from '../../workflows/search-attributes.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import {
  aPolledShop,
  buyersPoints,
  connectionRow,
  type PolledShop,
  pollingDeps,
  startPolledAlpha,
  storeValidToken,
} from '../support/providers/polled-shop.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { payloadsOf } from '../support/temporal/test-temporal.ts';
import { expectDocumentedActions } from './actions.ts';

let alpha: AlphaSimulator;
let shop: PolledShop;
const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
beforeEach(async () => {
  alpha = await startPolledAlpha();
  shop = await aPolledShop(db, alpha);
});
afterEach(() => alpha.stop());

const sell = (count: number) => {
  const { merchantId, buyer } = shop;
  for (let n = 0; n < count; n++) {
    alpha.ring({ merchantId, amount: 1, buyerEmail: buyer.email, capture: 'at-once' });
  }
};
/** Runs the workflow as its Schedule does, and records its history under that name. */
async function polled(name: string) {
  const { connectionId, tenantId } = shop;
  const workflowId = `${pollScheduleId(connectionId)}/${randomUUID()}`;
  const provider = 'alpha';
  return temporal.withWorker(activityDeps(db, pollingDeps(db, alpha.url)), async () => {
    const handle = await temporal.client.workflow.start(pollConnection, {
      taskQueue: TASK_QUEUE,
      workflowId,
      args: [connectionId],
      typedSearchAttributes: connectionAttributes({ tenantId, provider, connectionId }),
    });
    const result = await handle.result();
    const { memo } = await handle.describe();
    const history = await temporal.history(workflowId, `poll-connection.${name}`);
    return { result, history, summary: memo?.summary };
  });
}

describe('pollConnection', () => {
  it('ingests what was sold, is found by its connection, and keeps no personal data', async () => {
    sell(120);
    await storeValidToken(db, alpha, shop);
    const { result, history, summary } = await polled('done');
    expect(result).toMatchObject({ status: 'done', payments: 120, pages: 2, errors: 0 });
    expect(summary).toBe('done: 120 listed, 120 new, on 2 pages');
    expect(await buyersPoints(db, shop)).toBe(120);
    expectDocumentedActions('a poll of a connection, with its Schedule', history);
    const query = `ConnectionId = "${shop.connectionId}" and TenantIds = "${shop.tenantId}"`;
    await expect
      .poll(() => temporal.client.workflow.count(query), { timeout: 10_000 })
      .toMatchObject({ count: 1 });
    const told = payloadsOf(history);
    for (const secret of [shop.buyer.email, shop.merchantId, 'alpha-access', 'PAY']) {
      expect(told).not.toContain(secret);
    }
  });

  it('waits as long as alpha asks, and continues with the remaining pages', async () => {
    sell(30);
    await storeValidToken(db, alpha, shop);
    alpha.fail({
      path: '/v2/payments',
      status: 429,
      code: 'RATE_LIMITED',
      retryAfterSeconds: 1,
    });
    const { result, history } = await polled('interrupted');
    expect(result).toMatchObject({ status: 'done', payments: 30, pages: 1, errors: 1 });
    expect(history).toContain('timerStartedEventAttributes');
    expect((await connectionRow(db, shop)).lastError).toBeNull();
  });

  it('waits as long as the provider asks where that is longer than it would', async () => {
    const asked = { payments: 0, news: 0, pages: 0, errors: 1, retryAfterMs: 90_000 };
    const activities: Activities = {
      ...createActivities(activityDeps(db)),
      pollPayments: async () => ({ ...asked, status: 'interrupted' }),
    };
    const workflowId = `${pollScheduleId(shop.connectionId)}/${randomUUID()}`;
    await temporal.withActivities(activities, async () => {
      const args: [typeof shop.connectionId] = [shop.connectionId];
      const options = { taskQueue: TASK_QUEUE, workflowId, args };
      const handle = await temporal.client.workflow.start(pollConnection, options);
      const waits = async () =>
        (await handle.fetchHistory()).events?.flatMap(({ timerStartedEventAttributes: timer }) =>
          timer === null || timer === undefined ? [] : Number(timer.startToFireTimeout?.seconds),
        );
      await expect.poll(waits, { timeout: 10_000 }).toEqual([90]);
      await handle.terminate();
    });
  });

  it('leaves a provider that stays unavailable to the next tick', async () => {
    await storeValidToken(db, alpha, shop);
    alpha.fail({ path: '/v2/locations', status: 503, code: 'SERVICE_UNAVAILABLE', times: 3 });
    const { result } = await polled('away');
    expect(result).toMatchObject({ status: 'interrupted', errors: 3 });
    expect((await connectionRow(db, shop)).lastError).toContain('503');
  }, 60_000);

  it('ends at once when the merchant has to connect again', async () => {
    await storeValidToken(db, alpha, shop);
    alpha.revokeTokens(shop.merchantId);
    const { result } = await polled('needs-reconnect');
    expect(result).toMatchObject({ status: 'needs_reconnect', errors: 1 });
  });
});
