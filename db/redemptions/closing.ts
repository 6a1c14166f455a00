import type { RedemptionId, WalletId } from '../../domain/ids.ts';
import { type Settlement, settleDebts } from '../../domain/refund.ts';
import type { Tx } from '../connection.ts';
import * as ledger from '../ledger/postings.ts';
import * as debts from '../payments/debts.ts';

/** A code that the transaction has just closed, and whether its points return to the wallet. */
export type ClosedCode = {
  id: RedemptionId;
  walletId: WalletId;
  points: number;
  isReturned: boolean;
};

/**
 * Does what the end of codes does to points; every way to close a code ends here, in the
 * transaction that closed it. Points that return are credited, and pay what refunds could not take
 * while they were in a code, the oldest debt first. Debts that no open code of the wallet can pay
 * any more are written off.
 */
export async function settle(tx: Tx, codes: readonly ClosedCode[]): Promise<void> {
  if (codes.length === 0) return;
  const debtsOf = await debts.lock(
    tx,
    codes.map(({ walletId }) => walletId),
  );
  const owing = [...debtsOf.keys()];
  const parked = owing.length === 0 ? new Map() : await debts.openPoints(tx, owing);
  const entries: ledger.Entry[] = codes.filter(({ isReturned }) => isReturned).map(returnOf);
  const settlements: Settlement[] = [];
  for (const [walletId, its] of debtsOf) {
    const returned = codes.filter((code) => code.isReturned && code.walletId === walletId);
    const settled = settleDebts(its, {
      returned: returned.reduce((sum, { points }) => sum + points, 0),
      parked: parked.get(walletId) ?? 0,
    });
    settlements.push(...settled);
    entries.push(...settled.flatMap((settlement) => debitsOf(walletId, settlement)));
  }
  if (settlements.length > 0) await debts.record(tx, settlements);
  if (entries.length > 0) await ledger.post(tx, entries);
}

function returnOf({ id, walletId, points }: ClosedCode): ledger.Entry {
  const source = { sourceType: 'redemption', sourceId: id } as const;
  return { walletId, entryType: 'credit', reason: 'redemption_expired', points, ...source };
}

function debitsOf(walletId: WalletId, { paymentId, reversals }: Settlement): ledger.Entry[] {
  const source = { sourceType: 'payment', sourceId: paymentId } as const;
  const paid = reversals.filter(({ points }) => points > 0);
  return paid.map(({ points }) => {
    return { walletId, entryType: 'debit', reason: 'payment_refunded', points, ...source };
  });
}
