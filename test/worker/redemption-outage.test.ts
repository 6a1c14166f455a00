import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Db } from '../../db/connection.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { connectTemporal } from '../../gateways/temporal/connection.ts';
import { type MailSink, startMailSink } from '../../sandbox/mail/sink.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { ensureTemporalCli } from '../../sandbox/temporal/cli.ts';
import { startTemporal, type TemporalServer } from '../../sandbox/temporal/server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { aRule, aTenant, aWallet, required } from '../support/factories.ts';
import { type Answer, send } from '../support/http/app.ts';
import { type Issuer, startIssuer } from '../support/people/issuer.ts';
import { tokenFor } from '../support/people/tokens.ts';
import { balanceOf, expiresIn, redemptionRow } from '../support/points/redemptions.ts';
import { createProcesses, type Processes } from '../support/processes.ts';
import { quietRuntime, textOfRuns } from '../support/temporal/test-temporal.ts';

const NAMESPACE = 'loyalty-outage';

let database: TestDatabase;
let db: Db;
let issuer: Issuer;
let dir: string;
let sink: MailSink;
let temporal: TemporalServer;
let startTemporalAgain: () => Promise<TemporalServer>;
let processes: Processes;
beforeAll(async () => {
  quietRuntime();
  database = await createTestDatabase();
  db = database.db;
  issuer = await startIssuer();
  dir = await mkdtemp(join(tmpdir(), 'loyalty-outage-'));
  sink = await startMailSink({ port: 0, webPort: 0, dir: join(dir, 'mails') });
  const { path: cli } = await ensureTemporalCli(() => {});
  const preferredPort = await freePort();
  startTemporalAgain = () =>
    startTemporal({
      cli,
      namespace: NAMESPACE,
      dbFile: join(dir, 'temporal.db'),
      preferredPort,
      ui: false,
    });
  temporal = await startTemporalAgain();
  processes = await createProcesses({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    namespace: NAMESPACE,
    issuer: issuer.url,
    env: { SWEEP_INTERVAL_SECONDS: '2', SMTP_URL: sink.smtpUrl, LOG_LEVEL: 'info' },
  });
});
afterAll(async () => {
  await processes.close();
  await temporal.stop();
  await sink.stop();
  await issuer.close();
  await rm(dir, { recursive: true, force: true });
  await database.close();
});

let email: string;
let tenantId: TenantId;
let walletId: WalletId;
let token: string;
let operator: string;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
  operator = await tokenFor(db, issuer, { role: 'pos_operator', member: tenantId });
  await aConsumer();
});

/** From here on codes are confirmed by another consumer, who has a wallet of the shop. */
async function aConsumer(): Promise<void> {
  email = `${randomUUID()}@example.com`;
  token = await tokenFor(db, issuer, { role: 'consumer', email });
  const user = await db('users').where({ email }).first('id');
  walletId = await aWallet(db, { balance: 1000, userId: required(user).id, tenantId });
}

