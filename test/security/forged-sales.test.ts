import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ingestWithProvider } from '../../activities/ingestion/events/with-provider.ts';
import * as posConnections from '../../db/connections/pos-connections.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import { newId } from '../../db/new-id.ts';
import { EventId, type TenantId } from '../../domain/ids.ts';
import { createBeta } from '../../gateways/providers/beta/client.ts';
import { type BetaSimulator, startBeta } from '../../sandbox/providers/beta/simulator.ts';
import { aRule, aTenant, aUser, testSealer } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

// Beta sends one fixed secret with every event and signs none: who knows it can send any event.

const { db } = await useDatabase();
let simulator: BetaSimulator;
let tenantId: TenantId;
let merchantId: string;
const email = `${randomUUID()}@example.com`;

beforeAll(async () => {
  simulator = await startBeta({
    port: 0,
    appId: 'BETAAPP000001',
    appSecret: 'secret',
    webhookSecret: 'code',
    seed: 1,
    webhookUrl: 'http://127.0.0.1:9/nowhere',
    redirectUrl: 'http://127.0.0.1:9/nobody',
  });
  merchantId = simulator.addMerchant({ name: 'Shop' }).id;
  const { accessToken } = simulator.issueToken(merchantId);
  tenantId = await aTenant(db, { country: 'US' });
  await aRule(db, tenantId);
  await aUser(db, { email });
  const context = { tenantId, provider: 'beta', field: 'access_token' };
  await posConnections.connect(db, {
    tenantId,
    merchantId,
    provider: 'beta',
    sealedAccessToken: testSealer.seal(accessToken, context),
    sealedRefreshToken: null,
    tokenExpiresAt: null,
  });
});
afterAll(() => simulator.stop());

/** Ingests an event of the merchant, as after it was accepted with the right secret. */
async function ingest(body: unknown): Promise<void> {
  const id = EventId.parse(newId());
  const bytes = Buffer.from(JSON.stringify(body));
  const event = { id, provider: 'beta', merchantId, eventType: 'none', body: bytes } as const;
  await webhookEvents.insert(db, [{ ...event, correlationId: 'test' }]);
  const beta = createBeta({
    environment: 'sandbox',
    region: 'na',
    apiOrigin: simulator.url,
  });
  await ingestWithProvider(activityDeps(db, { beta }), [id], { run: randomUUID() });
}

const eventAbout = (paymentId: string, more: object = {}) => ({
  merchants: { [merchantId]: [{ objectId: `P:${paymentId}`, type: 'CREATE', ts: 1, ...more }] },
});
const credited = () => db('ledger_entries').sum('points as points').first();

it('an event with the right secret credits nothing that beta does not confirm', async () => {
  // A sale that beta has never heard of, with everything that a sale has.
  const sale = { id: 'FORGEDPAY0001', amount: 1_000_000, result: 'SUCCESS', email };
  await ingest(eventAbout(sale.id, { ...sale, payment: sale }));
  // A sale of somebody else's account.
  const elsewhere = simulator.addMerchant({ name: 'Elsewhere' }).id;
  simulator.issueToken(elsewhere);
  const theirs = { merchantId: elsewhere, emails: [email] };
  const customerId = simulator.addCustomer(theirs).id;
  await ingest(eventAbout(simulator.ring({ merchantId: elsewhere, amount: 500, customerId }).id));
  // A sale that failed, which the event calls a success.
  const ours = simulator.addCustomer({ merchantId, emails: [email] }).id;
  const failed = simulator.ring({ merchantId, amount: 700, customerId: ours, result: 'PENDING' });
  simulator.settle(failed.id, 'FAIL');
  await ingest(eventAbout(failed.id, { result: 'SUCCESS' }));
  expect(await credited()).toEqual({ points: null });

  // Of a true sale the amount is beta's, whatever the event says.
  const sold = simulator.ring({ merchantId, amount: 300, customerId: ours });
  await ingest(eventAbout(sold.id, { amount: 1_000_000 }));
  expect(await credited()).toEqual({ points: '300' });
});
