import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { verifyLedger } from '../../db/ledger/verification/whole.ts';
import { listenOnLoopback } from '../../sandbox/processes/listen.ts';
import { startAlpha } from '../../sandbox/providers/alpha/simulator.ts';
import { anAlphaConnection, anAlphaEvent, aRule, aTenant, aUser } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { createProcesses, SIGNATURE_KEY } from '../support/processes.ts';

const SALES = 1_000;
const SHOPS = 10;
const CUSTOMERS_EACH = 10;
const ANSWERS_AFTER_MS = 300;

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
const alpha = await startAlpha({
  port: 0,
  appId: 'app',
  appSecret: 'app-secret',
  signatureKey: SIGNATURE_KEY,
  webhookUrl: 'http://127.0.0.1:9/nobody',
});
const slowAlpha = await listenOnLoopback(0);
/** What every answer waits for, besides its time. */
let mayAnswer = Promise.resolve();
let asked = 0;
slowAlpha.answerWith(async (request, response) => {
  asked += 1;
  await Promise.all([sleep(ANSWERS_AFTER_MS), mayAnswer]);
  const { authorization = '' } = request.headers;
  const answer = await fetch(new URL(request.url ?? '', alpha.url), { headers: { authorization } });
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(await answer.text());
});
const processes = await createProcesses({
  databaseUrl: database.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  env: {
    ALPHA_ORIGIN: slowAlpha.url,
    SWEEP_INTERVAL_SECONDS: '2',
    RATE_LIMIT_WEBHOOKS: '0',
    LOG_LEVEL: 'info',
  },
});
afterAll(async () => {
  await processes.close();
  await slowAlpha.stop();
  await alpha.stop();
});

const LONG = { timeout: 120_000, interval: 50 };

async function send(body: Buffer): Promise<number> {
  const url = `${processes.apiUrl}/api/v1/webhooks/alpha`;
  const signature = createHmac('sha256', SIGNATURE_KEY).update(url).update(body).digest('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-alpha-hmacsha256-signature': signature, 'content-type': 'application/json' },
    body: new Uint8Array(body),
  });
  return response.status;
}

async function aShop() {
  const { id: merchantId } = alpha.addMerchant({ name: 'Shop' });
  const tenantId = await aTenant(db);
  const { accessToken } = alpha.issueToken(merchantId);
  await anAlphaConnection(db, { tenantId, merchantId, accessToken });
  await aRule(db, tenantId);
  const customers: string[] = [];
  for (let nth = 0; nth < CUSTOMERS_EACH; nth++) {
    const email = `${randomUUID()}@example.com`;
    await aUser(db, { email });
    customers.push(alpha.addCustomer({ merchantId, email }).id);
  }
  return { merchantId, customers };
}

it('credits 1,000 sales although the worker is killed while it asks for them', async () => {
  const shops: Awaited<ReturnType<typeof aShop>>[] = [];
  for (let nth = 0; nth < SHOPS; nth++) shops.push(await aShop());
  const sales = shops.flatMap(({ merchantId, customers }) =>
    Array.from({ length: SALES / SHOPS }, (_, nth) => {
      const customerId = customers[nth % CUSTOMERS_EACH] ?? '';
      return anAlphaEvent(merchantId, { customerId, amount: 1 });
    }),
  );
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  const known = (merchantId = '') => anAlphaEvent(merchantId, { email, amount: 1 });
  const credited = async () => (await db('payments').where({ outcome: 'credited' })).length;

  let answer = () => {};
  mayAnswer = new Promise((resolve) => {
    answer = resolve;
  });
  await processes.start('api');
  const worker = await processes.start('worker');
  const statuses: number[] = [];
  for (let next = 0; next < SALES; next += 50) {
    statuses.push(...(await Promise.all(sales.slice(next, next + 50).map(send))));
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  await expect.poll(() => asked, LONG).toBeGreaterThan(SHOPS);
  // Whoever need not be asked for waits for none of them.
  for (const { merchantId } of shops) await send(known(merchantId));
  await expect.poll(credited, LONG).toBe(SHOPS);

  process.kill(worker.pid, 'SIGKILL');
  answer();
  await processes.start('worker');
  await expect.poll(credited, LONG).toBe(SALES + SHOPS);
  expect(await db('pending_events').select('id')).toEqual([]);
  expect(await db('payments').sum('points_awarded as points')).toEqual([
    { points: String(SALES + SHOPS) },
  ]);
  expect(await verifyLedger(db)).toMatchObject({ payments: SALES + SHOPS, violations: [] });
}, 300_000);
