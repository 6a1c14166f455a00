import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { aWallet } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';

const VERIFY = fileURLToPath(new URL('../../ops/verify.ts', import.meta.url));
const database = await useDatabase();
const { db } = database;

function verify(...options: string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url };
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
