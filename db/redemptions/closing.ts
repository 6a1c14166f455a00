import type { RedemptionId, RewardId, WalletId } from '../../domain/ids.ts';
import type { Tx } from '../connection.ts';
import * as expiring from '../ledger/expiring.ts';
import * as ledger from '../ledger/postings.ts';
import * as debts from '../payments/debts.ts';
import * as rewards from '../tenants/rewards.ts';

/** A code that the transaction has just closed unused, and whether its points return. */
export type ClosedCode = {
  id: RedemptionId;
  walletId: WalletId;
  points: number;
  isReturned: boolean;
  /** Of which reward one goes back, whatever becomes of the points. */
  rewardId: RewardId | null;
  /** Whether its tenant has published a programme. */
  hasProgramme: boolean;
};

/** SQL: its last two of a redemption `r`. */
export const REWARD_AND_PROGRAMME = `r.reward_id, (
  select t.has_programme from tenants t where t.id = r.tenant_id) as has_programme`;

/**
 * Does what the end of unused codes does to points, in the transaction that closed them. Points
 * that return are credited, and pay what the wallet owes; what is past its month is taken at once.
 * Rewards go back after that, in the order of locks.
 */
export async function settle(tx: Tx, codes: readonly ClosedCode[]): Promise<void> {
  const returned = codes.filter(({ isReturned }) => isReturned);
  if (returned.length > 0) {
    await debts.pay(tx, ledger.owingOf(await ledger.post(tx, returned.map(returnOf))));
  }
  const dated = returned.filter(({ hasProgramme }) => hasProgramme);
  await expiring.takePast(
    tx,
    dated.map(({ walletId }) => walletId),
  );
  await rewards.putBack(
    tx,
    codes.flatMap(({ rewardId }) => rewardId ?? []),
  );
}

function returnOf({ id, walletId, points }: ClosedCode): ledger.Entry {
  const source = { sourceType: 'redemption', sourceId: id } as const;
  return { walletId, entryType: 'credit', reason: 'redemption_expired', points, ...source };
}
