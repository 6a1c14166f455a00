import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { verifyLedger } from '../../db/ledger/verification/whole.ts';
import { anAlphaConnection, anAlphaEvent, aRule, aTenant, aUser } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { createProcesses, SIGNATURE_KEY } from '../support/processes.ts';
import { eventRows } from '../support/providers/events.ts';

const PAYMENTS = 500;
const PEOPLE = 20;
const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
const processes = await createProcesses({
  databaseUrl: database.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  env: { SWEEP_INTERVAL_SECONDS: '2', LOG_LEVEL: 'info' },
});
afterAll(() => processes.close());

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

it('credits every payment once although the worker is killed amid 500 webhooks', async () => {
  const merchantId = `M-${randomUUID()}`;
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId });
  await aRule(db, tenantId);
  const emails = Array.from({ length: PEOPLE }, () => `${randomUUID()}@example.com`);
  for (const email of emails) await aUser(db, { email });
  // Every tenth payment is delivered twice.
  const bodies = Array.from({ length: PAYMENTS }, (_, index) => {
    const email = emails[index % PEOPLE] ?? '';
    return anAlphaEvent(merchantId, { id: `PAY_${index}`, email, amount: 1 + index });
  });
  const deliveries = bodies.flatMap((body, index) => (index % 10 === 0 ? [body, body] : [body]));

  await processes.start('api');
  const worker = await processes.start('worker');
  const statuses: number[] = [];
  let isKilled = false;
  for (let next = 0; next < deliveries.length; next += 10) {
    statuses.push(...(await Promise.all(deliveries.slice(next, next + 10).map(send))));
    if (!isKilled && (await db('payments').first('id')) !== undefined && next > 150) {
      process.kill(worker.pid, 'SIGKILL');
      isKilled = true;
    }
  }
  expect(isKilled).toBe(true);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const pending = () => eventRows(db).where({ processed: false });
  expect((await pending()).length).toBeGreaterThan(0);

  await processes.start('worker');
  await expect.poll(pending, { timeout: 60_000, interval: 100 }).toEqual([]);

  const expected = (PAYMENTS * (PAYMENTS + 1)) / 2;
  expect(await db('payments').count('* as n').sum('points_awarded as points')).toEqual([
    { n: PAYMENTS, points: String(expected) },
  ]);
  expect(await db('wallets').sum('balance as points')).toEqual([{ points: String(expected) }]);
  expect(await verifyLedger(db)).toMatchObject({
    wallets: PEOPLE,
    entries: PAYMENTS,
    payments: PAYMENTS,
    violations: [],
  });
}, 120_000);
