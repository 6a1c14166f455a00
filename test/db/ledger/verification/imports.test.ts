import { expect, it } from 'vitest';
import { verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import { aTenant, aWallet, required } from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';

const { db } = await useUnverifiedDatabase();

it('a credited row is found wrong without an adjustment of its wallet and points', async () => {
  const tenantId = await aTenant(db);
  const walletId = await aWallet(db, { tenantId, balance: 10 });
  const entry = required(await db('ledger_entries').where({ walletId }).first());
  const createdBy = required(await db('users').first()).id;
  const [{ id: importId }] = await db('imports')
    .insert({
      id: db.raw('gen_random_uuid()'),
      tenantId,
      status: 'done',
      rowCount: 1,
      points: 10,
      invalid: '[]',
      matched: 1,
      waiting: 0,
      repeated: 0,
      createdBy,
      approvedAt: db.fn.now(),
    })
    .returning('id');
  const row = { tenantId, importId, contact: 'email', state: 'credited', walletId, points: 10 };
  await db('import_rows').insert({ ...row, id: entry.sourceId, line: 2 });
  const problems = async () => (await verifyLedger(db)).violations.map(({ problem }) => problem);
  expect(await problems()).toEqual([]);

  const wrong = `row ${entry.sourceId} of an import is credited, and its wallet has no adjustment`;
  for (const change of [{ points: 9 }, { walletId: await aWallet(db, { tenantId }) }]) {
    await db('import_rows').where({ line: 2 }).update(change);
    expect(await problems()).toEqual([expect.stringContaining(wrong)]);
    await db('import_rows').where({ line: 2 }).update({ walletId, points: 10 });
  }
  const other = await aTenant(db);
  await db('import_rows').where({ line: 2 }).update({ tenantId: other });
  expect(await problems()).toEqual([expect.stringContaining('has a wallet of another shop')]);
});
