import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createFileStore } from '../../gateways/objects/file-store.ts';
import { aWallet, required, testKeys } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { requiredEnv } from '../support/required-env.ts';
import { rewriteLedger } from '../support/rewritten-ledger.ts';
import { signAll } from '../support/statements.ts';

const VERIFY = fileURLToPath(new URL('../../ops/verify.ts', import.meta.url));
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

function verifyWith(
  settings: Record<string, string>,
  ...options: string[]
): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url, ...settings };
    execFile(
      process.execPath,
      ['--import', 'tsx', VERIFY, ...options],
      { env },
      (error, stdout, stderr) => {
        resolve({ status: Number(error?.code ?? 0), output: `${stdout}${stderr}` });
      },
    );
  });
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
  });
});

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

it('exits 1 and names the wallet when a balance was changed by hand', async ({ task }) => {
  task.meta.brokenOnPurpose = true;
  const walletId = await aWallet(db, { balance: 5 });
  await db('wallets').where('id', walletId).update({ balance: 6 });
  const { status, output } = await verify();
  expect(status).toBe(1);
  expect(output).toContain(`wallet ${walletId}`);
  expect(output).toContain('the balance is not the sum of the entries');
});

it('compares signed statements where it has what that needs', async ({ task }) => {
  await db('wallets').where('balance', 6).update({ balance: 5 });
  const walletId = await aWallet(db, { balance: 5 });
  await signAll(db, createFileStore(objects), '2026-01-15');
  const unsigned = await verify();
  expect(unsigned).toMatchObject({ status: 0 });
  expect(unsigned.output).toContain('Signatures were NOT checked');
  const signed = await verifyWith(ofWorker);
  expect(signed).toMatchObject({ status: 0 });
  expect(signed.output).toContain('Compared 4 signed statements.');

  task.meta.brokenOnPurpose = true;
  await rewriteLedger(database.owner, walletId, 1_000);
  await database.owner('signed_heads').where({ walletId }).delete();
  expect(await verify()).toMatchObject({ status: 0 });
  const found = await verifyWith(ofWorker);
  expect(found.status).toBe(1);
  expect(found.output).toMatch(
    new RegExp(`wallet ${walletId} .*: statement 1 names another entry`),
  );
});
