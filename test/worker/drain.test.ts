import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../sandbox/processes/ports.ts';
import { holdUpPayments } from '../support/database/gate.ts';
import { anAlphaConnection, anAlphaEvent, aRule, aTenant, aUser } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { send } from '../support/http/app.ts';
import { createProcesses, type Processes, SIGNATURE_KEY } from '../support/processes.ts';
import { eventRows } from '../support/providers/events.ts';

const HOOK = '/api/v1/webhooks/alpha';
const SOON = { timeout: 20_000, interval: 50 };
const database = await useDatabase();
const temporal = await useTemporal();

let processes: Processes;
let healthUrl: string;
afterEach(() => processes.close());

async function prepare(namespace = temporal.namespace, env = {}): Promise<void> {
  const port = await freePort();
  healthUrl = `http://127.0.0.1:${port}`;
  processes = await createProcesses({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    namespace,
    env: { WORKER_HEALTH_PORT: String(port), LOG_LEVEL: 'info', ...env },
  });
}

const health = async () => (await fetch(`${healthUrl}/health`)).status;

/** Delivers a sale, and returns what holds it up while it is being credited. */
async function deliverHeldSale() {
  const { db } = database;
  const merchantId = `M-${randomUUID()}`;
  const email = `${randomUUID()}@example.com`;
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId });
  await aRule(db, tenantId);
  await aUser(db, { email });
  const gate = await holdUpPayments(database, tenantId);
  const body = anAlphaEvent(merchantId, { email });
  const signed = createHmac('sha256', SIGNATURE_KEY)
    .update(processes.apiUrl + HOOK)
    .update(body);
  const headers = { 'x-alpha-hmacsha256-signature': signed.digest('base64') };
  const answer = await send(processes.apiUrl, { method: 'POST', path: HOOK, body, headers });
  expect(answer.status).toBe(200);
  await expect.poll(gate.countWaiting, SOON).toBe(1);
  return gate;
}

describe('the worker', () => {
  it('finishes its accepted work when it is told to stop, reports that, and exits', async () => {
    await prepare();
    await processes.start('api');
    const worker = await processes.start('worker');
    expect(await health()).toBe(200);
    expect(await (await fetch(`${healthUrl}/metrics`)).text()).toContain('process_cpu_seconds');

    const gate = await deliverHeldSale();
    process.kill(worker.pid, 'SIGTERM');
    await expect.poll(health, SOON).toBe(503);
    expect(await gate.open(worker.exited)).toBe('exit 0');
    expect(await eventRows(database.db).where({ processed: true })).toHaveLength(1);
  });

  it('ends in order when it has to leave work behind, which another worker then does', async () => {
    await prepare(temporal.namespace, { SHUTDOWN_GRACE_SECONDS: '1' });
    await processes.start('api');
    const worker = await processes.start('worker');
    const gate = await deliverHeldSale();
    process.kill(worker.pid, 'SIGTERM');
    // The statement waits for longer than the worker does.
    expect(await worker.exited).toBe('exit 0');
    const log = await readFile(join(processes.dir, 'logs', 'worker.log'), 'utf8');
    expect(log).toContain('worker_left_work');
    expect(log).not.toContain('worker_failed');
    await gate.open(Promise.resolve());

    await processes.start('worker');
    const open = () => eventRows(database.db).where({ processed: false });
    await expect.poll(open, { timeout: 60_000, interval: 200 }).toEqual([]);
  }, 180_000);

  it('exits with 1 and logs the reason when it cannot work at all', async () => {
    await prepare(`no-such-namespace-${randomUUID()}`);
    await expect(processes.start('worker')).rejects.toThrow(/exit 1.*is not found.*Worker failed/s);
  });
});
