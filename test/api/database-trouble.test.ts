import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { createChangingRole } from '../support/database/changing-role.ts';
import { asSuperuser } from '../support/database/test-database.ts';
import { useDatabase } from '../support/fixtures.ts';
import { startIssuer } from '../support/people/issuer.ts';
import { createProcesses, SIGNATURE_KEY } from '../support/processes.ts';

const HOOK = '/api/v1/webhooks/alpha';
const SOON = { timeout: 20_000, interval: 200 };

const database = await useDatabase();
const role = await createChangingRole(database);
const issuer = await startIssuer();
const processes = await createProcesses({
  databaseUrl: '',
  temporalAddress: '127.0.0.1:9',
  namespace: 'none',
  issuer: issuer.url,
  env: { DATABASE_URL_FILE: role.urlFile, DATABASE_POOL_MAX: '6', RATE_LIMIT_READS: '1000000' },
});
const api = await processes.start('api');
afterAll(async () => {
  await processes.close();
  await issuer.close();
  await role.remove();
});

const token = await issuer.token({ sub: randomUUID() });
const authorization = { authorization: `Bearer ${token}` };

function deliver(): Promise<Response> {
  const body = JSON.stringify({ merchant_id: 'M1', type: 'payment.updated', data: {} });
  const url = `${processes.apiUrl}${HOOK}`;
  const signed = createHmac('sha256', SIGNATURE_KEY).update(url).update(body).digest('base64');
  const headers = { 'x-alpha-hmacsha256-signature': signed };
  return fetch(url, { method: 'POST', body, headers });
}

const me = () => fetch(`${processes.apiUrl}/api/v1/auth/me`, { headers: authorization });
const isReady = async () => (await fetch(`${processes.apiUrl}/health/ready`)).status;

/** Keeps so many callers busy until the work is done, and returns how often each status came. */
async function underLoad(callers: number, work: () => Promise<void>): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let isDone = false;
  const call = async (nth: number) => {
    while (!isDone) {
      const { status, headers } = await (nth % 2 === 0 ? deliver() : me());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) expect(headers.get('retry-after')).toBe('5');
    }
  };
  const calling = Promise.all(Array.from({ length: callers }, (_, nth) => call(nth)));
  await work().finally(() => {
    isDone = true;
  });
  await calling;
  return statuses;
}

it('a password that is changed under load costs no 500, nor anything with its file', async () => {
  const smooth = await underLoad(12, async () => {
    role.writeFile('new');
    await role.setPassword('new');
    await expect.poll(async () => (await me()).status, SOON).toBe(200);
  });
  expect([...smooth.keys()].filter((status) => status !== 200)).toEqual([]);

  const late = await underLoad(12, async () => {
    await role.setPassword('third');
    await role.endSessions();
    await expect.poll(isReady, SOON).toBe(503);
    expect((await deliver()).status).toBe(503);
    role.writeFile('third');
    await expect.poll(isReady, SOON).toBe(200);
    expect((await deliver()).status).toBe(200);
  });
  expect([...late.keys()].filter((status) => ![200, 503].includes(status))).toEqual([]);
  expect(late.get(503)).toBeGreaterThan(0);
  expect(api.hasLogged('"status":500')).toBe(false);
}, 120_000);

it('a database that is read-only answers what reads only, and is not ready', async () => {
  await me();
  await asSuperuser((db) =>
    db.raw(`alter role ${role.name} set default_transaction_read_only = on`),
  );
  await role.endSessions();
  await expect.poll(isReady, SOON).toBe(503);
  await expect.poll(async () => (await deliver()).status, SOON).toBe(503);
  await expect.poll(async () => (await me()).status, SOON).toBe(200);
  await asSuperuser((db) => db.raw(`alter role ${role.name} reset default_transaction_read_only`));
  await role.endSessions();
  await expect.poll(isReady, SOON).toBe(200);
  await expect.poll(async () => (await deliver()).status, SOON).toBe(200);
}, 60_000);
