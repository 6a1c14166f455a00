import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import type { EventId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import { createAlpha } from '../../gateways/providers/alpha/client.ts';
import { createBeta } from '../../gateways/providers/beta/client.ts';
import { startAlpha } from '../../sandbox/providers/alpha/simulator.ts';
import { TASK_QUEUE } from '../../workflows/ids.ts';
import type { ingestEvents } from '../../workflows/ingest-events.ts';
import { ingestStart } from '../../workflows/starts.ts';
import {
  aBetaConnection,
  aBetaEvent,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

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

/** More than the tests' worker has slots for activities of all kinds. */
const HANGING_RUNS = 25;

const start = async (provider: Provider, eventIds: EventId[]) => {
  const { workflowType, ...options } = ingestStart({ provider, eventIds, tenantIds: [] });
  const taskQueue = TASK_QUEUE;
  return temporal.client.workflow.start<typeof ingestEvents>(workflowType, {
    ...options,
    taskQueue,
  });
};

/** Beta whose payments are not answered before the test ends. */
function aHangingBeta() {
  let release = () => {};
  const over = new Promise<never>((_, reject) => {
    release = () => reject(new Error('The test is over.'));
  });
  over.catch(() => undefined);
  const beta = createBeta({ environment: 'sandbox', region: 'na' });
  return { beta: { ...beta, findPayment: () => over }, release };
}

it('alpha is asked while more runs than there are slots wait for beta', async () => {
  const shop = await aTenant(db);
  const merchantId = `B${randomUUID().slice(0, 12).replaceAll('-', '')}`;
  await aBetaConnection(db, { tenantId: shop, merchantId });
  const other = await aTenant(db);
  const { id: otherMerchant } = alpha.addMerchant({ name: 'Shop' });
  const { accessToken } = alpha.issueToken(otherMerchant);
  await anAlphaConnection(db, { tenantId: other, merchantId: otherMerchant, accessToken });
  await aRule(db, other);
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  const { id: customerId } = alpha.addCustomer({ merchantId: otherMerchant, email });
  const { beta, release } = aHangingBeta();
  const deps = activityDeps(db, {
    alpha: createAlpha({ environment: 'sandbox', origin: alpha.url }),
    beta,
  });

  await temporal.withWorker(deps, async () => {
    const hanging = await Promise.all(
      Array.from({ length: HANGING_RUNS }, async (_, nth) => {
        const ids = await storedEvents(db, merchantId, [aBetaEvent(merchantId, `P${nth}`)], 'beta');
        return start('beta', ids);
      }),
    );
    const states = () => Promise.all(hanging.map(async (run) => (await run.describe()).raw));
    const asking = async () =>
      (await states()).filter(({ pendingActivities }) => pendingActivities?.length === 1).length;
    await expect.poll(asking, { timeout: 20_000 }).toBe(HANGING_RUNS);
    try {
      const body = anAlphaEvent(otherMerchant, { customerId, amount: 7 });
      const run = await start('alpha', await storedEvents(db, otherMerchant, [body]));
      expect(await run.result()).toMatchObject({ credited: 1, points: 7 });
      expect(await asking()).toBe(HANGING_RUNS);
    } finally {
      release();
      await Promise.all(hanging.map((each) => each.terminate('The test is over.')));
    }
  });
});
