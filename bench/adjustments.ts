import type { Db } from '../db/connection.ts';
import * as ledger from '../db/ledger/postings.ts';
import { newId } from '../db/new-id.ts';
import type { WalletId } from '../domain/ids.ts';

export type Adjustment = { walletId: WalletId; points: number };

/**
 * Credits wallets as an administrator would, in the order given, with the entries of the audit log
 * that the ledger is compared with.
 */
export async function creditByHand(db: Db, adjustments: readonly Adjustment[]): Promise<void> {
  const credits = adjustments.map(({ walletId, points }): ledger.Entry => {
    const source = { sourceType: 'adjustment', sourceId: newId() } as const;
    return { walletId, entryType: 'credit', points, reason: 'admin_adjustment', ...source };
  });
  await db.transaction(async (tx) => {
    const entries = await ledger.post(tx, credits);
    await tx.raw(
      `insert into audit_log (id, actor_user_id, action, target_type, target_id, tenant_id, reason,
         before, after, request_id)
       select e.source_id, w.user_id, 'wallet.adjust', 'wallet', w.id, w.tenant_id, 'Benchmark.',
         '{}', jsonb_build_object('points', e.points, 'balance', e.balance_after,
           'ledgerEntryId', e.id), 'bench'
       from ledger_entries e join wallets w on w.id = e.wallet_id
       where e.wallet_id = any(:walletIds) and e.id = any(:ids)
       order by e.wallet_id, e.seq`,
      { walletIds: adjustments.map(({ walletId }) => walletId), ids: entries.map(({ id }) => id) },
    );
  });
}
