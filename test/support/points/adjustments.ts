import type { Db } from '../../../db/connection.ts';
import * as ledger from '../../../db/ledger/postings.ts';
import { newId } from '../../../db/new-id.ts';
import type { UserId } from '../../../domain/ids.ts';
import { aCredit, aDebit, aWallet, required } from '../factories.ts';

/**
 * Adjusts a wallet of its own as an administrator did at that time: an entry in the ledger, and one
 * in the audit log.
 */
export async function adjustedAt(
  db: Db,
  actorUserId: UserId,
  points: number,
  createdAt: Date,
): Promise<void> {
  const walletId = await aWallet(db, { balance: 1_000 });
  const { tenantId } = await db('wallets').where({ id: walletId }).first();
  const id = newId();
  await db.transaction(async (tx) => {
    const entry = points > 0 ? aCredit(walletId, points) : aDebit(walletId, -points);
    const [posted] = await ledger.post(tx, [{ ...entry, sourceId: id }]);
    const { id: ledgerEntryId, balanceAfter: balance } = required(posted);
    await tx('audit_log').insert({
      id,
      actorUserId,
      action: 'wallet.adjust',
      targetType: 'wallet',
      targetId: walletId,
      tenantId,
      reason: 'By hand.',
      before: {},
      after: { points, balance, ledgerEntryId },
      requestId: 'test',
      createdAt,
    });
  });
}
