import type { Tx } from '../../../db/connection.ts';
import type * as adjusting from '../../../db/ledger/adjusted.ts';
import { type AdjustedWallet, adjust } from '../../../db/ledger/adjusting.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { newId } from '../../../db/new-id.ts';
import { one } from '../../../db/one.ts';
import { erased } from '../../../db/users/members.ts';
import { requireWithinLimit } from '../../../domain/adjustment.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { GoodwillId, UserId, WalletId } from '../../../domain/ids.ts';
import { type ActingRequest, actingBy } from '../../http/access/acting.ts';
import type { Deps } from '../../http/deps.ts';
import type { AfterCommit } from '../../http/route.ts';

type AdjustingRequest = ActingRequest &
  Pick<Deps, 'settings' | 'metrics' | 'announce'> & { tx: Tx; afterCommit: AfterCommit };

/** What is adjusted, and why; by which request of a merchant if it was granted. */
type ByHand = { walletId: WalletId; points: number; reason: string; goodwillId?: GoodwillId };

/**
 * Adjusts a wallet for an administrator. Throws FORBIDDEN for their own wallet, for one whose owner
 * was erased and beyond their limit of 24 hours, and INSUFFICIENT_BALANCE below zero. Rows that are
 * locked before wallets have to be locked already, and `adjusted` is read before them.
 */
export async function adjustByHand(
  { tx, settings, metrics, afterCommit, announce, ...request }: AdjustingRequest,
  { walletId, points, ...why }: ByHand,
  adjusted: adjusting.Adjusted,
): Promise<AdjustedWallet> {
  const wallet = await wallets.lock(tx, walletId);
  if (wallet.closedAt !== null) throw erased();
  requireAllowed({ ...request, points, wallet, adjusted, settings, metrics });
  const by = { acting: actingBy(request), ...why };
  const done = one(await adjust(tx, [{ id: newId(), wallet, points }], by), 'adjustment');
  afterCommit(() => metrics.pointsAdjusted(points));
  afterCommit(() => announce({ userIds: [wallet.userId] }));
  return done;
}

type AskedAdjustment = {
  user: { id: UserId };
  points: number;
  wallet: wallets.WalletState;
  adjusted: adjusting.Adjusted;
} & Pick<Deps, 'settings' | 'metrics'>;

/** Throws FORBIDDEN for the administrator's own wallet, and beyond their limit of 24 hours. */
function requireAllowed(asked: AskedAdjustment): void {
  const { user, points, wallet, adjusted, settings, metrics } = asked;
  try {
    if (wallet.userId === user.id) {
      throw new Refusal(
        'FORBIDDEN',
        'This is your own wallet. Ask another administrator to adjust it.',
        'own_wallet',
      );
    }
    requireWithinLimit(points, adjusted, settings.adjustLimitPerDay);
  } catch (refusal) {
    metrics.adjustmentRefused();
    throw refusal;
  }
}
