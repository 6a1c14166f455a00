import type { RedemptionId, WalletId } from '../../domain/ids.ts';
import type { Tx } from '../connection.ts';
import * as ledger from '../ledger/postings.ts';
import * as debts from '../payments/debts.ts';

/** A code that the transaction has just closed unused, and whether its points return. */
export type ClosedCode = {
  id: RedemptionId;
  walletId: WalletId;
  points: number;
  isReturned: boolean;
};

/**
 * Does what the end of unused codes does to points, in the transaction that closed them. Points
 * that return are credited, and pay what the wallet owes.
 */
export async function settle(tx: Tx, codes: readonly ClosedCode[]): Promise<void> {
  const entries = codes.filter(({ isReturned }) => isReturned).map(returnOf);
  if (entries.length === 0) return;
  await debts.pay(tx, ledger.owingOf(await ledger.post(tx, entries)));
}

function returnOf({ id, walletId, points }: ClosedCode): ledger.Entry {
  const source = { sourceType: 'redemption', sourceId: id } as const;
  return { walletId, entryType: 'credit', reason: 'redemption_expired', points, ...source };
}
