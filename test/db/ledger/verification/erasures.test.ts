import { beforeEach, describe, expect, it } from 'vitest';
import { erasePerson } from '../../../../activities/erasures.ts';
import { byUser } from '../../../../db/audit-log.ts';
import { verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import * as erasures from '../../../../db/users/erasures.ts';
import type { ErasureId, UserId, WalletId } from '../../../../domain/ids.ts';
import { aTenant, aUser, aWallet, testPolicy, testSealer } from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';

const { db } = await useUnverifiedDatabase();

let userId: UserId;
let walletId: WalletId;
let id: ErasureId;
beforeEach(async () => {
  userId = await aUser(db);
  walletId = await aWallet(db, { userId, tenantId: await aTenant(db), balance: 5 });
  const asking = { userId, acting: byUser(userId, 'request'), reason: null, points: 0 };
  const { erasure } = await db.transaction((tx) => erasures.request(tx, asking));
  await erasePerson(
    { db, contactProofs: testSealer.fingerprints, ingestPolicy: testPolicy },
    erasure,
  );
  id = erasure.id;
  expect((await verifyLedger(db)).violations).toEqual([]);
});

const problems = async () => (await verifyLedger(db)).violations.map(({ problem }) => problem);

describe('an erasure is found wrong', () => {
  it.each([
    { email: 'ada@example.com' },
    { phone: '+12125550101' },
    { name: 'Ada' },
    { memberNumber: '079927398713' },
    { bootstrappedAs: 'ada@example.com' },
    { status: 'active' },
  ])('where %o is left', async (left) => {
    await db('users').where({ id: userId }).update(left);
    expect(await problems()).toEqual([`erasure ${id} left what says who it was`]);
    await db('users').where({ id: userId }).update({
      email: null,
      phone: null,
      name: null,
      memberNumber: null,
      status: 'suspended',
      bootstrappedAs: null,
    });
  });

  it('where a wallet is open', async () => {
    await db('wallets').where({ id: walletId }).update({ closedAt: null });
    expect(await problems()).toEqual([`erasure ${id} left a wallet that is not closed`]);
    await db('wallets').where({ id: walletId }).update({ closedAt: new Date() });
  });
});

it('a closed wallet holds nothing, whoever writes it', async () => {
  const credit = db('wallets').where({ id: walletId }).update({ balance: 1 });
  await expect(credit).rejects.toThrow('wallets_closed_hold_nothing');
});
