import { expect, it } from 'vitest';
import { aWallet } from '../support/factories.ts';
import { useUnverifiedDatabase } from '../support/fixtures.ts';
import { aCreditedPayment } from '../support/points/payments.ts';
import { aRedemption } from '../support/points/redemptions.ts';
import { runOpsHere } from '../support/run-ops.ts';

const database = await useUnverifiedDatabase();
const { db, owner } = database;

/** What the printed statement finds, run as it is. */
async function found(name: string) {
  const { status, out } = await runOpsHere(['sql', name], { DATABASE_URL: database.url });
  expect(status).toBe(0);
  // As psql sends it: without parameters.
  const { rows } = await owner.raw<{ rows: { violations: { problem: string }[] }[] }>(
    out.replaceAll('?', '\\?'),
  );
  return rows.flatMap(({ violations }) => violations.map(({ problem }) => problem));
}

it('prints statements that find what is wrong', async () => {
  const wallet = await aWallet(db);
  await aCreditedPayment(db, wallet, 50);
  await aRedemption(db);
  const names = [
    'wallets',
    'payments',
    'redemptions',
    'adjustments',
    'expiries',
    'campaigns',
    'rewards',
    'liability',
    'imports',
  ];
  for (const name of names) expect(await found(name)).toEqual([]);
  await owner('wallets').where({ id: wallet }).update({ balance: 51 });
  expect(await found('wallets')).toEqual(['the balance is not the sum of the entries']);
});

it('exits 2 for a name that there is not', async () => {
  const { status, err } = await runOpsHere(['sql', 'everything'], { DATABASE_URL: database.url });
  expect({ status, says: err.split('\n')[0] }).toEqual({
    status: 2,
    says: 'There is no statement everything.',
  });
});
