import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { announce } from '../../db/changes/announce.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import type { UserId } from '../../domain/ids.ts';
import { freePort, isListening } from '../../sandbox/processes/ports.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  aWallet,
  required,
} from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { send } from '../support/http/app.ts';
import { openStream } from '../support/http/event-stream.ts';
import { startIssuer } from '../support/people/issuer.ts';
import { createProcesses, type Processes, SIGNATURE_KEY } from '../support/processes.ts';
import { eventRows } from '../support/providers/events.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HOOK = '/api/v1/webhooks/alpha';
const SOON = { timeout: 20_000, interval: 50 };
const database = await useDatabase();
const temporal = await useTemporal();
const issuer = await startIssuer();
afterAll(() => issuer.close());

let processes: Processes;
let api: Awaited<ReturnType<Processes['start']>>;
afterEach(() => processes.close());

async function start(at: { databaseUrl?: string; temporalAddress?: string } = {}): Promise<void> {
  processes = await createProcesses({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    issuer: issuer.url,
    ...at,
  });
  api = await processes.start('api');
}

const call = (path: string, token?: string) =>
  send(processes.apiUrl, { path, ...(token !== undefined && { token }) });

function deliver(merchantId = `M-${randomUUID()}`) {
  const body = anAlphaEvent(merchantId);
  const signed = createHmac('sha256', SIGNATURE_KEY)
    .update(processes.apiUrl + HOOK)
    .update(body);
  const headers = { 'x-alpha-hmacsha256-signature': signed.digest('base64') };
  return send(processes.apiUrl, { method: 'POST', path: HOOK, body, headers });
}

/** Stops the process and returns how it exited. */
function stop(): Promise<string> {
  process.kill(api.pid, 'SIGTERM');
  return api.exited;
}

const lockWaits = async () => {
  const { rows } = await database.db.raw<{ rows: unknown[] }>(
    `select 1 from pg_stat_activity where application_name = 'loyalty-api'
       and datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
};

describe('the API', () => {
  it('serves requests, and logs the webhook address of alpha', async () => {
    await start();
    expect((await call('/health')).body).toMatchObject({ status: 'ok' });
    await expect
      .poll(async () => (await call('/health/ready')).body, SOON)
      .toEqual({
        status: 'ok',
        postgres: true,
        temporal: true,
      });
    const token = await issuer.token({ sub: randomUUID(), email: 'a@b.c', email_verified: true });
    expect((await call('/api/v1/auth/me', token)).body).toMatchObject({ email: 'a@b.c' });
    expect(api.logTail()).toContain(`"alphaNotificationUrl":"${processes.apiUrl}${HOOK}"`);
    expect(await stop()).toBe('exit 0');
  });

  it('exits after serving the requests in flight, and accepts no more', async () => {
    await start();
    const token = await issuer.token({ sub: randomUUID() });
    const tx = await database.db.transaction();
    await tx.raw('lock table users in access exclusive mode');
    await tx.raw('lock table pending_events in access exclusive mode');
    const inFlight = [call('/api/v1/auth/me', token), deliver()];
    await expect.poll(lockWaits, SOON).toBe(2);

    const ended = stop();
    const port = Number(new URL(processes.apiUrl).port);
    await expect.poll(() => isListening(port), SOON).toBe(false);
    await tx.rollback();
    expect((await Promise.all(inFlight)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await ended).toBe('exit 0');
    expect(await eventRows(database.db)).toHaveLength(1);
  });

  it('tells open streams what another process announces, and ends them when it stops', async () => {
    await start();
    const sub = randomUUID();
    const token = await issuer.token({ sub });
    await call('/api/v1/auth/me', token);
    const [user] = await database.db('users').where({ sub }).select<{ id: UserId }[]>('id');
    const userId = required(user).id;
    const walletId = await aWallet(database.db, { userId, balance: 5 });
    const stream = await openStream(`${processes.apiUrl}/api/v1/consumer/events`, token);
    await database.db.transaction((tx) => wallets.setStatus(tx, walletId, 'frozen'));
    announce(database.db, { userIds: [userId] });
    await stream.until(1);
    expect(stream.events).toMatchObject([{ event: 'wallet', data: { status: 'frozen' } }]);
    const { rows } = await database.db.raw<{ rows: unknown[] }>(
      `select 1 from pg_stat_activity
       where application_name = 'loyalty-api-listener' and datname = current_database()`,
    );
    expect(rows).toHaveLength(1);
    expect(await stop()).toBe('exit 0');
    await expect.poll(stream.isEnded).toBe(true);
    expect(api.logTail()).toContain('"reason":"draining"');
  });

  it('accepts webhooks, is degraded and can be stopped while Temporal is unreachable', async () => {
    await start({ temporalAddress: `127.0.0.1:${await freePort()}` });
    const { status, body } = await call('/health/ready');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'degraded', postgres: true, temporal: false });
    expect(await deliver()).toMatchObject({ status: 200, body: { ok: true } });
    expect(await stop()).toBe('exit 0');
  });

  it('exits while it still connects to a Temporal that never answers', async () => {
    const silent = createServer((socket) => socket.unref()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await start({ temporalAddress: `127.0.0.1:${port}` });
    expect(await stop()).toBe('exit 0');
    silent.close();
  });

  it('exits while a batch waits for a worker', async () => {
    await start();
    await expect
      .poll(async () => (await call('/health/ready')).body, SOON)
      .toMatchObject({ temporal: true });
    const merchantId = `M-${randomUUID()}`;
    await anAlphaConnection(database.db, { tenantId: await aTenant(database.db), merchantId });
    expect(await deliver(merchantId)).toMatchObject({ status: 200 });
    const [event] = await eventRows(database.db).where({ merchantId });
    const run = temporal.client.workflow.getHandle(`ingest/alpha/${event.id}`);
    const status = () =>
      run
        .describe()
        .then((each) => each.status.name)
        .catch(() => undefined);
    await expect.poll(status, SOON).toBe('RUNNING');
    expect(await stop()).toBe('exit 0');
    expect(await status()).toBe('RUNNING');
  });

  it('503 for readiness and webhooks while Postgres is unreachable', async () => {
    await start({ databaseUrl: `postgres://127.0.0.1:${await freePort()}/none` });
    const { status, body } = await call('/health/ready');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'unavailable', postgres: false });
    expect((await deliver()).status).toBe(503);
    expect((await call('/health')).status).toBe(200);
    expect(await stop()).toBe('exit 0');
  });
});

describe('an invalid configuration', () => {
  it('exits 1 and names every problem: three names missing, one malformed', async () => {
    await start();
    const { DATABASE_URL: _, CRON_SECRET: __, MAIL_FROM: ___, ...env } = processes.env;
    const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      const args = ['--import', 'tsx', 'api/main.ts'];
      const options = { cwd: ROOT, env: { ...env, PORT: 'eighty' } };
      execFile(process.execPath, args, options, (error, _stdout, stderr) =>
        resolve({ code: error?.code, stderr }),
      );
    });
    expect(ended.code).toBe(1);
    const [heading, ...problems] = ended.stderr.trim().split('\n');
    expect(heading).toBe('The configuration has problems:');
    expect(problems.map((line) => line.trim().split(' ')[0]).sort()).toEqual([
      'CRON_SECRET',
      'DATABASE_URL',
      'MAIL_FROM',
      'PORT',
    ]);
  });
});
