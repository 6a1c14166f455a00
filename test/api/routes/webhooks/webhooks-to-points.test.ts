import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOrchestrator } from '../../../../api/temporal/orchestrator.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { createLogger } from '../../../../gateways/telemetry/logger.ts';
import { anAlphaConnection, anAlphaEvent, aRule, aTenant } from '../../../support/factories.ts';
import { useApp, useTemporal } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { eventRows } from '../../../support/providers/events.ts';
import { providerSettings } from '../../../support/providers/providers.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const KEY = 'a signature key';
const PATH = '/api/v1/webhooks/alpha';
let stopWorker: () => void;
const temporal = await useTemporal();
const orchestrator = createOrchestrator({
  temporal: { address: temporal.address, tls: false },
  namespace: temporal.namespace,
  log: createLogger({ level: 'silent', service: 'test' }),
});
await vi.waitUntil(() => orchestrator.isReachable(), { timeout: 20_000 });
const settings = { providers: providerSettings({ ALPHA_WEBHOOK_SIGNATURE_KEY: KEY }) };
const app = await useApp({ settings, ingest: orchestrator.ingest });
const stopped = new Promise<void>((resolve) => {
  stopWorker = resolve;
});
const working = temporal.withWorker(activityDeps(app.db), () => stopped);
afterAll(async () => {
  stopWorker();
  await working;
  await orchestrator.close();
});

let tenantId: TenantId;
let merchantId: string;
let email: string;
let consumer: SignedIn;
beforeEach(async () => {
  tenantId = await aTenant(app.db);
  merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(app.db, { tenantId, merchantId });
  await aRule(app.db, tenantId, { conversionRate: 0.5 });
  email = `${randomUUID()}@example.com`;
  consumer = await app.signIn({ role: 'consumer', email });
});

async function deliver(body: Buffer, signature?: string): Promise<number> {
  const signed = createHmac('sha256', KEY).update(`https://api.shop.example${PATH}`).update(body);
  const headers = { 'x-alpha-hmacsha256-signature': signature ?? signed.digest('base64') };
  return (await app.call({ method: 'POST', path: PATH, body, headers })).status;
}

async function balance(): Promise<unknown> {
  const { token } = consumer;
  const { body } = await app.call({ path: '/api/v1/consumer/wallets', token });
  return Object(body)[0]?.balance;
}

const events = () => eventRows(app.db).where({ merchantId });
const outcomes = async () =>
  (await events().orderBy('received_at')).map(({ processed, outcome }) => processed && outcome);

describe('a sale at alpha', () => {
  it('raises the balance of its consumer once, however often it is delivered', async () => {
    const sale = anAlphaEvent(merchantId, { email, amount: 1250 });
    expect(await deliver(sale)).toBe(200);
    await expect.poll(balance, { timeout: 20_000 }).toBe(625);

    const again = await Promise.all(Array.from({ length: 10 }, () => deliver(sale)));
    expect(new Set(again)).toEqual(new Set([200]));
    const all = ['credited', ...Array(10).fill('duplicate')];
    await expect.poll(outcomes, { timeout: 20_000 }).toEqual(all);
    expect(await balance()).toBe(625);
    expect(await app.db('ledger_entries').count('* as n').first()).toEqual({ n: 1 });
  });

  it('401 without a signature, and no row', async () => {
    const sale = anAlphaEvent(merchantId, { email, amount: 1250 });
    expect(await deliver(sale, '')).toBe(401);
    expect(await events()).toEqual([]);
    expect(await balance()).toBeUndefined();
  });

  it('credits once when it is first approved and then completed', async () => {
    const sale = { id: `PAY_${randomUUID()}`, email, amount: 300 };
    expect(await deliver(anAlphaEvent(merchantId, { ...sale, status: 'APPROVED' }))).toBe(200);
    await expect.poll(outcomes, { timeout: 20_000 }).toEqual(['ignored']);
    expect(await balance()).toBeUndefined();

    expect(await deliver(anAlphaEvent(merchantId, sale))).toBe(200);
    await expect.poll(outcomes, { timeout: 20_000 }).toEqual(['ignored', 'credited']);
    expect(await balance()).toBe(150);
  });

  it('starts a run that can be found by its tenant and shows its result', async () => {
    await deliver(anAlphaEvent(merchantId, { email, amount: 10 }));
    await expect.poll(balance, { timeout: 20_000 }).toBe(5);
    const [event] = await events();
    const query = `TenantIds = "${tenantId}" and Provider = "alpha"`;
    const found = async () => {
      const ids: string[] = [];
      for await (const run of temporal.client.workflow.list({ query })) ids.push(run.workflowId);
      return ids;
    };
    await expect.poll(found, { timeout: 20_000 }).toEqual([`ingest/alpha/${event.id}`]);

    const handle = temporal.client.workflow.getHandle(`ingest/alpha/${event.id}`);
    await handle.result();
    const { memo } = await handle.describe();
    expect(memo).toEqual({
      correlationIds: [event.correlationId],
      summary: '1 credited with 5 points',
    });
  });
});
