import type { PaymentId, WalletId } from '../../domain/ids.ts';
import { type Move, movesOf } from '../../domain/revision.ts';
import type { Tx } from '../connection.ts';
import * as ledger from '../ledger/postings.ts';
import * as debts from './debts.ts';
import * as paymentRevisions from './revisions.ts';

/**
 * Gives one payment its consumer and credits the wallet, which pays what it owes. The wallet and
 * then the payment are locked.
 */
export async function storeMatch(tx: Tx, match: paymentRevisions.LateMatch): Promise<void> {
  await paymentRevisions.recordMatches(tx, [match]);
  const { id, walletId } = match;
  if (walletId === null) return;
  const posted = await ledger.post(tx, entriesOf(walletId, id, movesOf(match)));
  await debts.pay(tx, ledger.owingOf(posted));
}

/** The ledger entries of what moves points of a wallet for a payment. */
export function entriesOf(
  walletId: WalletId,
  sourceId: PaymentId,
  moves: readonly Move[],
): ledger.Entry[] {
  return moves.map((move) => ({ ...move, walletId, sourceType: 'payment', sourceId }));
}
