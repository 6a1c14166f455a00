import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createFileStore } from '../../gateways/objects/file-store.ts';
import { rewriteLedger } from '../support/database/rewritten-ledger.ts';
import { aWallet, required, testKeys } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { signAll } from '../support/points/statements.ts';
import { requiredEnv } from '../support/required-env.ts';
import { runMain } from '../support/run-main.ts';
import { runVerifyHere } from '../support/run-ops.ts';

const database = await useDatabase();
const { db } = database;

const objects = await mkdtemp(join(tmpdir(), 'loyalty-verify-'));
afterAll(() => rm(objects, { recursive: true, force: true }));
const ofWorker = {
  ...requiredEnv(),
  DATABASE_URL: database.url,
  OBJECT_STORE_URL: pathToFileURL(objects).href,
  ENCRYPTION_KEY: Buffer.from(required(testKeys[0]).key).toString('hex'),
};

const verify = (...options: string[]) => verifyWith({}, ...options);

async function verifyWith(settings: Record<string, string>, ...options: string[]) {
  const variables = { DATABASE_URL: database.url, ...settings };
  const { status, out, err } = await runVerifyHere(options, variables);
  return { status, output: `${out}${err}` };
}

/** A process of its own, which can be sent a signal. */
function aVerification(...options: string[]) {
  const variables = { DATABASE_URL: database.url, NODE_ENV: 'test' };
  const { kill, ended } = runMain('ops/verify.ts', variables, options);
  const both = ended.then(({ status, stdout, stderr }) => {
    return { status: Number(status), output: `${stdout}${stderr}` };
  });
  return { kill, ended: both };
}

/** Whether a verification waits for a table. */
async function waitsForLock(): Promise<boolean> {
  const { rows } = await db.raw<{ rows: object[] }>(
    `select 1 from pg_stat_activity where application_name = 'loyalty-verify'
       and datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

it('exits 0 with the counts when every wallet adds up', async () => {
  await aWallet(db, { balance: 5 });
  expect(await verify()).toEqual({
    status: 0,
    output:
      'Checked 1 entries of 1 wallets, 0 payments and 0 redemptions.\nEvery wallet adds up.\n',
  });
});

it('speaks JSON, without a word beside it', async () => {
  const { status, output } = await verify('--json');
  expect(status).toBe(0);
  expect(JSON.parse(output)).toEqual({
    isWhole: true,
    wallets: 1,
    entries: 1,
    payments: 0,
    redemptions: 0,
    statements: 0,
    violations: [],
    next: null,
  });
});

it('says at a signal where it stopped, and goes on from there', async () => {
  const running = aVerification();
  const stopped = await db.transaction(async (tx) => {
    await tx.raw('lock table payments in access exclusive mode');
    await expect.poll(() => waitsForLock(), { timeout: 30_000 }).toBe(true);
    running.kill('SIGINT');
    return running;
  });
  const { status, output } = await stopped.ended;
  expect(status).toBe(2);
  expect(output).toContain('Checked 1 entries of 1 wallets');
  const [, place = ''] =
    /Stopped\. Go on with: npm run verify -- --from (\S+)\n$/.exec(output) ?? [];
  // A process that is busy hears of the signal when the next part is done, too.
  expect(place).toMatch(/^(payments|redemptions)\//);
  const rest = await verify('--from', place);
  expect(rest).toMatchObject({ status: 0, output: expect.stringContaining('of 0 wallets') });
});

it('says where it goes on when it loses Postgres', async () => {
  const running = aVerification('--json');
  await db.transaction(async (tx) => {
    await tx.raw('lock table tenant_counts in access exclusive mode');
    await expect.poll(() => waitsForLock(), { timeout: 30_000 }).toBe(true);
    await tx.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'loyalty-verify' and datname = current_database()`,
    );
  });
  const { status, output } = await running.ended;
  expect(status).toBe(2);
  const [json = '', failure] = output.split('\n');
  expect(JSON.parse(json)).toMatchObject({
    isWhole: false,
    wallets: 1,
    next: expect.stringMatching(/^counts\//),
  });
  expect(failure).toMatch(/^The ledger could not be verified: /);
});

it.each([['payments'], ['payments/7'], ['people/00000000-0000-0000-0000-000000000000']])(
  'refuses %s as the place where it goes on',
  async (place) => {
    expect(await verify('--from', place)).toMatchObject({
      status: 2,
      output: expect.stringContaining('not a place such as wallets/ID'),
    });
  },
);

it('verifies what moved, or the next part, and refuses other options', async () => {
  await verify('--since-checkpoint');
  await aWallet(db, { balance: 7 });
  expect(await verify('--since-checkpoint')).toEqual({
    status: 0,
    output:
      'Checked 1 entries of 1 wallets, 0 payments and 0 redemptions.\nWhat was checked adds up.\n',
  });
  const part = await verify('--next-part');
  expect(part).toMatchObject({ status: 0, output: expect.stringContaining('of 2 wallets') });
  const wrong = await verify('--all');
  expect(wrong).toMatchObject({ status: 2, output: expect.stringContaining('Usage:') });
});

it('exits 1 and names the wallet when a balance was changed by hand', async () => {
  await database.endVerification();
  const walletId = await aWallet(db, { balance: 5 });
  await db('wallets').where('id', walletId).update({ balance: 6 });
  const { status, output } = await verify();
  expect(status).toBe(1);
  expect(output).toContain(`wallet ${walletId}`);
  expect(output).toContain('the balance is not the sum of the entries');
});

it('compares signed statements where it has what that needs', async () => {
  await db('wallets').where('balance', 6).update({ balance: 5 });
  const walletId = await aWallet(db, { balance: 5 });
  await signAll(db, createFileStore(objects), '2026-01-15');
  const unsigned = await verify();
  expect(unsigned).toMatchObject({ status: 0 });
  expect(unsigned.output).toContain('Signatures were NOT checked');
  const signed = await verifyWith(ofWorker);
  expect(signed).toMatchObject({ status: 0 });
  expect(signed.output).toContain('Compared 4 signed statements.');

  await rewriteLedger(database.owner, walletId, 1_000);
  await database.owner('signed_heads').where({ walletId }).delete();
  expect(await verify()).toMatchObject({ status: 0 });
  const found = await verifyWith(ofWorker);
  expect(found.status).toBe(1);
  expect(found.output).toMatch(
    new RegExp(`wallet ${walletId} .*: statement 1 names another entry`),
  );
});

it('tells what it found of the ledger also where the statements cannot be read', async () => {
  const unreadable = { ...ofWorker, OBJECT_STORE_URL: 'file:///dev/null' };
  const failure = 'The ledger could not be verified: ENOTDIR';
  const whole = await verifyWith(unreadable);
  expect(whole).toMatchObject({ status: 2, output: expect.stringContaining(failure) });
  expect(whole.output).toMatch(/^Checked \d+ entries/);
  expect(whole.output).not.toContain('adds up');

  await database.endVerification();
  const walletId = await aWallet(db, { balance: 5 });
  await db('wallets').where('id', walletId).update({ balance: 7 });
  const found = await verifyWith(unreadable);
  expect(found.status).toBe(1);
  expect(found.output).toContain(`wallet ${walletId}`);
  expect(found.output).toContain(failure);
  const { output } = await verifyWith(unreadable, '--json');
  expect(JSON.parse(output.split('\n')[0] ?? '')).toMatchObject({
    isWhole: false,
    violations: [{ walletId }],
  });
});
