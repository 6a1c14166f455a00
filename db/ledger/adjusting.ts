import { adjustedBalance } from '../../domain/adjustment.ts';
import type { EntryId, GoodwillId, ImportId, TenantId, WalletId } from '../../domain/ids.ts';
import * as auditLog from '../audit-log.ts';
import type { Tx } from '../connection.ts';
import * as debts from '../payments/debts.ts';
import * as ledger from './postings.ts';

/** Points that are added to a locked wallet, or taken off. The id is that of the audit entry. */
export type Adjustment = {
  id: string;
  wallet: { id: WalletId; tenantId: TenantId; balance: number; owed: number };
  points: number;
};

/** Who adjusts, why, and by which import or request of a merchant if it is by one. */
export type AdjustedBy = {
  acting: auditLog.Acting;
  reason: string;
  importId?: ImportId;
  goodwillId?: GoodwillId;
};

/** What an adjustment has led to: the balance once debts are paid, and its own entry. */
export type AdjustedWallet = { walletId: WalletId; balance: number; ledgerEntryId: EntryId };

/**
 * Adjusts locked wallets, each once: writes the entries, pays what the wallets owe, and writes the
 * entries of the audit log, which refer to each other. Throws where `adjustedBalance` does, and
 * then changes nothing.
 */
export async function adjust(
  tx: Tx,
  adjustments: readonly Adjustment[],
  { acting, reason, ...cause }: AdjustedBy,
): Promise<AdjustedWallet[]> {
  if (adjustments.length === 0) return [];
  const balances = new Map(
    adjustments.map(({ id, wallet, points }) => [id, adjustedBalance(wallet, points)]),
  );
  const posted = await ledger.post(tx, adjustments.map(entryOf));
  await debts.pay(tx, ledger.owingOf(posted));
  const entries = new Map(posted.map((entry) => [entry.sourceId, entry.id]));
  const adjusted = adjustments.map(({ id, wallet, points }) => {
    const [balance, ledgerEntryId] = [balances.get(id), entries.get(id)];
    if (balance === undefined || ledgerEntryId === undefined) {
      throw new Error('An adjustment came back without its entry.');
    }
    return { id, wallet, points, balance, ledgerEntryId };
  });
  await auditLog.insert(
    tx,
    ...adjusted.map(({ id, wallet, points, balance, ledgerEntryId }): auditLog.NewAuditEntry => {
      const after = { balance, points, ledgerEntryId, ...cause };
      return {
        ...acting,
        id,
        action: 'wallet.adjust',
        targetType: 'wallet',
        targetId: wallet.id,
        tenantId: wallet.tenantId,
        reason,
        before: { balance: wallet.balance },
        after,
      };
    }),
  );
  return adjusted.map(({ wallet, balance, ledgerEntryId }) => {
    return { walletId: wallet.id, balance, ledgerEntryId };
  });
}

function entryOf({ id, wallet, points }: Adjustment): ledger.Entry {
  return {
    walletId: wallet.id,
    entryType: points > 0 ? 'credit' : 'debit',
    points: Math.abs(points),
    reason: 'admin_adjustment',
    sourceType: 'adjustment',
    sourceId: id,
  };
}
