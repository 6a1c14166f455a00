import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { required, testSealer } from '../support/factories.ts';
import { whileRowsAreRefused, whileValuesAreQuoted } from './database-faults.ts';
import { type Output, scan } from './leak-scan.ts';
import { peopleIn, providerTokensIn, secretsIn } from './needles.ts';
import { logsIn, mailOutput, metricsAt, postgresLog, runsIn } from './outputs.ts';
import * as scenes from './scenes.ts';
import { aVisitor, openStage, type Stage } from './stage.ts';

// A whole busy run of the real processes, and then a look for every secret that it has used in
// everything that it has left behind.

const CONSUMERS = 3;
const PATIENCE = { timeout: 60_000, interval: 250 };
/** Chosen by a caller, so that it may be everywhere: it shows that an output was looked at. */
const CANARY = `canary-${randomUUID()}`;

let stage: Stage;
let newcomers: { email: string }[];
let outputs: Output[];
let runs: number;

const inLogs = async (text: string) =>
  (await logsIn(stage.processes.dir)).filter((log) => log.text.includes(text)).length;

/** Somebody new signs in, and a shop invites somebody, while the database refuses both. */
async function signUpAndInvite(town: scenes.Town, sign: string): Promise<void> {
  const refused = await aVisitor(stage);
  const { status } = await stage.ask({ path: '/api/v1/auth/me', token: refused.token });
  expect(status).toBe(500);
  const invited = await aVisitor(stage);
  newcomers.push(invited);
  await stage.ask({
    method: 'POST',
    path: `/api/v1/client/tenants/${town.shop.tenantId}/store-operator-invites`,
    token: town.merchant,
    body: { email: invited.email },
    headers: { 'x-correlation-id': CANARY },
  });
  // Both processes have said so: the API of the sign-in, the worker of the mail.
  await vi.waitUntil(async () => (await inLogs(sign)) === 2, PATIENCE);
}

async function play(): Promise<void> {
  const { database, mail, needles, processes } = stage;
  const town = await scenes.tradeUnderFaults(stage, CONSUMERS);
  needles.push(...(await providerTokensIn(database.db, testSealer)));
  await scenes.brokenWebhooks(stage, town);
  const wallets = () => database.db('wallets').select('id');
  await vi.waitUntil(async () => (await wallets()).length === CONSUMERS, PATIENCE);
  await scenes.settle(stage);

  const [ann, bob, cid] = town.consumers;
  const code = await scenes.redeem(stage, required(ann));
  await scenes.workTheTill(stage, town, code);
  await mail.stop();
  await scenes.redeem(stage, required(bob));
  newcomers.push(await scenes.invite(stage, town));
  await scenes.misuse(stage, town);
  await mail.start();
  mail.accept(false);
  await scenes.redeem(stage, required(cid));
  await scenes.reconnect(stage, town);
  await scenes.look(stage, town);
  mail.accept(true);

  await whileRowsAreRefused(stage, () => signUpAndInvite(town, 'refused_rows'));
  outputs.push(await postgresLog());
  await whileValuesAreQuoted(stage, () => signUpAndInvite(town, '22P02'));
  const arrived = () => new Set(mail.mails().map(({ recipient }) => recipient));
  for (const { email } of newcomers.slice(1)) {
    await vi.waitUntil(() => arrived().has(email), PATIENCE);
  }
  needles.push(...(await providerTokensIn(database.db, testSealer)));
  needles.push(...(await peopleIn(database.db)), ...secretsIn(processes.env));
}

async function collect(): Promise<void> {
  const { processes, temporal, metrics, errors, answers, mail, codesOf } = stage;
  const stored = await runsIn(temporal.client);
  runs = stored.runs;
  outputs.push(
    ...(await logsIn(processes.dir)),
    ...stored.outputs,
    await metricsAt('the API', metrics.api),
    await metricsAt('the worker', metrics.worker),
    { name: 'error reports', text: errors.reports() },
    ...answers,
  );
  for (const { recipient, raw } of mail.mails()) {
    outputs.push(await mailOutput(raw, recipient, codesOf.get(recipient) ?? []));
  }
}

beforeAll(async () => {
  [newcomers, outputs] = [[], []];
  stage = await openStage();
  await play();
  await collect();
}, 300_000);
afterAll(() => stage.close());

it('a busy run has shown all kinds of secrets, and has written to every output', () => {
  const kinds = new Set(stage.needles.map(({ kind }) => kind));
  for (const kind of [
    'access token',
    'bad token',
    'redemption code',
    'e-mail',
    'phone',
    'name',
    'OAuth code',
    'OAuth state',
    "alpha's access_token",
    "alpha's refresh_token",
    "beta's access_token",
    'ALPHA_APP_SECRET',
    'BETA_WEBHOOK_SECRET',
    'ENCRYPTION_KEY',
    'password of SMTP_URL',
    'password of DATABASE_URL',
  ]) {
    expect(kinds).toContain(kind);
  }
  expect(runs).toBeGreaterThan(10);
  expect(stage.answers.length).toBeGreaterThan(40);
  expect(stage.mail.mails().length).toBeGreaterThan(2);
  expect(stage.errors.reports()).toContain('"exception"');
  const canary = scan({ needles: [{ kind: 'canary', value: CANARY }], outputs });
  const found = new Set(canary.map(({ output }) => output));
  expect([...found].sort()).toEqual(
    expect.arrayContaining(['error reports', 'histories', 'log api.log', 'log worker.log']),
  );
});

it('logs, histories, metrics, mails and errors of a busy run hold no secret and no person', () => {
  expect(scan({ needles: stage.needles, outputs })).toEqual([]);
});