const confirm = (key?: string) =>
  send(processes.apiUrl, {
    method: 'POST',
    path: `/api/v1/consumer/wallets/${walletId}/redeem/confirm`,
    token,
    body: { pointsToRedeem: 100 },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const complete = (code: string) =>
  send(processes.apiUrl, {
    method: 'POST',
    path: '/api/v1/pos/redemptions/complete',
    token: operator,
    body: { code },
  });
const codeOf = (answer: Answer): string => answer.json<{ redemptionCode: string }>().redemptionCode;
const ids = async () =>
  (await db('redemptions').where({ walletId }).orderBy('created_at').select('id')).map(
    ({ id }) => id,
  );
const mailsOf = (code: string) => sink.mails().filter(({ text }) => text.includes(code));

it('codes are issued and used without Temporal; restarted, it expires them on time', async () => {
  await processes.start('api');
  await processes.start('worker');
  await temporal.stop();

  const code = codeOf(await confirm());
  expect(code).toMatch(/^[0-9A-F]{12}$/);
  expect(await complete(code)).toMatchObject({ status: 200, body: { ok: true } });
  const open = await confirm();
  expect(open.status).toBe(200);
  const id = required((await ids())[1]);
  // Old enough for reconcile to start its run, with time left before it expires.
  await expiresIn(db, [id], 25);
  expect(await balanceOf(db, walletId)).toBe(800);

  temporal = await startTemporalAgain();
  const row = () => redemptionRow(db, id);
  await expect.poll(async () => (await row()).codeMailedAt, { timeout: 25_000 }).not.toBeNull();
  expect(mailsOf(codeOf(open))).toHaveLength(1);
  await expect.poll(async () => (await row()).status, { timeout: 45_000 }).toBe('expired');
  expect(await complete(codeOf(open))).toMatchObject({ status: 422 });
  expect(await balanceOf(db, walletId)).toBe(900);
  const { expiresAt, expiredAt } = await row();
  expect(required(expiredAt).getTime()).toBeGreaterThanOrEqual(expiresAt.getTime());
  await expect.poll(async () => (await row()).expiryToldAt, { timeout: 20_000 }).not.toBeNull();
  const told = sink.mails().filter(({ subject }) => subject.includes('are back'));
  expect(told.map(({ recipients }) => recipients)).toEqual([[email]]);
}, 180_000);

it('API killed between the commit and the start: reconcile starts the run', async () => {
  const far = await createProcesses({
    databaseUrl: database.url,
    // The API commits and replies, and is killed before it can start the run.
    temporalAddress: '127.0.0.1:9',
    namespace: NAMESPACE,
    issuer: issuer.url,
  });
  try {
    const api = await far.start('api');
    const answer = await send(far.apiUrl, {
      method: 'POST',
      path: `/api/v1/consumer/wallets/${walletId}/redeem/confirm`,
      token,
      body: { pointsToRedeem: 100 },
    });
    expect(answer.status).toBe(200);
    process.kill(api.pid, 'SIGKILL');

    const id = required((await ids())[0]);
    await expiresIn(db, [id], 600);
    const followed = async () => (await redemptionRow(db, id)).followedAt;
    await expect.poll(followed, { timeout: 30_000 }).not.toBeNull();
    await expect.poll(() => mailsOf(codeOf(answer)).length, { timeout: 20_000 }).toBe(1);
  } finally {
    await far.close();
  }
}, 120_000);

it('no table, history or log contains a code that can still be used', async () => {
  const codes: string[] = [];
  for (let nth = 0; nth < 5; nth++) {
    codes.push(codeOf(await confirm(`key-${nth}`)));
    // Of one wallet only the first is mailed at once: those of a minute come together.
    if (nth < 4) await aConsumer();
  }
  const rows = () => db('redemptions').where({ tenantId, status: 'issued' });
  const unmailed = async () => (await rows().whereNull('codeMailedAt')).length;
  await expect.poll(unmailed, { timeout: 30_000 }).toBe(0);
  expect(await rows()).toHaveLength(5);

  const tables = await everyTable();
  expect(tables).toContain(walletId);
  const histories = await everyHistory();
  expect(histories).toContain(required((await ids())[0]));
  const logs = await everyLog();
  expect(logs).toContain('/redeem/confirm');
  for (const text of [tables, histories, logs]) {
    for (const code of codes) for (const form of formsOf(code)) expect(text).not.toContain(form);
  }
}, 120_000);

/** A code as issued, in lower case, and its bytes in hexadecimal and in base64. */
function formsOf(code: string): string[] {
  return [
    code,
    code.toLowerCase(),
    Buffer.from(code).toString('hex'),
    Buffer.from(code, 'hex').toString('base64'),
  ];
}

async function everyTable(): Promise<string> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const dump = await db.raw<{ rows: { text: string }[] }>(
      `select t::text as text from ${name} t`,
    );
    texts.push(...dump.rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

async function everyHistory(): Promise<string> {
  const connection = await connectTemporal({ address: temporal.address, tls: false });
  try {
    return (await textOfRuns(new Client({ connection, namespace: NAMESPACE }))).text;
  } finally {
    await connection.close();
  }
}

async function everyLog(): Promise<string> {
  const files = ['api.log', 'worker.log'].map((name) => join(processes.dir, 'logs', name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}
